/*
 * drowsy-pool.c
 *
 * Thread pool for a handful of jobs.  To save system calls the submitter
 * wakes a worker only if one is asleep (`idle` > 0); idle workers sleep on a
 * semaphore.
 *
 * Bug: a worker that finds the queue empty leaves the lock, and counts itself
 * as idle only then.  A job submitted in this gap wakes nobody.  If it is the
 * last thing submitted (the stop mark) while the others are gone or asleep,
 * the pool never ends.
 *
 * validate:
 *   kind: missed-signal
 *   variable: pool.idle, pool.wake
 *   threads: 3
 *   fails-by: deadlock
 *   rare: yes
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#define JOBS 8
#define STOP (-1)

static struct {
    pthread_mutex_t lock;
    int queue[JOBS + 2];
    int head, tail;
    int idle;
    sem_t wake;
} pool = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int next_job(void)
{
    int j;

    for (;;) {
        pthread_mutex_lock(&pool.lock);
        if (pool.head != pool.tail) {                       /* bug: 1 */
            j = pool.queue[pool.head++];
            pthread_mutex_unlock(&pool.lock);
            return j;
        }
#ifndef FIXED
        pthread_mutex_unlock(&pool.lock);
        pthread_mutex_lock(&pool.lock);
#endif
        pool.idle++;                                        /* bug: 4 */
        pthread_mutex_unlock(&pool.lock);
        sem_wait(&pool.wake);                               /* bug: 5 */
    }
}

static void submit(int job)
{
    int wake = 0;

    pthread_mutex_lock(&pool.lock);
    pool.queue[pool.tail++] = job;                          /* bug: 2 */
    if (pool.idle > 0) {                                    /* bug: 3 */
        pool.idle--;
        wake = 1;
    }
    pthread_mutex_unlock(&pool.lock);
    if (wake)
        sem_post(&pool.wake);
}

static void *worker(void *arg)
{
    int *sum = arg;
    int j;

    while ((j = next_job()) != STOP)
        *sum += j * j;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int sum[2] = { 0, 0 };

    sem_init(&pool.wake, 0, 0);
    pthread_create(&t[0], NULL, worker, &sum[0]);
    pthread_create(&t[1], NULL, worker, &sum[1]);
    for (int i = 1; i <= JOBS; i++)
        submit(i);
    submit(STOP);
    submit(STOP);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    sem_destroy(&pool.wake);
    printf("sum %d\n", sum[0] + sum[1]);
    return sum[0] + sum[1] == 204 ? 0 : 1;
}
