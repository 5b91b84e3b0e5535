#include "kv.h"
#include <assert.h>
#include <pthread.h>

#define SLAB 32

static struct {
    pthread_mutex_t lock;
    int value[SLAB];
    int used;
} slab = { .lock = PTHREAD_MUTEX_INITIALIZER };

#ifdef FIXED
static pthread_mutex_t put_lock = PTHREAD_MUTEX_INITIALIZER;
#endif

static int slab_append(int value)
{
    int s;
    pthread_mutex_lock(&slab.lock);
    assert(slab.used < SLAB);
    s = slab.used++;
    slab.value[s] = value;
    pthread_mutex_unlock(&slab.lock);
    return s;
}

static void slab_set(int slot, int value)
{
    pthread_mutex_lock(&slab.lock);
    slab.value[slot] = value;
    pthread_mutex_unlock(&slab.lock);
}

void kv_put(const char *key, int value)
{
    int slot;

#ifdef FIXED
    pthread_mutex_lock(&put_lock);
#endif
    slot = index_find(key); /* bug */
    if (slot >= 0)
        slab_set(slot, value);
    else
        index_enter(key, slab_append(value)); /* bug */
#ifdef FIXED
    pthread_mutex_unlock(&put_lock);
#endif
}

int kv_get(const char *key, int *value)
{
    int slot = index_find(key);
    if (slot < 0)
        return -1;
    pthread_mutex_lock(&slab.lock);
    *value = slab.value[slot];
    pthread_mutex_unlock(&slab.lock);
    return 0;
}
