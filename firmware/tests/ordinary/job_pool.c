/* A pool of threads with a list of jobs from sys/queue.h; main ends without a return. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/queue.h>
#include <unistd.h>

struct job {
    void (*run)(void *);
    void *argument;
    TAILQ_ENTRY(job) link;
};
TAILQ_HEAD(job_list, job);

static struct pool {
    struct job_list jobs;
    pthread_mutex_t lock;
    pthread_cond_t work, idle;
    bool stop;
    int busy, count;
    pthread_t *threads;
} pool = {.count = 3};

static uint64_t results[16];

static void *serve(void *argument) {
    struct pool *p = argument;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        struct job *job;
        while (!(job = TAILQ_FIRST(&p->jobs)) && !p->stop) pthread_cond_wait(&p->work, &p->lock);
        if (!job) break;
        TAILQ_REMOVE(&p->jobs, job, link);
        p->busy++;
        pthread_mutex_unlock(&p->lock);
        job->run(job->argument);
        free(job);
        pthread_mutex_lock(&p->lock);
        if (--p->busy == 0 && TAILQ_EMPTY(&p->jobs)) pthread_cond_broadcast(&p->idle);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static void add(struct pool *p, void (*run)(void *), void *argument) {
    struct job *job = calloc(1, sizeof *job);
    job->run = run;
    job->argument = argument;
    pthread_mutex_lock(&p->lock);
    TAILQ_INSERT_TAIL(&p->jobs, job, link);
    pthread_cond_signal(&p->work);
    pthread_mutex_unlock(&p->lock);
}

static void fibonacci(void *argument) {
    uintptr_t n = (uintptr_t)argument;
    uint64_t x = 0, y = 1;
    for (uintptr_t i = 0; i < n * 5; i++) {
        uint64_t sum = x + y;
        x = y;
        y = sum;
    }
    results[n] = x;
}

int main(void) {
    if (sysconf(_SC_NPROCESSORS_ONLN) < 1) return 1;
    TAILQ_INIT(&pool.jobs);
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.work, NULL);
    pthread_cond_init(&pool.idle, NULL);
    pool.threads = reallocarray(NULL, pool.count, sizeof *pool.threads);
    for (int i = 0; i < pool.count; i++) pthread_create(&pool.threads[i], NULL, serve, &pool);
    for (uintptr_t i = 0; i < 16; i++) add(&pool, fibonacci, (void *)i);
    pthread_mutex_lock(&pool.lock);
    while (pool.busy || !TAILQ_EMPTY(&pool.jobs)) pthread_cond_wait(&pool.idle, &pool.lock);
    pool.stop = true;
    pthread_cond_broadcast(&pool.work);
    pthread_mutex_unlock(&pool.lock);
    for (int i = 0; i < pool.count; i++) pthread_join(pool.threads[i], NULL);
    for (int i = 0; i < 16; i++) printf("%2d: %" PRIu64 "\n", i, results[i]);
    free(pool.threads);
}
