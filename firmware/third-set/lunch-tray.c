/*
 * A cook and two guests with one tray between them: producer and consumers
 * with a buffer of one and, to keep it simple, one condition variable.
 *
 * Bug: a guest who has emptied the tray signals one waiter, and that may be
 * the other guest instead of the cook. It finds the tray empty and sleeps
 * again; the signal is gone and the cook sleeps, too.
 *
 * validate:
 *   kind: missed-signal
 *   variable: changed, tray
 *   threads: 4
 *   fails-by: deadlock
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>

#define GUESTS 2
#define COURSES 2
#define EMPTY 0

#ifdef FIXED
#define WAKE(c) pthread_cond_broadcast(c)
#else
#define WAKE(c) pthread_cond_signal(c)
#endif

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int tray = EMPTY;
int cooked, eaten;

void *cook(void *arg)
{
    for (int n = 1; n <= GUESTS * COURSES; n++) {
        for (volatile int heat = 0; heat < 20; heat++)
            ;
        pthread_mutex_lock(&mutex);
        while (tray != EMPTY)
            pthread_cond_wait(&changed, &mutex);    /* bug: 2 */
        tray = n;
        cooked += n;
        WAKE(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

void *guest(void *arg)
{
    for (int n = 1; n <= COURSES; n++) {
        pthread_mutex_lock(&mutex);
        while (tray == EMPTY)
            pthread_cond_wait(&changed, &mutex);    /* bug: 1 */
        eaten += tray;
        tray = EMPTY;                               /* bug */
        WAKE(&changed);                             /* bug: 3 */
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

int main(void)
{
    pthread_t c, g[GUESTS];

    for (int i = 0; i < GUESTS; i++)
        pthread_create(&g[i], NULL, guest, NULL);
    pthread_create(&c, NULL, cook, NULL);
    pthread_join(c, NULL);
    for (int i = 0; i < GUESTS; i++)
        pthread_join(g[i], NULL);
    printf("cooked %d, eaten %d\n", cooked, eaten);
    return cooked == eaten ? 0 : 1;
}
