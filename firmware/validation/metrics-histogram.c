/*
 * metrics-histogram.c
 *
 * A latency histogram of a metrics registry, lock-free: one atomic counter a
 * bucket plus an atomic total.  Each is exact by itself, but the scraper reads
 * them one after the other while ten request threads keep counting, so what it
 * exports does not add up (the consumer rejects such an export).
 *
 * validate:
 *   kind: several-variables
 *   variable: h->bucket[], h->total
 *   threads: 12
 *   fails-by: exit
 *   rare: no
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define NB 4
#define NREQ 10

struct histogram {
    const char *name;
    atomic_uint bucket[NB];
    atomic_uint total;
#ifdef FIXED
    pthread_mutex_t lock;
#endif
};

static struct histogram latency = {
    .name = "latency_ms",
#ifdef FIXED
    .lock = PTHREAD_MUTEX_INITIALIZER,
#endif
};

#ifdef FIXED
#define H_LOCK(h)   pthread_mutex_lock(&(h)->lock)
#define H_UNLOCK(h) pthread_mutex_unlock(&(h)->lock)
#else
#define H_LOCK(h)   ((void)0)
#define H_UNLOCK(h) ((void)0)
#endif

static int bucket_of(unsigned v)
{
    static const unsigned bound[NB - 1] = { 5, 20, 80 };
    int i = 0;
    while (i < NB - 1 && v > bound[i])
        i++;
    return i;
}

static void h_observe(struct histogram *h, unsigned v)
{
    int b = bucket_of(v);
    H_LOCK(h);
    atomic_fetch_add(&h->bucket[b], 1); /* bug: 1 */
    atomic_fetch_add(&h->total, 1); /* bug: 4 */
    H_UNLOCK(h);
}

/* 0 if the export adds up */
static int h_export(struct histogram *h)
{
    unsigned sum = 0, total;
    H_LOCK(h);
    for (int i = 0; i < NB; i++)
        sum += atomic_load(&h->bucket[i]); /* bug: 2 */
    total = atomic_load(&h->total); /* bug: 3 */
    H_UNLOCK(h);
    return sum != total;
}

static void *request(void *arg)
{
    unsigned v = (unsigned)(long)arg;
    for (int i = 0; i < 4; i++)
        h_observe(&latency, (v * 29 + (unsigned)i * 17) % 100);
    return NULL;
}

static void *scraper(void *arg)
{
    long bad = 0;
    (void)arg;
    for (int i = 0; i < 3; i++)
        bad += h_export(&latency);
    return (void *)bad;
}

int main(void)
{
    pthread_t r[NREQ], s;
    void *bad;

    for (long i = 0; i < NREQ; i++) {
        if (i == NREQ - 4)
            pthread_create(&s, NULL, scraper, NULL);
        pthread_create(&r[i], NULL, request, (void *)i);
    }
    for (int i = 0; i < NREQ; i++)
        pthread_join(r[i], NULL);
    pthread_join(s, &bad);
    printf("%s: %u observations, %ld bad exports\n", latency.name,
           atomic_load(&latency.total), (long)bad);
    if (h_export(&latency) || atomic_load(&latency.total) != NREQ * 4)
        return 2;
    return bad != NULL;
}
