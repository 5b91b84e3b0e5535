/*
 * The directory of peers of a file-sharing node. Each session asks for the
 * record of the peer it talks to; the first one who asks creates it. What a
 * peer sent is summed up in its record, by which it is then rated.
 *
 * Bug: peer_get() looks, drops the bucket's lock to compute the peer's key,
 * and then inserts without looking again. Two sessions with a new peer give it
 * two records, and each has a part of what it sent.
 *
 * validate:
 *   kind: check-then-act
 *   variable: bucket->first
 *   threads: 4
 *   fails-by: exit code
 *   rare: no
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define BUCKETS 4
#define PEERS 7
#define SESSIONS 3
#define PIECES 3

struct peer {
    unsigned id;
    unsigned key;
    atomic_uint received;
    struct peer *next;
};

struct bucket {
    pthread_mutex_t lock;
    struct peer *first;
};

static struct bucket buckets[BUCKETS];

static struct bucket *bucket_of(unsigned id)
{
    return &buckets[(id * 2654435761u >> 16) % BUCKETS];
}

/* With the bucket's lock. */
static struct peer *find(struct bucket *b, unsigned id)
{
    struct peer *p = b->first;                  /* bug: 1 */

    while (p && p->id != id)
        p = p->next;
    return p;
}

static unsigned derive_key(unsigned id)
{
    unsigned key = id ^ 0x5bd1e995u;

    for (int round = 0; round < 24; round++)
        key = (key << 5 | key >> 27) * 0x9e3779b1u + id;
    return key;
}

static struct peer *peer_new(unsigned id)
{
    struct peer *p = malloc(sizeof *p);

    if (!p)
        abort();
    p->id = id;
    p->key = derive_key(id);
    atomic_init(&p->received, 0);
    p->next = NULL;
    return p;
}

static struct peer *peer_get(unsigned id)
{
    struct bucket *b = bucket_of(id);
    struct peer *p;

    pthread_mutex_lock(&b->lock);
    p = find(b, id);
    pthread_mutex_unlock(&b->lock);
    if (p)
        return p;

    p = peer_new(id);
    pthread_mutex_lock(&b->lock);
#ifdef FIXED
    struct peer *other = find(b, id);

    if (other) {
        pthread_mutex_unlock(&b->lock);
        free(p);
        return other;
    }
#endif
    p->next = b->first;
    b->first = p;                               /* bug: 2, 3 */
    pthread_mutex_unlock(&b->lock);
    return p;
}

/* A session gets some pieces from every peer in turn. */
static void *session(void *arg)
{
    unsigned size = *(unsigned *)arg;

    for (unsigned id = 100; id < 100 + PEERS; id++) {
        struct peer *p = peer_get(id);

        for (int piece = 0; piece < PIECES; piece++)
            atomic_fetch_add(&p->received, size);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[SESSIONS];
    unsigned sizes[SESSIONS] = { 16, 32, 64 };
    unsigned expected = 0;
    int records = 0, underrated = 0;

    for (int i = 0; i < BUCKETS; i++)
        pthread_mutex_init(&buckets[i].lock, NULL);
    for (int i = 0; i < SESSIONS; i++) {
        expected += sizes[i] * PIECES;
        if (pthread_create(&threads[i], NULL, session, &sizes[i]) != 0)
            abort();
    }
    for (int i = 0; i < SESSIONS; i++)
        pthread_join(threads[i], NULL);

    for (int i = 0; i < BUCKETS; i++) {
        for (struct peer *p = buckets[i].first, *next; p; p = next) {
            next = p->next;
            records++;
            underrated += atomic_load(&p->received) != expected;
            free(p);
        }
    }
    printf("%d records, %d underrated\n", records, underrated);
    return records == PEERS && underrated == 0 ? 0 : 2;
}
