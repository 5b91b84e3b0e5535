/* printer-queue.c
 *
 * Bounded queue of a print server: two front ends submit, one back end
 * prints.  A submission that finds the queue full is turned down.
 *
 * The full test and the insertion each lock the queue properly, but they are
 * two critical sections: both front ends may find the last place free.
 *
 * validate:
 *   kind: check-then-act
 *   variable: q->count
 *   threads: 4
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#define PQ_MAX 4

struct job { int owner, pages; };

struct pqueue {
    struct job slot[PQ_MAX];
    unsigned head, tail;
    unsigned count;
    bool closed;
    pthread_mutex_t lock;
    pthread_cond_t nonempty;
};

#ifndef FIXED
static bool pq_full(struct pqueue *q)
{
    bool full;
    pthread_mutex_lock(&q->lock);
    full = q->count == PQ_MAX; /* bug: 1, 2 */
    pthread_mutex_unlock(&q->lock);
    return full;
}
#endif

static int pq_submit(struct pqueue *q, struct job j)
{
    int rc = 0;

#ifndef FIXED
    if (pq_full(q))
        return -EAGAIN;
#endif
    pthread_mutex_lock(&q->lock);
#ifdef FIXED
    if (q->count == PQ_MAX) {
        rc = -EAGAIN;
        goto out;
    }
#endif
    assert(q->count < PQ_MAX); /* bug: 4 */
    q->slot[q->tail++ % PQ_MAX] = j;
    q->count++; /* bug: 3 */
    pthread_cond_signal(&q->nonempty);
#ifdef FIXED
out:
#endif
    pthread_mutex_unlock(&q->lock);
    return rc;
}

static bool pq_next(struct pqueue *q, struct job *out)
{
    bool got = false;

    pthread_mutex_lock(&q->lock);
    while (q->count == 0 && !q->closed)
        pthread_cond_wait(&q->nonempty, &q->lock);
    if (q->count > 0) {
        *out = q->slot[q->head++ % PQ_MAX];
        q->count--;
        got = true;
    }
    pthread_mutex_unlock(&q->lock);
    return got;
}

static struct pqueue office = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .nonempty = PTHREAD_COND_INITIALIZER
};
static int accepted[2], printed[2];

static void *front_end(void *arg)
{
    int me = *(int *)arg;
    for (int i = 0; i < 8; i++) {
        struct job j = { me, 1 + (i * 3 + me) % 4 };
        if (pq_submit(&office, j) == 0)
            accepted[me] += j.pages;
    }
    return NULL;
}

static void *back_end(void *arg)
{
    struct job j;
    (void)arg;
    while (pq_next(&office, &j))
        for (int p = 0; p < j.pages; p++)
            printed[j.owner]++;
    return NULL;
}

int main(void)
{
    static int who[2] = { 0, 1 };
    pthread_t fe[2], be;

    pthread_create(&be, NULL, back_end, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&fe[i], NULL, front_end, &who[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(fe[i], NULL);
    pthread_mutex_lock(&office.lock);
    office.closed = true;
    pthread_cond_broadcast(&office.nonempty);
    pthread_mutex_unlock(&office.lock);
    pthread_join(be, NULL);
    printf("pages printed: %d + %d\n", printed[0], printed[1]);
    assert(printed[0] == accepted[0] && printed[1] == accepted[1]);
    return 0;
}
