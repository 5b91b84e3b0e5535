/*
 * An allocator of fixed-size slabs, with statistics: how many slabs are in
 * use, and the most that ever were. The free list has its lock; the numbers
 * are atomic.
 *
 * Bug: the peak is raised by an atomic load, a comparison and an atomic store.
 * A thread that has seen the old peak can overwrite a higher one that another
 * thread stored in between.
 *
 * validate:
 *   kind: lost-update
 *   variable: slabs.peak
 *   threads: 8
 *   fails-by: assertion
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define SLABS 14
#define SLAB_BYTES 24
#define THREADS 7

struct slab {
    struct slab *next;
    unsigned char bytes[SLAB_BYTES];
};

static struct {
    pthread_mutex_t lock;
    struct slab *free;
    struct slab all[SLABS];
    atomic_int in_use;
    atomic_int peak;
    atomic_int requests;
} slabs = { .lock = PTHREAD_MUTEX_INITIALIZER };

static pthread_barrier_t together;

static void slabs_init(void)
{
    for (int i = 0; i < SLABS; i++) {
        slabs.all[i].next = slabs.free;
        slabs.free = &slabs.all[i];
    }
}

static void raise_peak(int used)
{
#ifdef FIXED
    int peak = atomic_load(&slabs.peak);

    while (used > peak && !atomic_compare_exchange_weak(&slabs.peak, &peak, used))
        ;
#else
    if (used > atomic_load(&slabs.peak))        /* bug: 1 */
        atomic_store(&slabs.peak, used);        /* bug: 2, 3 */
#endif
}

static void *slab_alloc(void)
{
    struct slab *s;

    pthread_mutex_lock(&slabs.lock);
    s = slabs.free;
    assert(s);
    slabs.free = s->next;
    pthread_mutex_unlock(&slabs.lock);
    atomic_fetch_add(&slabs.requests, 1);
    raise_peak(atomic_fetch_add(&slabs.in_use, 1) + 1);    /* bug */
    return s->bytes;
}

static void slab_free(void *bytes)
{
    struct slab *s = (struct slab *)((char *)bytes - offsetof(struct slab, bytes));

    atomic_fetch_sub(&slabs.in_use, 1);
    pthread_mutex_lock(&slabs.lock);
    s->next = slabs.free;
    slabs.free = s;
    pthread_mutex_unlock(&slabs.lock);
}

/* Two slabs for each client, all held at the same time: the peak is known. */
static void *client(void *arg)
{
    int byte = *(int *)arg;
    unsigned char *key, *value;

    pthread_barrier_wait(&together);
    key = slab_alloc();
    memset(key, byte, SLAB_BYTES);
    value = slab_alloc();
    memset(value, ~byte, SLAB_BYTES);
    pthread_barrier_wait(&together);
    assert((key[0] ^ value[SLAB_BYTES - 1]) == 0xff);
    slab_free(key);
    slab_free(value);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int bytes[THREADS];

    slabs_init();
    pthread_barrier_init(&together, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        bytes[i] = 0x10 + i;
        pthread_create(&threads[i], NULL, client, &bytes[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("%d requests, peak %d\n", atomic_load(&slabs.requests), atomic_load(&slabs.peak));
    assert(atomic_load(&slabs.in_use) == 0);
    assert(atomic_load(&slabs.peak) == 2 * THREADS);
    return 0;
}
