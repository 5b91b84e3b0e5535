/*
 * A log for threads that must not wait: a ring of records. A thread takes the
 * next place with an atomic addition, writes its record there and moves the
 * mark up to which records may be read. The reader counts what it finds.
 *
 * Bug: a thread moves the mark past its own record, although another that took
 * an earlier place may not have written yet. The reader then reads an empty
 * record, and the real one is lost.
 *
 * validate:
 *   kind: lock-free
 *   variable: ring.committed, ring.records[]
 *   threads: 5
 *   fails-by: exit
 *   rare: yes
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#define WRITERS 3
#define EACH 9
#define TEXT 16
#define SIZE 32

struct record {
    atomic_uint code;
    char text[TEXT];
};

static struct {
    struct record records[SIZE];
    atomic_uint reserved;
    atomic_uint committed;
    unsigned read;              /* of the reader; of main after that */
    unsigned letters, codes;
} ring;

static pthread_barrier_t start;

static void log_write(const char *text, unsigned code)
{
    unsigned at = atomic_fetch_add(&ring.reserved, 1);          /* bug: 1, 2 */
    struct record *r = &ring.records[at];

    for (int i = 0; i < TEXT && text[i]; i++)
        r->text[i] = text[i];                                   /* bug */
    atomic_store(&r->code, code);                               /* bug: 3, 7 */
#ifdef FIXED
    while (atomic_load(&ring.committed) != at)
        sched_yield();
#endif
    atomic_store(&ring.committed, at + 1);                      /* bug: 4 */
}

static void log_read(void)
{
    unsigned end = atomic_load(&ring.committed);                /* bug: 5 */

    while (ring.read < end) {
        struct record *r = &ring.records[ring.read++];

        for (int i = 0; i < TEXT; i++)
            ring.letters += r->text[i] != 0;                    /* bug */
        ring.codes += atomic_load(&r->code);                    /* bug: 6 */
    }
}

static void *writer(void *arg)
{
    unsigned name = *(unsigned *)arg;

    pthread_barrier_wait(&start);
    for (unsigned i = 1; i <= EACH; i++)
        log_write(i % 3 ? "ok" : "disk nearly full", name * 100 + i);
    return NULL;
}

static void *reader(void *arg)
{
    int polls = *(int *)arg;

    pthread_barrier_wait(&start);
    while (polls--)
        log_read();
    return NULL;
}

int main(void)
{
    pthread_t writers[WRITERS], thread;
    unsigned names[WRITERS], expected = 0;
    int polls = 200;

    pthread_barrier_init(&start, NULL, WRITERS + 1);
    pthread_create(&thread, NULL, reader, &polls);
    for (unsigned i = 0; i < WRITERS; i++) {
        names[i] = i + 1;
        pthread_create(&writers[i], NULL, writer, &names[i]);
        for (unsigned k = 1; k <= EACH; k++)
            expected += names[i] * 100 + k;
    }
    for (int i = 0; i < WRITERS; i++)
        pthread_join(writers[i], NULL);
    pthread_join(thread, NULL);
    atomic_store(&ring.committed, atomic_load(&ring.reserved));
    log_read();
    printf("%u records, sum %u\n", ring.read, ring.codes);
    return ring.read == WRITERS * EACH && ring.codes == expected ? 0 : 1;
}
