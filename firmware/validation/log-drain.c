/*
 * log-drain: three writers put records into a queue, a drain thread formats
 * them into one log buffer.  When all writers are gone main() closes the
 * queue, waits until it is empty and counts the lines of the log.
 *
 * Bug: an empty queue does not mean a complete log; main takes the number of
 * lines before it joins the drain thread, which may still be busy with the
 * last record.
 *
 * validate:
 *   kind: order
 *   variable: log_lines, lq.out
 *   threads: 5
 *   fails-by: exit
 *   rare: no
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define WRITERS 3
#define RECORDS 5

struct record { int writer, seq; };

static struct {
    pthread_mutex_t mu;
    pthread_cond_t more;
    pthread_cond_t empty;
    struct record q[WRITERS * RECORDS];
    int in, out;
    bool closed;
} lq = { .mu = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER,
       .empty = PTHREAD_COND_INITIALIZER };

static char log_text[1024];
static size_t log_len;
static volatile int log_lines;

static void put(int writer, int seq)
{
    pthread_mutex_lock(&lq.mu);
    lq.q[lq.in++] = (struct record){ writer, seq };
    pthread_cond_signal(&lq.more);
    pthread_mutex_unlock(&lq.mu);
}

static bool get(struct record *r)
{
    bool ok = false;

    pthread_mutex_lock(&lq.mu);
    while (lq.in == lq.out && !lq.closed)
        pthread_cond_wait(&lq.more, &lq.mu);
    if (lq.in != lq.out) {
        *r = lq.q[lq.out++];                                    /* bug: 1 */
        if (lq.in == lq.out)
            pthread_cond_signal(&lq.empty);
        ok = true;
    }
    pthread_mutex_unlock(&lq.mu);
    return ok;
}

static void *writer(void *arg)
{
    int id = *(int *)arg;

    for (int i = 0; i < RECORDS; i++)
        put(id, i);
    return NULL;
}

static void *drain(void *arg)
{
    struct record r;

    while (get(&r)) {
        int n = snprintf(log_text + log_len, sizeof log_text - log_len,
                         "writer %d: %d\n", r.writer, r.seq);
        log_len += (size_t)n;
        log_lines++;                                            /* bug: 4 */
    }
    return arg;
}

int main(void)
{
    pthread_t w[WRITERS], d;
    int ids[WRITERS];

    pthread_create(&d, NULL, drain, NULL);
    for (int i = 0; i < WRITERS; i++) {
        ids[i] = i + 1;
        pthread_create(&w[i], NULL, writer, &ids[i]);
    }
    for (int i = 0; i < WRITERS; i++)
        pthread_join(w[i], NULL);

    pthread_mutex_lock(&lq.mu);
    lq.closed = true;
    pthread_cond_broadcast(&lq.more);
    while (lq.in != lq.out)                                     /* bug: 2 */
        pthread_cond_wait(&lq.empty, &lq.mu);
    pthread_mutex_unlock(&lq.mu);
#ifdef FIXED
    pthread_join(d, NULL);
#endif
    int lines = log_lines;                                      /* bug: 3 */
#ifndef FIXED
    pthread_join(d, NULL);                                      /* bug */
#endif
    printf("%d lines in the log\n", lines);
    return lines != WRITERS * RECORDS;
}
