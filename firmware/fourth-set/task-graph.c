/*
 * The scheduler of a build tool. A node is ready when all it is made from is
 * finished; workers take ready nodes and count down in the nodes that need
 * what they made.
 *
 * Bug: the count is atomic, but counting down is a load and a store. When two
 * workers finish inputs of one node at the same moment one of them is not
 * counted: the node never becomes ready and everybody waits.
 *
 * validate:
 *   kind: lost-update
 *   variable: node->missing
 *   threads: 6
 *   fails-by: hang
 *   rare: yes
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define WORKERS 5
#define MAX_USERS 2

enum { LEXER, PARSER, TYPES, CODE, EMIT, MAIN, FRONT, BACK, TOOL, CHECK, NODES };

struct node {
    const char *name;
    int cost;
    int users[MAX_USERS];
    int user_count;
    atomic_int missing;         /* inputs that are not finished */
    unsigned digest;
    struct node *next;
};

static struct node nodes[NODES] = {
    [LEXER] = { .name = "lexer.o", .cost = 40, .users = { FRONT }, .user_count = 1 },
    [PARSER] = { .name = "parser.o", .cost = 44, .users = { FRONT }, .user_count = 1 },
    [TYPES] = { .name = "types.o", .cost = 50, .users = { FRONT }, .user_count = 1 },
    [CODE] = { .name = "code.o", .cost = 42, .users = { BACK }, .user_count = 1 },
    [EMIT] = { .name = "emit.o", .cost = 46, .users = { BACK }, .user_count = 1 },
    [MAIN] = { .name = "main.o", .cost = 12, .users = { TOOL }, .user_count = 1 },
    [FRONT] = { .name = "libfront.a", .cost = 20, .users = { TOOL, CHECK }, .user_count = 2 },
    [BACK] = { .name = "libback.a", .cost = 20, .users = { TOOL, CHECK }, .user_count = 2 },
    [TOOL] = { .name = "tool", .cost = 30 },
    [CHECK] = { .name = "check", .cost = 30 },
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t change;
    struct node *ready;
    int finished;
} build = { .lock = PTHREAD_MUTEX_INITIALIZER, .change = PTHREAD_COND_INITIALIZER };

static void make_ready(struct node *n)
{
    pthread_mutex_lock(&build.lock);
    n->next = build.ready;
    build.ready = n;
    pthread_cond_signal(&build.change);
    pthread_mutex_unlock(&build.lock);
}

static struct node *take_ready(void)
{
    struct node *n;

    pthread_mutex_lock(&build.lock);
    while (!build.ready && build.finished < NODES)
        pthread_cond_wait(&build.change, &build.lock);          /* bug */
    n = build.ready;
    if (n)
        build.ready = n->next;
    pthread_mutex_unlock(&build.lock);
    return n;
}

static void make(struct node *n)
{
    unsigned h = 5381;

    for (int i = 0; i < n->cost; i++)
        for (const char *c = n->name; *c; c++)
            h = h * 33 + (unsigned char)*c;
    n->digest = h;
}

/* One input of a node is finished. */
static int count_down(struct node *n)
{
#ifdef FIXED
    return atomic_fetch_sub(&n->missing, 1) - 1;
#else
    int left = atomic_load(&n->missing) - 1;    /* bug: 1 */

    atomic_store(&n->missing, left);            /* bug: 2, 3 */
    return left;
#endif
}

static void finish(struct node *n)
{
    for (int i = 0; i < n->user_count; i++) {
        struct node *user = &nodes[n->users[i]];

        if (count_down(user) == 0)
            make_ready(user);
    }
    pthread_mutex_lock(&build.lock);
    if (++build.finished == NODES)
        pthread_cond_broadcast(&build.change);
    pthread_mutex_unlock(&build.lock);
}

static void *worker(void *arg)
{
    struct node *n;

    while ((n = take_ready())) {
        make(n);
        finish(n);
    }
    return arg;
}

int main(void)
{
    pthread_t threads[WORKERS];
    unsigned all = 0;

    for (int i = 0; i < NODES; i++)
        for (int u = 0; u < nodes[i].user_count; u++)
            atomic_fetch_add(&nodes[nodes[i].users[u]].missing, 1);
    for (int i = NODES - 1; i >= 0; i--)
        if (atomic_load(&nodes[i].missing) == 0)
            make_ready(&nodes[i]);
    for (int i = 0; i < WORKERS; i++)
        if (pthread_create(&threads[i], NULL, worker, NULL) != 0)
            abort();
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < NODES; i++)
        all ^= nodes[i].digest;
    printf("%d nodes, %08x\n", build.finished, all);
    return build.finished == NODES ? 0 : 1;
}
