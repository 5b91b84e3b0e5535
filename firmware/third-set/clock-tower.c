/*
 * A clock tower is set by its keeper; passers-by read the time. A sequence
 * lock keeps them from seeing the hands half moved.
 *
 * Bug: the reader checks that the sequence number did not change, but not that
 * it was even. A reader who comes and goes while the keeper is at work sees
 * the same odd number twice.
 *
 * validate:
 *   kind: lock-free
 *   variable: tower.sequence, tower.hour, tower.minute
 *   threads: 8
 *   fails-by: exit code
 *   rare: no
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define PASSERS 6

static struct {
    atomic_uint sequence;       /* odd while the hands move */
    atomic_int hour;
    atomic_int minute;          /* always five times the hour, to keep it simple */
} tower;

struct hands {
    int hour, minute;
};

static void set_clock(int hour)
{
    atomic_fetch_add(&tower.sequence, 1);                   /* bug: 1 */
    atomic_store(&tower.hour, hour);                        /* bug: 2 */
    atomic_store(&tower.minute, hour * 5);                  /* bug: 7 */
    atomic_fetch_add(&tower.sequence, 1);
}

static struct hands read_clock(void)
{
    struct hands h;
    unsigned before, after;

    do {
        before = atomic_load(&tower.sequence);              /* bug: 3 */
        h.hour = atomic_load(&tower.hour);                  /* bug: 4 */
        h.minute = atomic_load(&tower.minute);              /* bug: 5 */
        after = atomic_load(&tower.sequence);               /* bug: 6 */
#ifdef FIXED
    } while (before != after || before % 2 != 0);
#else
    } while (before != after);                              /* bug */
#endif
    return h;
}

static pthread_barrier_t dawn;

static void *keeper(void *arg)
{
    pthread_barrier_wait(&dawn);
    for (int hour = 1; hour <= 8; hour++)
        set_clock(hour);
    return arg;
}

static void *passer_by(void *arg)
{
    int *puzzled = arg;

    pthread_barrier_wait(&dawn);
    for (int i = 0; i < 3; i++) {
        struct hands h = read_clock();

        if (h.minute != h.hour * 5)
            ++*puzzled;
    }
    return NULL;
}

int main(void)
{
    pthread_t k, p[PASSERS];
    int puzzled[PASSERS] = { 0 }, sum = 0;

    pthread_barrier_init(&dawn, NULL, PASSERS + 1);
    pthread_create(&k, NULL, keeper, NULL);
    for (int i = 0; i < PASSERS; i++)
        pthread_create(&p[i], NULL, passer_by, &puzzled[i]);
    pthread_join(k, NULL);
    for (int i = 0; i < PASSERS; i++) {
        pthread_join(p[i], NULL);
        sum += puzzled[i];
    }
    printf("%d times puzzled\n", sum);
    return sum != 0;
}
