/*
 * Parcels on a belt: two loaders, four pickers, a belt with a few places.
 *
 * Bug: the picker tests for an empty belt with `if` instead of `while`.  A
 * loader's broadcast wakes several pickers, and one that comes second finds
 * the belt empty again but takes a parcel nevertheless.
 *
 * validate:
 *   kind: missed-signal
 *   variable: belt.count, belt.not_empty
 *   threads: 7
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define PLACES  4
#define LOADERS 2
#define PICKERS 4
#define PER_LOADER 8
#define PER_PICKER (LOADERS * PER_LOADER / PICKERS)

typedef struct belt {
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
    int parcel[PLACES];
    int first, count;
} belt_t;

static belt_t belt = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .not_empty = PTHREAD_COND_INITIALIZER,
    .not_full = PTHREAD_COND_INITIALIZER,
};

static void load(int p)
{
    pthread_mutex_lock(&belt.lock);
    while (belt.count == PLACES)
        pthread_cond_wait(&belt.not_full, &belt.lock);
    belt.parcel[(belt.first + belt.count) % PLACES] = p;
    belt.count++;                                           /* bug: 3 */
    pthread_cond_broadcast(&belt.not_empty);                /* bug: 4 */
    pthread_mutex_unlock(&belt.lock);
}

static int pick(void)
{
    int p;

    pthread_mutex_lock(&belt.lock);
#ifdef FIXED
    while (belt.count == 0)
#else
    if (belt.count == 0)                                    /* bug: 1 */
#endif
        pthread_cond_wait(&belt.not_empty, &belt.lock);     /* bug: 2 */
    assert(belt.count > 0);                                 /* bug: 6 */
    p = belt.parcel[belt.first];
    belt.first = (belt.first + 1) % PLACES;
    belt.count--;                                           /* bug: 5 */
    pthread_cond_broadcast(&belt.not_full);
    pthread_mutex_unlock(&belt.lock);
    return p;
}

static void *loader(void *arg)
{
    int base = *(int *)arg;

    for (int i = 1; i <= PER_LOADER; i++)
        load(base + i);
    return NULL;
}

static void *picker(void *arg)
{
    long *sum = arg;

    for (int i = 0; i < PER_PICKER; i++)
        *sum += pick();
    return NULL;
}

int main(void)
{
    pthread_t l[LOADERS], p[PICKERS];
    int base[LOADERS] = { 0, 100 };
    long sum[PICKERS] = { 0 }, total = 0;

    for (int i = 0; i < LOADERS; i++)
        pthread_create(&l[i], NULL, loader, &base[i]);
    for (int i = 0; i < PICKERS; i++)
        pthread_create(&p[i], NULL, picker, &sum[i]);
    for (int i = 0; i < LOADERS; i++)
        pthread_join(l[i], NULL);
    for (int i = 0; i < PICKERS; i++) {
        pthread_join(p[i], NULL);
        total += sum[i];
    }
    printf("total %ld\n", total);
    assert(total == 36 + 836);
    return 0;
}
