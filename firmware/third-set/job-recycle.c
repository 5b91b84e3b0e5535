/*
 * A server hands slow work to a helper and waits for each job. Jobs come from
 * a list of spare ones and go back there as soon as the server has the answer.
 *
 * Bug: the helper announces that the job is done, counts it, and only then
 * writes its own name into it. By then the server may have given the job back and filled it
 * again for the next request, whose key is overwritten.
 *
 * validate:
 *   kind: lifetime
 *   variable: job->scratch
 *   threads: 3
 *   fails-by: assertion
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define REQUESTS 5
#define HELPERS 2

struct job {
    struct job *next;
    pthread_mutex_t lock;
    pthread_cond_t finished;
    int done;
    unsigned scratch;           /* in: the key; later: who did it */
    unsigned check;             /* the same key, for the assertion */
    unsigned answer;
};

static struct {
    pthread_mutex_t lock;
    struct job *first;
    int made;
    int served;
} spare = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    struct job *first;
    int closed;
} queue = { .lock = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER };

static struct job *job_get(unsigned key)
{
    struct job *j;

    pthread_mutex_lock(&spare.lock);
    j = spare.first;
    if (j)
        spare.first = j->next;
    else
        spare.made++;
    pthread_mutex_unlock(&spare.lock);
    if (!j) {
        j = calloc(1, sizeof *j);
        if (!j)
            abort();
        pthread_mutex_init(&j->lock, NULL);
        pthread_cond_init(&j->finished, NULL);
    }
    j->done = 0;
    j->scratch = j->check = key;                /* bug: 2 */
    return j;
}

static void job_put(struct job *j)
{
    pthread_mutex_lock(&spare.lock);
    j->next = spare.first;
    spare.first = j;
    pthread_mutex_unlock(&spare.lock);
}

static void submit(struct job *j)
{
    pthread_mutex_lock(&queue.lock);
    if (j) {
        j->next = queue.first;
        queue.first = j;
    } else {
        queue.closed = 1;
    }
    pthread_cond_broadcast(&queue.filled);
    pthread_mutex_unlock(&queue.lock);
}

static unsigned job_wait(struct job *j)
{
    unsigned answer;

    pthread_mutex_lock(&j->lock);
    while (!j->done)
        pthread_cond_wait(&j->finished, &j->lock);
    answer = j->answer;
    pthread_mutex_unlock(&j->lock);
    return answer;
}

static void *helper(void *arg)
{
    unsigned name = *(unsigned *)arg;

    for (;;) {
        struct job *j;

        pthread_mutex_lock(&queue.lock);
        while (!queue.first && !queue.closed)
            pthread_cond_wait(&queue.filled, &queue.lock);
        j = queue.first;
        if (j)
            queue.first = j->next;
        pthread_mutex_unlock(&queue.lock);
        if (!j)
            return NULL;

        unsigned key = j->scratch;              /* bug: 4 */

        assert(key == j->check);                /* bug */
        pthread_mutex_lock(&j->lock);
        j->answer = key * key;
#ifdef FIXED
        j->scratch = name;
#endif
        j->done = 1;                            /* bug: 1 */
        pthread_cond_signal(&j->finished);
        pthread_mutex_unlock(&j->lock);
        pthread_mutex_lock(&spare.lock);
        spare.served++;
        pthread_mutex_unlock(&spare.lock);
#ifndef FIXED
        j->scratch = name;                      /* bug: 3 */
#endif
    }
}

int main(void)
{
    pthread_t helpers[HELPERS];
    unsigned names[HELPERS] = { 900, 901 }, sum = 0;

    for (int i = 0; i < HELPERS; i++)
        pthread_create(&helpers[i], NULL, helper, &names[i]);
    for (unsigned i = 1; i <= REQUESTS; i++) {
        struct job *j = job_get(i);

        submit(j);
        sum += job_wait(j);
        job_put(j);
    }
    submit(NULL);
    for (int i = 0; i < HELPERS; i++)
        pthread_join(helpers[i], NULL);
    printf("sum %u, %d jobs made, %d served\n", sum, spare.made, spare.served);
    while (spare.first) {
        struct job *j = spare.first;

        spare.first = j->next;
        free(j);
    }
    return sum == 55 ? 0 : 1;
}
