/* A queue of jobs on the lists of sys/queue.h, with workers. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/queue.h>

struct job {
    int number;
    TAILQ_ENTRY(job) link;
};

struct result {
    int value;
    SLIST_ENTRY(result) link;
};

TAILQ_HEAD(job_queue, job);
SLIST_HEAD(result_list, result);

static struct job_queue jobs = TAILQ_HEAD_INITIALIZER(jobs);
static struct result_list results = SLIST_HEAD_INITIALIZER(results);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int closed;

static void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    for (;;) {
        while (TAILQ_EMPTY(&jobs) && !closed)
            pthread_cond_wait(&more, &lock);
        struct job *job = TAILQ_FIRST(&jobs);
        if (!job)
            break;
        TAILQ_REMOVE(&jobs, job, link);
        pthread_mutex_unlock(&lock);
        struct result *r = malloc(sizeof *r);
        r->value = job->number * job->number;
        free(job);
        pthread_mutex_lock(&lock);
        SLIST_INSERT_HEAD(&results, r, link);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 1; i <= 12; i++) {
        struct job *job = malloc(sizeof *job);
        job->number = i;
        pthread_mutex_lock(&lock);
        if (i % 3)
            TAILQ_INSERT_TAIL(&jobs, job, link);
        else
            TAILQ_INSERT_HEAD(&jobs, job, link);
        pthread_cond_signal(&more);
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    closed = 1;
    pthread_cond_broadcast(&more);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    int count = 0, sum = 0;
    while (!SLIST_EMPTY(&results)) {
        struct result *r = SLIST_FIRST(&results);
        SLIST_REMOVE_HEAD(&results, link);
        count++;
        sum += r->value;
        free(r);
    }
    printf("%d results, sum %d\n", count, sum);

    struct job a = {1}, b = {2}, c = {3}, *j;
    TAILQ_INSERT_TAIL(&jobs, &a, link);
    TAILQ_INSERT_AFTER(&jobs, &a, &c, link);
    TAILQ_INSERT_BEFORE(&c, &b, link);
    TAILQ_FOREACH(j, &jobs, link) printf("%d ", j->number);
    TAILQ_FOREACH_REVERSE(j, &jobs, job_queue, link) printf("%d ", j->number);
    printf("%d\n", TAILQ_LAST(&jobs, job_queue)->number);
    return 0;
}
