/*
 * job-futures.c: thread pool that returns futures.
 *
 * A client submits a batch of jobs, waits for their futures, digests the
 * results and puts the futures back into the pool of futures.  The worker
 * completes a future under its lock and afterwards still notes in it who did
 * the job, for the trace.  By then the client may have put the future back.
 *
 * validate:
 *   kind: lifetime
 *   variable: f->magic, f->done
 *   threads: 5
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#define FUT_LIVE 0xF07u
#define FUT_FREE 0xBADu
#define CLIENTS  2
#define WORKERS  2
#define JOBS_PER_CLIENT 4
#define QLEN 8

typedef struct future {
    atomic_uint     magic;
    pthread_mutex_t mu;
    pthread_cond_t  cv;
    bool            done;
    int             arg, value;
    atomic_int      done_by;
} future_t;

static future_t futures[CLIENTS * JOBS_PER_CLIENT];
static atomic_int next_future;

static struct {
    pthread_mutex_t mu;
    pthread_cond_t  cv;
    future_t       *q[QLEN];
    int             head, tail;
    bool            closing;
} pool = { .mu = PTHREAD_MUTEX_INITIALIZER, .cv = PTHREAD_COND_INITIALIZER };

static future_t *submit(int arg)
{
    future_t *f = &futures[atomic_fetch_add(&next_future, 1)];
    pthread_mutex_init(&f->mu, NULL);
    pthread_cond_init(&f->cv, NULL);
    f->arg = arg;
    atomic_store(&f->magic, FUT_LIVE);

    pthread_mutex_lock(&pool.mu);
    pool.q[pool.tail++ % QLEN] = f;
    pthread_cond_signal(&pool.cv);
    pthread_mutex_unlock(&pool.mu);
    return f;
}

static int await(future_t *f)
{
    int v;
    pthread_mutex_lock(&f->mu);
    while (!f->done) /* bug: 2 */
        pthread_cond_wait(&f->cv, &f->mu);
    v = f->value;
    pthread_mutex_unlock(&f->mu);
    return v;
}

static void release(future_t *f)
{
    atomic_store(&f->magic, FUT_FREE); /* bug: 3 */
}

static int digest(int v)
{
    volatile int d = v;
    for (int i = 0; i < 400; i++)
        d = (d * 7 + i) % 10007;
    return d;
}

static void note_worker(future_t *f, int worker)
{
    assert(atomic_load(&f->magic) == FUT_LIVE); /* bug: 4 */
    atomic_store(&f->done_by, worker);
}

static void *worker_main(void *arg)
{
    int me = (int)(long)arg;
    for (;;) {
        future_t *f = NULL;
        pthread_mutex_lock(&pool.mu);
        while (pool.head == pool.tail && !pool.closing)
            pthread_cond_wait(&pool.cv, &pool.mu);
        if (pool.head != pool.tail)
            f = pool.q[pool.head++ % QLEN];
        pthread_mutex_unlock(&pool.mu);
        if (f == NULL)
            return NULL;

#ifdef FIXED
        note_worker(f, me);
#endif
        pthread_mutex_lock(&f->mu);
        f->value = f->arg * f->arg;
        f->done = true; /* bug: 1 */
        pthread_cond_signal(&f->cv);
        pthread_mutex_unlock(&f->mu);
#ifndef FIXED
        note_worker(f, me); /* bug */
#endif
    }
}

static void *client_main(void *arg)
{
    int base = (int)(long)arg * 10;
    long sum = 0, crc = 0;
    future_t *f[JOBS_PER_CLIENT];
    int v;

    for (int i = 0; i < JOBS_PER_CLIENT; i++)
        f[i] = submit(base + i);
    for (int i = 0; i < JOBS_PER_CLIENT; i++) {
        v = await(f[i]);
        sum += v;
        crc ^= digest(v);
    }
    for (int i = 0; i < JOBS_PER_CLIENT; i++)
        release(f[i]);
    return (void *)(crc >= 0 ? sum : -1);
}

int main(void)
{
    pthread_t w[WORKERS], c[CLIENTS];
    long total = 0;

    for (long i = 0; i < WORKERS; i++)
        pthread_create(&w[i], NULL, worker_main, (void *)(i + 1));
    for (long i = 0; i < CLIENTS; i++)
        pthread_create(&c[i], NULL, client_main, (void *)i);
    for (int i = 0; i < CLIENTS; i++) {
        void *s;
        pthread_join(c[i], &s);
        total += (long)s;
    }
    pthread_mutex_lock(&pool.mu);
    pool.closing = true;
    pthread_cond_broadcast(&pool.cv);
    pthread_mutex_unlock(&pool.mu);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(w[i], NULL);
    printf("sum of squares %ld\n", total);
    assert(total == 0 + 1 + 4 + 9 + 100 + 121 + 144 + 169);
    return 0;
}
