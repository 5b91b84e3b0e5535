/*
 * A scanning service: documents are put into a queue, and workers turn them
 * into text. At the end each worker gets a sheet that tells it to go home.
 *
 * Bug: queue_put() signals only when the queue was empty, to save wakeups. Two
 * sheets put one after the other wake one worker; it takes the first sheet and
 * goes home, and another sleeps on beside a queue that is not empty.
 *
 * validate:
 *   kind: missed-signal
 *   variable: queue.nonempty, queue.count
 *   threads: 4
 *   fails-by: deadlock
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define ROOM 16
#define WORKERS 3
#define DOCUMENTS 4

enum what { DOCUMENT, GO_HOME };

struct sheet {
    enum what what;
    char text[12];
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t nonempty;
    struct sheet sheets[ROOM];
    unsigned in, out;
    int count;
} queue = { .lock = PTHREAD_MUTEX_INITIALIZER, .nonempty = PTHREAD_COND_INITIALIZER };

static struct {
    pthread_mutex_t lock;
    unsigned letters;
    int documents;
} archive = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void queue_put(enum what what, const char *text)
{
    struct sheet *s;

    pthread_mutex_lock(&queue.lock);
    s = &queue.sheets[queue.in++ % ROOM];
    s->what = what;
    strncpy(s->text, text, sizeof s->text - 1);
#ifdef FIXED
    queue.count++;
    pthread_cond_signal(&queue.nonempty);
#else
    if (queue.count++ == 0)                             /* bug: 4 */
        pthread_cond_signal(&queue.nonempty);           /* bug: 3 */
#endif
    pthread_mutex_unlock(&queue.lock);
}

static struct sheet queue_get(void)
{
    struct sheet s;

    pthread_mutex_lock(&queue.lock);
    while (queue.count == 0)                            /* bug */
        pthread_cond_wait(&queue.nonempty, &queue.lock);    /* bug: 1, 2 */
    s = queue.sheets[queue.out++ % ROOM];
    queue.count--;                                      /* bug: 5 */
    pthread_mutex_unlock(&queue.lock);
    return s;
}

static void recognize(const struct sheet *s)
{
    unsigned letters = 0;

    for (const char *p = s->text; *p; p++)
        letters += *p >= 'a' && *p <= 'z';
    pthread_mutex_lock(&archive.lock);
    archive.letters += letters;
    archive.documents++;
    pthread_mutex_unlock(&archive.lock);
}

static void *worker(void *arg)
{
    (void)arg;
    for (;;) {
        struct sheet s = queue_get();

        if (s.what == GO_HOME)
            return NULL;
        recognize(&s);
    }
}

int main(void)
{
    static const char *const documents[DOCUMENTS] = { "invoice 12", "letter", "page 7", "receipt" };
    pthread_t workers[WORKERS];

    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, worker, NULL);
    for (int i = 0; i < DOCUMENTS; i++)
        queue_put(DOCUMENT, documents[i]);
    for (int i = 0; i < WORKERS; i++)
        queue_put(GO_HOME, "");                         /* bug */
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    printf("%d documents, %u letters\n", archive.documents, archive.letters);
    return archive.documents == DOCUMENTS && archive.letters == 24 ? 0 : 1;
}
