/*
 * Square dance: four dancers do three figures and meet in the middle after
 * each. The meeting is a barrier made of a mutex and a condition variable.
 *
 * Bug: the barrier has no number of the round. The last dancer sets the count
 * to zero and wakes the others, but a quick one can arrive at the next meeting
 * and count up again before a slow one has seen the zero; the slow one goes
 * back to sleep and is missing in the next round.
 *
 * validate:
 *   kind: missed-signal
 *   variable: middle.here, middle.all_here
 *   threads: 5
 *   fails-by: deadlock
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define DANCERS 4
#define FIGURES 3

struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t all_here;
    int here;
#ifdef FIXED
    int round;
#endif
};

static struct meeting middle = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .all_here = PTHREAD_COND_INITIALIZER,
};

static void meet(struct meeting *m)
{
    pthread_mutex_lock(&m->lock);
#ifdef FIXED
    int round = m->round;
#endif
    m->here++;                                          /* bug: 2 */
    if (m->here == DANCERS) {
        m->here = 0;                                    /* bug: 1 */
#ifdef FIXED
        m->round++;
#endif
        pthread_cond_broadcast(&m->all_here);
    } else {
#ifdef FIXED
        while (m->round == round)
#else
        while (m->here != 0)                            /* bug: 3 */
#endif
            pthread_cond_wait(&m->all_here, &m->lock);  /* bug */
    }
    pthread_mutex_unlock(&m->lock);
}

static void swing(int turns)
{
    for (volatile int i = 0; i < turns; i++)
        ;
}

static int steps[DANCERS][FIGURES];

static void *dancer(void *arg)
{
    int *mine = arg;

    for (int f = 0; f < FIGURES; f++) {
        for (int i = 0; i <= f; i++)
            mine[f] += i + 1;
        swing(150);
        meet(&middle);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[DANCERS];
    int sum = 0;

    for (int i = 0; i < DANCERS; i++)
        pthread_create(&t[i], NULL, dancer, steps[i]);
    for (int i = 0; i < DANCERS; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < DANCERS; i++)
        for (int f = 0; f < FIGURES; f++)
            sum += steps[i][f];
    assert(sum == DANCERS * (1 + 3 + 6));
    printf("%d steps\n", sum);
    return 0;
}
