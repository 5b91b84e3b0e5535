/*
 * bounded-log.c -- in-memory log of fixed size, many writers, one dumper.
 *
 * A writer reserves a record by bumping log.count and then fills it.  The
 * dumper thinks that all records below log.count are complete and can run
 * into one that has been reserved only.
 *
 * validate:
 *   kind: publication
 *   variable: log_.count, log_.rec[]
 *   threads: 8
 *   fails-by: crash
 *   rare: no
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define LOG_MAX   48
#define N_WRITERS 6
#define PER_WRITER 5

typedef struct {
    int sev;
    int src;
    const char *msg;
} record_t;

static struct {
    atomic_int count;
    record_t rec[LOG_MAX];
#ifdef FIXED
    pthread_mutex_t lock;
#endif
} log_
#ifdef FIXED
= { .lock = PTHREAD_MUTEX_INITIALIZER }
#endif
;

static void log_put(int src, int sev, const char *msg)
{
#ifdef FIXED
    pthread_mutex_lock(&log_.lock);
    int i = atomic_load(&log_.count);
#else
    int i = atomic_fetch_add(&log_.count, 1); /* bug: 1 */
#endif
    if (i < LOG_MAX) {
        record_t *r = &log_.rec[i];
        r->src = src;
        r->sev = sev;
        r->msg = msg; /* bug: 4 */
    }
#ifdef FIXED
    atomic_store(&log_.count, i + 1);
    pthread_mutex_unlock(&log_.lock);
#endif
}

static const char *const phrases[] = { "start", "retry", "slow disk", "ok", "stop" };

static void *writer(void *arg)
{
    int me = (int)(long)arg;
    for (int i = 0; i < PER_WRITER; i++)
        log_put(me, (me + i) % 3, phrases[i]);
    return NULL;
}

static size_t dump_bytes;

static void dump(void)
{
    int n = atomic_load(&log_.count); /* bug: 2 */
    dump_bytes = 0;
    for (int i = 0; i < n && i < LOG_MAX; i++) {
        const char *m = log_.rec[i].msg; /* bug: 3 */
        while (*m++ != '\0')
            dump_bytes++;
    }
}

static void *dumper(void *arg)
{
    (void)arg;
    for (int pass = 0; pass < 4; pass++)
        dump();
    return NULL;
}

int main(void)
{
    pthread_t w[N_WRITERS], d;

    for (long i = 0; i < N_WRITERS; i++) {
        if (i == N_WRITERS / 2)
            pthread_create(&d, NULL, dumper, NULL);
        pthread_create(&w[i], NULL, writer, (void *)i);
    }
    for (int i = 0; i < N_WRITERS; i++)
        pthread_join(w[i], NULL);
    pthread_join(d, NULL);
    dump();
    printf("%d records, %d bytes\n", atomic_load(&log_.count), (int)dump_bytes);
    return 0;
}
