/*
 * catalog-import: importers (one for each volume, volume after volume) number
 * articles and hand them to an indexer.
 *
 * An importer keeps the catalog lock from numbering an article until it is in
 * the hand-over queue, so that articles arrive in order.  The queue is bounded
 * (semaphores).  When it is full the importer sleeps with the catalog lock
 * held, and the indexer, which needs the lock to book the article it has
 * taken, never makes room again.  The queue holds almost everything, so that
 * the indexer has to be far behind for this.
 *
 * validate:
 *   kind: deadlock
 *   variable: cat.lock, q.slots
 *   threads: 4
 *   fails-by: deadlock
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#define QCAP 8
#define IMPORTERS 2
#define PER_IMPORTER 5
#define TOTAL (IMPORTERS * PER_IMPORTER)

struct article { int no; int weight; };

static struct {
    sem_t slots, items;
    struct article ring[QCAP];
    unsigned put, get;
} q;

static struct {
    pthread_mutex_t lock;
    int last_no;
    int booked;
    long weight;
} cat = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void q_push(struct article a)
{
#ifndef FIXED
    sem_wait(&q.slots); /* bug: 2 */
#endif
    q.ring[q.put++ % QCAP] = a;     /* pushers hold cat.lock */
    sem_post(&q.items);
}

static struct article q_pop(void)
{
    struct article a;
    sem_wait(&q.items);
    a = q.ring[q.get++ % QCAP];
    return a;
}

static void q_pop_done(void)
{
    sem_post(&q.slots);
}

static int parse_weight(int raw)
{
    volatile int w = raw;
    for (int k = 0; k < 40; k++)
        w = (w * 13 + k) % 997;
    return w;
}

static void *importer(void *arg)
{
    int base = *(int *)arg;
    for (int i = 0; i < PER_IMPORTER; i++) {
        struct article a = { 0, parse_weight(base + i) };
#ifdef FIXED
        sem_wait(&q.slots);         /* reserve the place first */
#endif
        pthread_mutex_lock(&cat.lock); /* bug: 1 */
        a.no = ++cat.last_no;
        q_push(a);
        pthread_mutex_unlock(&cat.lock);
    }
    return NULL;
}

static void *indexer(void *arg)
{
    (void)arg;
    for (int n = 1; n <= TOTAL; n++) {
        struct article a = q_pop();
        assert(a.no == n);
        pthread_mutex_lock(&cat.lock); /* bug: 3 */
        cat.booked++;
        cat.weight += a.weight;
        pthread_mutex_unlock(&cat.lock);
        q_pop_done();
    }
    return NULL;
}

int main(void)
{
    static int base[IMPORTERS] = { 10, 300 };
    pthread_t im[IMPORTERS], ix;

    sem_init(&q.slots, 0, QCAP);
    sem_init(&q.items, 0, 0);
    pthread_create(&ix, NULL, indexer, NULL);
    for (int i = 0; i < IMPORTERS; i++) {
        pthread_create(&im[i], NULL, importer, &base[i]);
        pthread_join(im[i], NULL);      /* volumes in order */
    }
    pthread_join(ix, NULL);
    printf("%d articles, weight %ld\n", cat.booked, cat.weight);
    return cat.booked == TOTAL ? 0 : 1;
}
