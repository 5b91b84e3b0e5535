/*
 * A renderer with a thread pool for each frame. Workers take jobs from a list
 * and sleep while it is empty; at the end of the frame the pool is told to
 * stop, and the workers go home when the list is empty.
 *
 * Bug: pool_stop() sets the flag and wakes everybody without the lock. A
 * worker that has seen the flag unset but does not sleep yet misses the call
 * and then sleeps for ever.
 *
 * validate:
 *   kind: missed-signal
 *   variable: pool->stopping, pool->wake
 *   threads: 4
 *   fails-by: deadlock
 *   rare: yes
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define WORKERS 3
#define JOBS 4
#define FRAMES 4

struct job {
    struct job *next;
    void (*run)(unsigned *argument);
    unsigned *argument;
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct job *jobs;
    atomic_bool stopping;
    int done;
    pthread_t workers[WORKERS];
};

static void square(unsigned *argument)
{
    *argument *= *argument;
}

static void *worker(void *arg)
{
    struct pool *p = arg;

    for (;;) {
        struct job *j;

        pthread_mutex_lock(&p->lock);
        while (!p->jobs && !atomic_load(&p->stopping))    /* bug: 1 */
            pthread_cond_wait(&p->wake, &p->lock);      /* bug: 4 */
        j = p->jobs;
        if (j)
            p->jobs = j->next;
        pthread_mutex_unlock(&p->lock);
        if (!j)
            return NULL;
        j->run(j->argument);
        free(j);
        pthread_mutex_lock(&p->lock);
        p->done++;
        pthread_mutex_unlock(&p->lock);
    }
}

static struct pool *pool_new(void)
{
    struct pool *p = calloc(1, sizeof *p);

    if (!p)
        abort();
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->wake, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&p->workers[i], NULL, worker, p);
    return p;
}

static void pool_submit(struct pool *p, void (*run)(unsigned *), unsigned *argument)
{
    struct job *j = malloc(sizeof *j);

    if (!j)
        abort();
    j->run = run;
    j->argument = argument;
    pthread_mutex_lock(&p->lock);
    j->next = p->jobs;
    p->jobs = j;
    pthread_cond_signal(&p->wake);
    pthread_mutex_unlock(&p->lock);
}

static int pool_stop(struct pool *p)
{
    int done;

#ifdef FIXED
    pthread_mutex_lock(&p->lock);
    atomic_store(&p->stopping, 1);
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->lock);
#else
    atomic_store(&p->stopping, 1);              /* bug: 2 */
    pthread_cond_broadcast(&p->wake);           /* bug: 3 */
#endif
    for (int i = 0; i < WORKERS; i++)
        pthread_join(p->workers[i], NULL);
    done = p->done;
    free(p);
    return done;
}

int main(void)
{
    unsigned numbers[JOBS], sum = 0;
    int done = 0;

    for (int frame = 0; frame < FRAMES; frame++) {
        struct pool *p = pool_new();

        for (unsigned i = 0; i < JOBS; i++) {
            numbers[i] = i + 1;
            pool_submit(p, square, &numbers[i]);
        }
        done += pool_stop(p);
        for (int i = 0; i < JOBS; i++)
            sum += numbers[i];
    }
    printf("%d jobs, sum %u\n", done, sum);
    return done == FRAMES * JOBS && sum == FRAMES * 30 ? 0 : 1;
}
