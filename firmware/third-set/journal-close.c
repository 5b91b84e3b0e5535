/*
 * A log writer. Threads of a server log lines; one flusher thread moves them
 * from memory to the journal. At the end the server stops its flusher, takes
 * what is left and closes the journal.
 *
 * Bug: the shutdown closes the journal before it has joined the last of the
 * request threads. Whoever logs after that sees a closed journal, and the
 * line is dropped.
 *
 * validate:
 *   kind: order
 *   variable: journal.open
 *   threads: 4
 *   fails-by: exit
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define LINES 16
#define REQUESTS 3

struct line {
    int request;
    char text[12];
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t more;
    int open;
    struct line buffer[LINES];
    int filled;
    int dropped;
    int stop;
} journal = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .more = PTHREAD_COND_INITIALIZER,
    .open = 1,
};

static struct {
    struct line lines[LINES];
    int count;
} disk;     /* of the flusher, and of main when the flusher has ended */

static void journal_log(int request, const char *text)
{
    pthread_mutex_lock(&journal.lock);
    if (!journal.open) {                        /* bug: 2 */
        journal.dropped++;                      /* bug */
    } else {
        struct line *l = &journal.buffer[journal.filled++];

        l->request = request;
        strncpy(l->text, text, sizeof l->text - 1);
        pthread_cond_signal(&journal.more);
    }
    pthread_mutex_unlock(&journal.lock);
}

static void flush_locked(void)
{
    for (int i = 0; i < journal.filled; i++)
        disk.lines[disk.count++] = journal.buffer[i];
    journal.filled = 0;
}

static void *flusher(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&journal.lock);
    while (!journal.stop) {
        while (journal.filled == 0 && !journal.stop)
            pthread_cond_wait(&journal.more, &journal.lock);
        flush_locked();
    }
    pthread_mutex_unlock(&journal.lock);
    return NULL;
}

static void journal_close(pthread_t thread)
{
    pthread_mutex_lock(&journal.lock);
    journal.stop = 1;
    journal.open = 0;                           /* bug: 1 */
    pthread_cond_signal(&journal.more);
    pthread_mutex_unlock(&journal.lock);
    pthread_join(thread, NULL);
    flush_locked();
}

static void *serve(void *arg)
{
    int number = *(int *)arg;
    unsigned hash = 5381;

    for (int i = 0; i < REQUESTS; i++) {
        journal_log(number, "begin");
        for (const char *p = "GET /index"; *p; p++)
            hash = hash * 33 + (unsigned char)*p;
        journal_log(number, hash ? "end" : "odd");      /* bug */
    }
    return NULL;
}

int main(void)
{
    pthread_t writer, servers[2];
    int numbers[2] = { 1, 2 };

    pthread_create(&writer, NULL, flusher, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&servers[i], NULL, serve, &numbers[i]);
    pthread_join(servers[0], NULL);
#ifdef FIXED
    pthread_join(servers[1], NULL);
    journal_close(writer);
#else
    journal_close(writer);                      /* bug */
    pthread_join(servers[1], NULL);             /* bug */
#endif
    printf("%d lines, %d dropped\n", disk.count, journal.dropped);
    return disk.count == 2 * 2 * REQUESTS ? 0 : 1;
}
