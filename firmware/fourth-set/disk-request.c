/*
 * The queue of a disk. Clients have one request block each, which they hand to
 * the disk's thread and use again when it is done. The disk serves the block
 * nearest to its head.
 *
 * Bug: request_wait() has a short cut: it looks at `done` without the lock.
 * The disk's thread sets `done` and still accounts for the request; the client
 * has retired it by then, or even uses it again.
 *
 * validate:
 *   kind: lifetime
 *   variable: request->done, request->magic
 *   threads: 5
 *   fails-by: assertion, or exit code
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define CLIENTS 3
#define REQUESTS 7
#define ACTIVE 0x4ead
#define RETIRED 0x0ff

struct request {
    volatile int magic;
    int client;
    int block;
    int length;
    unsigned data;
    unsigned hint;              /* the client's own */
    atomic_int done;
    struct request *next;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    struct request *queue;
    int head;
    int blocks_of[CLIENTS];
} disk = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .work = PTHREAD_COND_INITIALIZER,
    .done = PTHREAD_COND_INITIALIZER,
};

static struct request requests[CLIENTS];

static void request_submit(struct request *r)
{
    pthread_mutex_lock(&disk.lock);
    r->next = disk.queue;
    disk.queue = r;
    pthread_cond_signal(&disk.work);
    pthread_mutex_unlock(&disk.lock);
}

static void request_wait(struct request *r)
{
#ifndef FIXED
    if (atomic_load(&r->done))                  /* bug: 2 */
        return;
#endif
    pthread_mutex_lock(&disk.lock);
    while (!atomic_load(&r->done))
        pthread_cond_wait(&disk.done, &disk.lock);
    pthread_mutex_unlock(&disk.lock);
}

/* With the lock. */
static struct request *nearest(void)
{
    struct request **best = &disk.queue, *r;

    for (struct request **link = best; *link; link = &(*link)->next)
        if (abs((*link)->block - disk.head) < abs((*best)->block - disk.head))
            best = link;
    r = *best;
    if (r)
        *best = r->next;
    return r;
}

/* With the lock. */
static void account(const struct request *r)
{
    assert(r->magic == ACTIVE);                 /* bug: 4 */
    disk.blocks_of[r->client] += r->length;     /* bug */
}

static unsigned transfer(int block, int length)
{
    unsigned sum = 0;

    for (int i = 0; i < length; i++)
        sum = sum * 17 + (unsigned)(block + i);
    return sum;
}

static void *disk_thread(void *arg)
{
    for (int served = 0; served < CLIENTS * REQUESTS; served++) {
        struct request *r;

        pthread_mutex_lock(&disk.lock);
        while (!(r = nearest()))
            pthread_cond_wait(&disk.work, &disk.lock);
        disk.head = r->block;
        pthread_mutex_unlock(&disk.lock);

        r->data = transfer(r->block, r->length);

        pthread_mutex_lock(&disk.lock);
        atomic_store(&r->done, 1);              /* bug: 1 */
        account(r);
        pthread_cond_broadcast(&disk.done);
        pthread_mutex_unlock(&disk.lock);
    }
    return arg;
}

static void *client(void *arg)
{
    struct request *r = arg;

    for (int i = 0; i < REQUESTS; i++) {
        unsigned ahead = 0;

        r->block = (r->client * 37 + i * 53) % 200;
        r->length = 4 + (r->client + i) % 5;
        atomic_store(&r->done, 0);
        r->magic = ACTIVE;
        request_submit(r);
        for (int j = 0; j < 30; j++)    /* what it can do without the data */
            ahead = ahead * 3 + (unsigned)j;
        request_wait(r);
        if (r->data != transfer(r->block, r->length))
            abort();
        r->hint = ahead;
        r->magic = RETIRED;                     /* bug: 3 */
    }
    return NULL;
}

int main(void)
{
    pthread_t clients[CLIENTS], server;
    int wrong = 0;

    if (pthread_create(&server, NULL, disk_thread, NULL) != 0)
        abort();
    for (int i = 0; i < CLIENTS; i++) {
        requests[i].client = i;
        if (pthread_create(&clients[i], NULL, client, &requests[i]) != 0)
            abort();
    }
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(clients[i], NULL);
    pthread_join(server, NULL);
    for (int i = 0; i < CLIENTS; i++) {
        int expected = 0;

        for (int k = 0; k < REQUESTS; k++)
            expected += 4 + (i + k) % 5;
        wrong += disk.blocks_of[i] != expected;
    }
    printf("%d blocks for the first client\n", disk.blocks_of[0]);
    return wrong ? 1 : 0;
}
