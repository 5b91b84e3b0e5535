/*
 * sim-barrier.c - heat diffusion on a rod in lock step.
 *
 * Each part of the rod has a thread.  After every step the parts meet at a
 * home-made barrier; the outer parts then report to main, which works out the
 * drive of the next step and feeds it to the parts.  Barrier waiters go by the
 * arrival counter, which the last one resets to zero.  If an outer part is fed
 * again and arrives at the next barrier before the inner one has woken up, the
 * counter is non-zero again: the inner one sleeps on, and the next barrier is
 * never complete.
 *
 * validate:
 *   kind: missed-signal
 *   variable: b->count, b->cv
 *   threads: 4
 *   fails-by: deadlock
 *   rare: no
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#define PARTS 3
#define CELLS 10
#define STEPS 4

struct barrier {
    pthread_mutex_t mu;
    pthread_cond_t  cv;
    int             parties;
    int             count;
#ifdef FIXED
    int             round;
#endif
};

static struct barrier meet = {
    .mu = PTHREAD_MUTEX_INITIALIZER, .cv = PTHREAD_COND_INITIALIZER, .parties = PARTS
};
static sem_t fed[PARTS], edge_ready;
static int drive[PARTS];
static int heat[2][PARTS * CELLS + 2];

static void barrier_wait(struct barrier *b)
{
    pthread_mutex_lock(&b->mu);
    if (++b->count == b->parties) { /* bug: 2 */
        b->count = 0; /* bug: 1 */
#ifdef FIXED
        b->round++;
#endif
        pthread_cond_broadcast(&b->cv);
    } else {
#ifdef FIXED
        int round = b->round;
        while (b->round == round)
#else
        while (b->count != 0) /* bug: 3 */
#endif
            pthread_cond_wait(&b->cv, &b->mu); /* bug: 4 */
    }
    pthread_mutex_unlock(&b->mu);
}

static void *part(void *arg)
{
    int me = *(int *)arg;
    int lo = 1 + me * CELLS, hi = lo + CELLS;

    for (int step = 0; step < STEPS; step++) {
        const int *from = heat[step & 1];
        int *to = heat[~step & 1];

        sem_wait(&fed[me]);
        for (int i = lo; i < hi; i++)
            to[i] = (from[i - 1] + 2 * from[i] + from[i + 1]) / 4;
        to[lo] += drive[me];
        barrier_wait(&meet);
        if (me == 0 || me == PARTS - 1)
            sem_post(&edge_ready);
    }
    return NULL;
}

int main(void)
{
    static int no[PARTS] = { 0, 1, 2 };
    pthread_t t[PARTS];
    long sum = 0;
    int edges = 0;

    heat[0][15] = 4096;
    sem_init(&edge_ready, 0, 0);
    for (int i = 0; i < PARTS; i++) {
        sem_init(&fed[i], 0, 0);
        pthread_create(&t[i], NULL, part, &no[i]);
    }
    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < PARTS; i++) {
            drive[i] = step * 3 + i + edges / 64;
            sem_post(&fed[i]);
        }
        sem_wait(&edge_ready);
        sem_wait(&edge_ready);
        edges = heat[~step & 1][1] + heat[~step & 1][PARTS * CELLS];
    }
    for (int i = 0; i < PARTS; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < PARTS * CELLS + 2; i++)
        sum += heat[STEPS & 1][i];
    printf("total heat %ld\n", sum);
    return 0;
}
