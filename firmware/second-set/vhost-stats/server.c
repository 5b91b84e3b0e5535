/*
 * A small web server's worker pool: requests come from a queue, are answered, and
 * are counted in the statistics of their virtual host.
 *
 * Bug: the short path for "304 not modified" counts before the host's lock is taken,
 * so that two workers can lose an increment.
 *
 * validate:
 *   kind: lost-update
 *   variable: vh->not_modified
 *   threads: 5
 *   fails-by: exit
 *   rare: no
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "vhost.h"

#define WORKERS 4
#define REQUESTS 36

struct request {
    const char *host;
    int cached;
    unsigned size;
    struct request *next;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t more;
    struct request *head, **tail;
    int closed;
    unsigned served;
} queue = { .lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER };

static struct vhost_table hosts;
static const char *names[] = { "www.harbor.test", "img.harbor.test", "api.harbor.test" };

static void queue_put(struct request *r)
{
    r->next = NULL;
    pthread_mutex_lock(&queue.lock);
    *queue.tail = r;
    queue.tail = &r->next;
    pthread_cond_signal(&queue.more);
    pthread_mutex_unlock(&queue.lock);
}

static struct request *queue_get(void)
{
    struct request *r;

    pthread_mutex_lock(&queue.lock);
    while (!queue.head && !queue.closed)
        pthread_cond_wait(&queue.more, &queue.lock);
    r = queue.head;
    if (r) {
        queue.head = r->next;
        if (!queue.head)
            queue.tail = &queue.head;
        queue.served++;
    }
    pthread_mutex_unlock(&queue.lock);
    return r;
}

static int answer(const struct request *r, unsigned *bytes)
{
    if (r->cached) {
        *bytes = 0;
        return 304;
    }
    *bytes = r->size + 64;
    return 200;
}

static void *worker(void *arg)
{
    struct request *r;
    (void)arg;

    while ((r = queue_get()) != NULL) {
        unsigned bytes;
        int status = answer(r, &bytes);
        vhost_account(vhost_get(&hosts, r->host), status, bytes);
        free(r);
    }
    return NULL;
}

int main(void)
{
    pthread_t tid[WORKERS];
    unsigned cached = 0, seen = 0, hits = 0;

    queue.tail = &queue.head;
    vhost_table_init(&hosts);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&tid[i], NULL, worker, NULL);

    for (int i = 0; i < REQUESTS; i++) {
        struct request *r = malloc(sizeof *r);
        if (!r)
            return 2;
        r->host = names[i % 3];
        r->cached = (i % 4) != 0;
        r->size = 100 + 7 * i;
        cached += r->cached;
        queue_put(r);
    }
    pthread_mutex_lock(&queue.lock);
    queue.closed = 1;
    pthread_cond_broadcast(&queue.more);
    pthread_mutex_unlock(&queue.lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(tid[i], NULL);

    for (int i = 0; i < 3; i++) {
        struct vhost *vh = vhost_get(&hosts, names[i]);
        hits += vh->hits;
        seen += vh->not_modified;
    }
    vhost_table_free(&hosts);
    if (hits != REQUESTS || queue.served != REQUESTS)
        return 3;
    if (seen != cached) {
        fprintf(stderr, "304 answers: %u counted, %u sent\n", seen, cached);
        return 1;
    }
    return 0;
}
