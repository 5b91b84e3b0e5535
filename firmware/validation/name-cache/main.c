/*
 * name-cache/main.c
 *
 * Nine resolver threads ask a host-name cache guarded by a read-write lock.
 * The table is filled before, so resolvers need read access only.
 *
 * Bug (cache.c): a hit bumps the entry's hit counter while only the read lock
 * is held.  Readers run side by side, so hits get lost.
 *
 * validate:
 *   kind: readers-writers
 *   variable: e->hits
 *   threads: 10
 *   fails-by: exit
 *   rare: no
 */
#include "cache.h"

#include <stdio.h>

#define RESOLVERS 9

static const char *ask[] = { "alpha", "beta", "delta", "alpha", "nemo" };
#define NASK ((int)(sizeof ask / sizeof ask[0]))

static void *resolver(void *arg)
{
    struct cache *c = arg;
    unsigned x = 0;

    for (int i = 0; i < NASK; i++)
        x ^= cache_lookup(c, ask[i]);
    return x ? NULL : arg;
}

int main(void)
{
    static struct cache c;
    pthread_t t[RESOLVERS];

    cache_init(&c);
    cache_add(&c, "alpha", 0x0a000001);
    cache_add(&c, "beta", 0x0a000002);
    cache_add(&c, "gamma", 0x0a000003);
    cache_add(&c, "delta", 0x0a000004);
    for (int i = 0; i < RESOLVERS; i++)
        if (pthread_create(&t[i], NULL, resolver, &c) != 0)
            return 2;
    for (int i = 0; i < RESOLVERS; i++)
        pthread_join(t[i], NULL);

    int hits = cache_hits(&c);
    printf("%d hits\n", hits);
    return hits == RESOLVERS * (NASK - 1) ? 0 : 1;
}
