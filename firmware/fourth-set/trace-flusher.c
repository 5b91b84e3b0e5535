/*
 * Tracing. Threads put records into a buffer and wake the flusher, which takes
 * all there is at once. At the end the flusher is told to stop, and does so
 * when there is nothing left.
 *
 * Bug: the flusher first looks into the buffer and then at the flag. Woken for
 * a record that it already has, it finds nothing; then the last record comes
 * and the flag is set; and now it sees the flag and ends.
 *
 * validate:
 *   kind: order
 *   variable: trace.count, trace.stop
 *   threads: 4
 *   fails-by: exit code
 *   rare: yes
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define TRACERS 2
#define RECORDS 9
#define ROOM 32

struct record {
    unsigned thread;
    unsigned what;
};

static struct {
    pthread_mutex_t lock;
    struct record records[ROOM];
    int count;
    sem_t wake;
    atomic_int stop;
} trace = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct {
    int written;
    int idle;                   /* times there was nothing to write */
    unsigned checksum;
} out;

static void trace_put(unsigned thread, unsigned what)
{
    pthread_mutex_lock(&trace.lock);
    if (trace.count == ROOM)
        abort();
    trace.records[trace.count++] = (struct record){ thread, what };     /* bug: 2 */
    pthread_mutex_unlock(&trace.lock);
    sem_post(&trace.wake);
}

static int trace_take(struct record *to)
{
    int n;

    pthread_mutex_lock(&trace.lock);
    n = trace.count;                            /* bug: 1 */
    for (int i = 0; i < n; i++)
        to[i] = trace.records[i];
    trace.count = 0;
    pthread_mutex_unlock(&trace.lock);
    return n;
}

static void write_out(const struct record *r)
{
    unsigned word = r->thread << 24 | r->what;

    for (int i = 0; i < 8; i++)
        word = word * 31 + (r->what >> i);
    out.checksum += word;
    out.written++;
}

static void *flusher(void *arg)
{
    struct record batch[ROOM];
    int n, stop;

    do {
        sem_wait(&trace.wake);
#ifdef FIXED
        stop = atomic_load(&trace.stop);
        n = trace_take(batch);
#else
        n = trace_take(batch);
        if (n == 0)
            out.idle++;
        stop = atomic_load(&trace.stop);        /* bug: 4 */
#endif
        for (int i = 0; i < n; i++)
            write_out(&batch[i]);
    } while (n > 0 || !stop);
    return arg;
}

static void *tracer(void *arg)
{
    unsigned thread = *(unsigned *)arg;
    unsigned x = thread + 1;

    for (int i = 0; i < RECORDS; i++) {
        x = x * 22695477u + 1;
        trace_put(thread, x >> 12);
    }
    return NULL;
}

int main(void)
{
    pthread_t tracers[TRACERS], writer;
    unsigned numbers[TRACERS];

    sem_init(&trace.wake, 0, 0);
    if (pthread_create(&writer, NULL, flusher, NULL) != 0)
        abort();
    for (unsigned i = 0; i < TRACERS; i++) {
        numbers[i] = i;
        if (pthread_create(&tracers[i], NULL, tracer, &numbers[i]) != 0)
            abort();
    }
    for (int i = 0; i < TRACERS; i++)
        pthread_join(tracers[i], NULL);
    atomic_store(&trace.stop, 1);               /* bug: 3 */
    sem_post(&trace.wake);
    pthread_join(writer, NULL);
    sem_destroy(&trace.wake);
    printf("%d of %d records\n", out.written, TRACERS * RECORDS);
    return out.written == TRACERS * RECORDS ? 0 : 3;
}
