/*
 * A file server with accounts. A connection that uploads a blob first asks
 * whether the account has room for it, stores the blob and then charges the
 * account. Blobs that find no room are refused.
 *
 * Bug: the question for room and the charge are two critical sections. Two
 * connections of one account both see room for one blob, both store theirs,
 * and the account is over its limit.
 *
 * validate:
 *   kind: check-then-act
 *   variable: account->used
 *   threads: 4
 *   fails-by: assertion
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOBS 4

struct blob {
    struct blob *next;
    unsigned size;
    unsigned char head[8];
};

struct account {
    pthread_mutex_t lock;
    unsigned used;
    unsigned limit;
    int refused;
    char name[12];
};

struct store {
    pthread_mutex_t lock;
    struct blob *blobs;
    int count;
};

struct upload {
    struct account *account;
    struct store *store;
    unsigned sizes[BLOBS];
};

static struct account *account_new(const char *name, unsigned limit)
{
    struct account *a = calloc(1, sizeof *a);

    assert(a);
    pthread_mutex_init(&a->lock, NULL);
    a->limit = limit;
    strncpy(a->name, name, sizeof a->name - 1);
    return a;
}

static void store_put(struct store *s, unsigned size)
{
    struct blob *b = malloc(sizeof *b);

    assert(b);
    b->size = size;
    memset(b->head, (int)size, sizeof b->head);
    pthread_mutex_lock(&s->lock);
    b->next = s->blobs;
    s->blobs = b;
    s->count++;
    pthread_mutex_unlock(&s->lock);
}

#ifdef FIXED
static int account_reserve(struct account *a, unsigned size)
{
    int ok;

    pthread_mutex_lock(&a->lock);
    ok = a->used + size <= a->limit;
    if (ok)
        a->used += size;
    else
        a->refused++;
    pthread_mutex_unlock(&a->lock);
    return ok;
}
#else
static int account_has_room(struct account *a, unsigned size)
{
    int ok;

    pthread_mutex_lock(&a->lock);
    ok = a->used + size <= a->limit;            /* bug: 1 */
    if (!ok)
        a->refused++;
    pthread_mutex_unlock(&a->lock);
    return ok;
}

static void account_charge(struct account *a, unsigned size)
{
    pthread_mutex_lock(&a->lock);
    a->used += size;                            /* bug: 2, 3 */
    pthread_mutex_unlock(&a->lock);
}
#endif

static void *connection(void *arg)
{
    struct upload *u = arg;

    for (int i = 0; i < BLOBS; i++) {
#ifdef FIXED
        if (!account_reserve(u->account, u->sizes[i]))
            continue;
        store_put(u->store, u->sizes[i]);
#else
        if (!account_has_room(u->account, u->sizes[i]))    /* bug */
            continue;
        store_put(u->store, u->sizes[i]);
        account_charge(u->account, u->sizes[i]);            /* bug */
#endif
    }
    return NULL;
}

int main(void)
{
    static struct store store = { PTHREAD_MUTEX_INITIALIZER, NULL, 0 };
    struct account *ann = account_new("ann", 100), *bob = account_new("bob", 300);
    struct upload uploads[3] = {
        { ann, &store, { 50, 25, 5, 15 } },
        { ann, &store, { 20, 20, 10, 30 } },
        { bob, &store, { 60, 60, 40, 20 } },
    };
    pthread_t threads[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, connection, &uploads[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%s uses %u, %s uses %u\n", ann->name, ann->used, bob->name, bob->used);
    assert(bob->used == 180 && bob->refused == 0);
    assert(ann->used <= ann->limit);
    while (store.blobs) {
        struct blob *b = store.blobs;

        store.blobs = b->next;
        free(b);
    }
    free(ann);
    free(bob);
    return 0;
}
