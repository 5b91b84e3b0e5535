/*
 * The configuration of a server is a block that never changes; a reload makes
 * a new one and swaps the pointer. Blocks count their users, and the last user
 * puts a block back among the spare ones.
 *
 * Bug: a user reads the pointer and then counts itself. In between a reload
 * can swap the pointer and drop the block, which is then spare, or already
 * filled anew, while the user believes to hold it.
 *
 * validate:
 *   kind: lock-free
 *   variable: current, blocks[].users, blocks[].port, blocks[].mirror
 *   threads: 4
 *   fails-by: assertion
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stddef.h>

#define BLOCKS 8
#define RELOADS 4
#define REQUESTS 8

struct config {
    atomic_int users;
    atomic_uint port;
    atomic_uint mirror;         /* always ~port */
    struct config *next;
};

static struct config blocks[BLOCKS];
static _Atomic(struct config *) current;

static struct {
    pthread_mutex_t lock;
    struct config *first;
    int given, taken;
} spare = { .lock = PTHREAD_MUTEX_INITIALIZER };

#ifdef FIXED
static pthread_mutex_t swap_lock = PTHREAD_MUTEX_INITIALIZER;
#endif

static struct config *config_new(unsigned port)
{
    pthread_mutex_lock(&spare.lock);
    struct config *c = spare.first;

    assert(c);
    spare.first = c->next;
    spare.taken++;
    pthread_mutex_unlock(&spare.lock);
    atomic_store(&c->port, port);
    atomic_store(&c->mirror, ~port);
    atomic_store(&c->users, 1);
    return c;
}

static void config_spare(struct config *c)
{
    atomic_store(&c->port, 0);                  /* bug: 4 */
    atomic_store(&c->mirror, 0);                /* bug */
    pthread_mutex_lock(&spare.lock);
    c->next = spare.first;
    spare.first = c;
    spare.given++;
    pthread_mutex_unlock(&spare.lock);
}

static void config_drop(struct config *c)
{
    if (atomic_fetch_sub(&c->users, 1) == 1)    /* bug: 3 */
        config_spare(c);                        /* bug */
}

static struct config *config_hold(void)
{
#ifdef FIXED
    pthread_mutex_lock(&swap_lock);
#endif
    struct config *c = atomic_load(&current);   /* bug: 1 */

    atomic_fetch_add(&c->users, 1);             /* bug: 5 */
#ifdef FIXED
    pthread_mutex_unlock(&swap_lock);
#endif
    return c;
}

static void *reloader(void *arg)
{
    unsigned port = *(unsigned *)arg;

    for (unsigned i = 0; i < RELOADS; i++) {
        struct config *fresh = config_new(port + i);

#ifdef FIXED
        pthread_mutex_lock(&swap_lock);
#endif
        struct config *old = atomic_exchange(&current, fresh);    /* bug: 2 */
#ifdef FIXED
        pthread_mutex_unlock(&swap_lock);
#endif
        config_drop(old);                       /* bug */
    }
    return NULL;
}

static void *server(void *arg)
{
    unsigned *served = arg;

    for (int i = 0; i < REQUESTS; i++) {
        struct config *c = config_hold();       /* bug */
        unsigned port = atomic_load(&c->port);  /* bug: 6 */

        assert(port != 0 && atomic_load(&c->mirror) == ~port);    /* bug */
        config_drop(c);
        ++*served;
    }
    return NULL;
}

int main(void)
{
    pthread_t servers[2], reload;
    unsigned served[2] = { 0, 0 }, port = 8080;

    for (int i = 0; i < BLOCKS; i++) {
        blocks[i].next = spare.first;
        spare.first = &blocks[i];
    }
    atomic_store(&current, config_new(port - 1));
    pthread_create(&servers[0], NULL, server, &served[0]);
    pthread_create(&reload, NULL, reloader, &port);
    pthread_create(&servers[1], NULL, server, &served[1]);
    for (int i = 0; i < 2; i++)
        pthread_join(servers[i], NULL);
    pthread_join(reload, NULL);
    printf("%u requests, %d blocks given back\n", served[0] + served[1], spare.given);
    assert(spare.given == RELOADS && spare.taken == RELOADS + 1);
    return 0;
}
