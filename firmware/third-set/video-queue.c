/*
 * A media player: the demuxer puts packets into the queue of the video decoder
 * and an empty packet at the end of the stream. The decoder sleeps while its
 * queue is empty.
 *
 * Bug: the decoder looks at the number of packets before it takes the lock, to
 * save the lock when there is something, and then waits without looking again.
 * If the last packet comes in between, its signal is lost.
 *
 * validate:
 *   kind: missed-signal
 *   variable: queue->len, queue->nonempty
 *   threads: 2
 *   fails-by: deadlock
 *   rare: no
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define PACKETS 3

struct packet {
    struct packet *next;
    int size;   /* 0: end of stream */
    unsigned pts;
};

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t nonempty;
    struct packet *first, **last;
    atomic_int len;
};

static struct {
    pthread_mutex_t lock;
    unsigned bytes_read, bytes_decoded;
} clock_stats = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct queue *queue_new(void)
{
    struct queue *q = calloc(1, sizeof *q);

    if (!q)
        abort();
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->nonempty, NULL);
    q->last = &q->first;
    return q;
}

static void queue_put(struct queue *q, int size, unsigned pts)
{
    struct packet *p = malloc(sizeof *p);

    if (!p)
        abort();
    p->next = NULL;
    p->size = size;
    p->pts = pts;
    pthread_mutex_lock(&q->lock);
    *q->last = p;
    q->last = &p->next;
    atomic_fetch_add(&q->len, 1);               /* bug: 2 */
    pthread_cond_signal(&q->nonempty);          /* bug: 3 */
    pthread_mutex_unlock(&q->lock);
}

static struct packet *queue_get(struct queue *q)
{
    struct packet *p;

#ifdef FIXED
    pthread_mutex_lock(&q->lock);
    while (atomic_load(&q->len) == 0)
        pthread_cond_wait(&q->nonempty, &q->lock);
#else
    while (atomic_load(&q->len) == 0) {         /* bug: 1 */
        pthread_mutex_lock(&q->lock);
        pthread_cond_wait(&q->nonempty, &q->lock);    /* bug: 4 */
        pthread_mutex_unlock(&q->lock);
    }
    pthread_mutex_lock(&q->lock);
#endif
    p = q->first;
    q->first = p->next;
    if (!q->first)
        q->last = &q->first;
    atomic_fetch_sub(&q->len, 1);
    pthread_mutex_unlock(&q->lock);
    return p;
}

static void demux(struct queue *q)
{
    for (int i = 0; i < PACKETS; i++) {
        int size = 100 + 7 * i;

        pthread_mutex_lock(&clock_stats.lock);
        clock_stats.bytes_read += (unsigned)size;
        pthread_mutex_unlock(&clock_stats.lock);
        queue_put(q, size, 40u * (unsigned)i);
    }
    queue_put(q, 0, 40u * PACKETS);
}

static void *decoder(void *arg)
{
    struct queue *q = arg;
    int size;

    do {
        struct packet *p = queue_get(q);

        size = p->size;
        pthread_mutex_lock(&clock_stats.lock);
        clock_stats.bytes_decoded += (unsigned)size;
        pthread_mutex_unlock(&clock_stats.lock);
        free(p);
    } while (size);
    return NULL;
}

int main(void)
{
    pthread_t out;
    struct queue *q = queue_new();

    pthread_create(&out, NULL, decoder, q);
    demux(q);
    pthread_join(out, NULL);
    free(q);
    printf("%u of %u bytes\n", clock_stats.bytes_decoded, clock_stats.bytes_read);
    return clock_stats.bytes_decoded == clock_stats.bytes_read ? 0 : 1;
}
