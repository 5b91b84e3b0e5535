/*
 * conn-pool/main.c - clients share at most POOL_MAX database connections.
 *
 * pool.c opens connections on demand.  A client that gets no connection
 * gives way and tries again.
 *
 * Bug: pool_get() looks at the number of open connections, leaves the lock
 * to "connect" (slow), and counts the new connection afterwards.  Several
 * clients can pass the test together and the pool grows beyond its limit.
 *
 * validate:
 *   kind: check-then-act
 *   variable: pool->open
 *   threads: 9
 *   fails-by: exit
 *   rare: no
 */
#include "pool.h"

#include <sched.h>
#include <stdio.h>

#define CLIENTS 8
#define QUERIES 2

static void *client(void *arg)
{
    struct pool *p = arg;

    for (int q = 0; q < QUERIES; q++) {
        struct conn *c;

        while ((c = pool_get(p)) == NULL)
            sched_yield();
        c->queries++;
        pool_put(p, c);
    }
    return NULL;
}

int main(void)
{
    struct pool pool;
    pthread_t t[CLIENTS];
    int total, most;

    pool_init(&pool);
    for (int i = 0; i < CLIENTS; i++)
        if (pthread_create(&t[i], NULL, client, &pool))
            return 2;
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(t[i], NULL);
    most = pool.open;
    total = pool_close(&pool);
    printf("%d queries over %d connections\n", total, most);
    if (total != CLIENTS * QUERIES)
        return 3;
    return most <= POOL_MAX ? 0 : 1;
}
