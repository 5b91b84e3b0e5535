#include "kv.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 4

struct ent {
    struct ent *next;
    int slot;
    char key[12];
};

static struct {
    pthread_mutex_t lock;
    struct ent *bucket[BUCKETS];
    int count;
} idx = { .lock = PTHREAD_MUTEX_INITIALIZER };

static unsigned hash(const char *s)
{
    unsigned h = 5381;
    while (*s)
        h = h * 33 ^ (unsigned char)*s++;
    return h % BUCKETS;
}

int index_find(const char *key)
{
    int slot = -1;
    pthread_mutex_lock(&idx.lock);
    for (struct ent *e = idx.bucket[hash(key)]; e; e = e->next) /* bug: 1, 2 */
        if (strcmp(e->key, key) == 0) {
            slot = e->slot;
            break;
        }
    pthread_mutex_unlock(&idx.lock);
    return slot;
}

void index_enter(const char *key, int slot)
{
    unsigned b = hash(key);
    struct ent *e = calloc(1, sizeof *e);
    if (!e)
        abort();
    strncpy(e->key, key, sizeof e->key - 1);
    e->slot = slot;
    pthread_mutex_lock(&idx.lock);
    e->next = idx.bucket[b];
    idx.bucket[b] = e; /* bug: 3, 4 */
    idx.count++;
    pthread_mutex_unlock(&idx.lock);
}

int index_count(void)
{
    int n;
    pthread_mutex_lock(&idx.lock);
    n = idx.count;
    pthread_mutex_unlock(&idx.lock);
    return n;
}
