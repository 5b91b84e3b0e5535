/*
 * queue-depth-gauge.c: open requests and their high water mark, C11 atomics.
 *
 * The bug: raising the mark is a load followed by a store.  A thread that
 * compared with an old mark may overwrite a larger value that another thread
 * stored in the meantime; the larger mark is lost.
 *
 * validate:
 *   kind: lost-update
 *   variable: high_water
 *   threads: 5
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int open_now, high_water;

static void raise_mark(int v)
{
#ifdef FIXED
    int old = atomic_load(&high_water);
    while (v > old && !atomic_compare_exchange_weak(&high_water, &old, v))
        ;
#else
    if (v > atomic_load(&high_water))           /* bug: 1, 2 */
        atomic_store(&high_water, v);           /* bug: 3, 4 */
#endif
}

/* arg: sizes of the bursts, 0 at the end, where it leaves the most it has seen */
static void *worker(void *arg)
{
    int best = 0, *b;

    for (b = arg; *b; b++) {
        int level = atomic_fetch_add(&open_now, *b) + *b;
        if (level > best)
            best = level;
        raise_mark(level);
        atomic_fetch_sub(&open_now, *b);
    }
    *b = best;
    return NULL;
}

int main(void)
{
    int burst[4][7] = { { 1, 4, 2, 7, 3, 1 }, { 2, 2, 6, 1, 5, 2 },
                        { 9, 1, 1, 3, 4, 8 }, { 3, 5, 2, 2, 1, 6 } };
    pthread_t t[4];
    int best = 0;

    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, worker, burst[i]);
    for (int i = 0; i < 4; i++) {
        pthread_join(t[i], NULL);
        if (burst[i][6] > best)
            best = burst[i][6];
    }
    printf("high water %d, seen %d\n", atomic_load(&high_water), best);
    assert(atomic_load(&high_water) == best);
    return 0;
}
