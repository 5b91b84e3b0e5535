/* relay-race.c
 *
 * Four runners in a relay.  Each waits for the baton, runs and hands it to
 * the next one.
 *
 * Bug: pass_baton() signals the next runner, and sets `has_baton` after that
 * in a second critical section.  A runner who is woken (or arrives) in
 * between sees no baton, goes to sleep and gets no other signal.
 *
 * validate:
 *   kind: missed-signal
 *   variable: next->has_baton, next->go
 *   threads: 5
 *   fails-by: deadlock
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>

#define RUNNERS 4
#define METRES  100

typedef struct runner {
    pthread_mutex_t lock;
    pthread_cond_t go;
    int has_baton;
    int distance;
    struct runner *next;
} runner;

static runner team[RUNNERS];

static void pass_baton(runner *next)
{
#ifdef FIXED
    pthread_mutex_lock(&next->lock);
    next->has_baton = 1;
    pthread_cond_signal(&next->go);
    pthread_mutex_unlock(&next->lock);
#else
    pthread_mutex_lock(&next->lock);
    pthread_cond_signal(&next->go);             /* bug: 1 */
    pthread_mutex_unlock(&next->lock);

    pthread_mutex_lock(&next->lock);
    next->has_baton = 1;                        /* bug: 4 */
    pthread_mutex_unlock(&next->lock);
#endif
}

static void await_baton(runner *me)
{
    pthread_mutex_lock(&me->lock);
    while (!me->has_baton)                      /* bug: 2 */
        pthread_cond_wait(&me->go, &me->lock);  /* bug: 3 */
    me->has_baton = 0;
    pthread_mutex_unlock(&me->lock);
}

static void *run(void *arg)
{
    runner *me = arg;

    await_baton(me);
    for (int m = 0; m < METRES; m += 10)
        me->distance += 10;
    if (me->next != NULL)               /* else: finish */
        pass_baton(me->next);
    return NULL;
}

int main(void)
{
    pthread_t tid[RUNNERS];
    int total = 0;

    for (int i = 0; i < RUNNERS; i++) {
        pthread_mutex_init(&team[i].lock, NULL);
        pthread_cond_init(&team[i].go, NULL);
        team[i].next = i + 1 < RUNNERS ? &team[i + 1] : NULL;
    }
    team[0].has_baton = 1;                      /* the starter */
    for (int i = 0; i < RUNNERS; i++)
        pthread_create(&tid[i], NULL, run, &team[i]);
    for (int i = 0; i < RUNNERS; i++) {
        pthread_join(tid[i], NULL);
        total += team[i].distance;
    }
    printf("%d m\n", total);
    return total == RUNNERS * METRES ? 0 : 1;
}
