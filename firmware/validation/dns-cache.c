/*
 * dns-cache.c: resolver cache with lock-free lookups.
 *
 * Resolver threads insert answers under the cache lock; lookups scan the
 * table without it and trust the `valid' flag of an entry.  cache_insert()
 * raises the flag as soon as the name is in place and fills in the address
 * and the time-to-live afterwards, so a lookup can return 0.0.0.0.
 *
 * validate:
 *   kind: publication
 *   variable: e->valid, e->addr
 *   threads: 4
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define CACHE_SIZE 16

struct dns_entry {
    atomic_int valid;
    char name[20];
    uint32_t addr;
    unsigned ttl;
};

static struct dns_entry cache[CACHE_SIZE];
static int cache_used;
static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;

/* "authoritative" answer, made up from the name */
static uint32_t resolve(const char *name)
{
    uint32_t h = 0x0A000000;
    for (; *name; name++)
        h += (uint32_t)*name * 259u;
    return h;
}

static void cache_insert(const char *name)
{
    struct dns_entry *e;

    pthread_mutex_lock(&cache_lock);
    assert(cache_used < CACHE_SIZE);
    e = &cache[cache_used++];
    strncpy(e->name, name, sizeof e->name - 1);
#ifndef FIXED
    atomic_store(&e->valid, 1); /* bug: 1 */
#endif
    e->ttl = 300;
    e->addr = resolve(name); /* bug: 4 */
#ifdef FIXED
    atomic_store(&e->valid, 1);
#endif
    pthread_mutex_unlock(&cache_lock);
}

static int cache_lookup(const char *name, uint32_t *addr)
{
    for (int i = 0; i < CACHE_SIZE; i++) {
        struct dns_entry *e = &cache[i];
        if (!atomic_load(&e->valid)) /* bug: 2 */
            continue;
        if (strcmp(e->name, name) == 0) {
            *addr = e->addr; /* bug: 3 */
            return 1;
        }
    }
    return 0;
}

static const char *const zone_a[] = { "www.example", "mail.example", "ns1.example", NULL };
static const char *const zone_b[] = { "ftp.other", "irc.other", NULL };

static void *resolver(void *arg)
{
    for (const char *const *n = arg; *n; n++)
        cache_insert(*n);
    return NULL;
}

static void *client(void *arg)
{
    static const char *const ask[] = {
        "mail.example", "irc.other", "www.example", "ftp.other", "ns1.example"
    };
    int hits = 0, *bad = arg;
    for (int round = 0; round < 6; round++)
        for (int i = 0; i < 5; i++) {
            uint32_t a = 0;
            if (cache_lookup(ask[i], &a)) {
                hits++;
                *bad += a != resolve(ask[i]);
            }
        }
    return (void *)(intptr_t)hits;
}

int main(void)
{
    pthread_t ra, rb, c;
    void *hits;
    int bad = 0;

    pthread_create(&c, NULL, client, &bad);
    pthread_create(&ra, NULL, resolver, (void *)zone_a);
    pthread_create(&rb, NULL, resolver, (void *)zone_b);
    pthread_join(ra, NULL);
    pthread_join(rb, NULL);
    pthread_join(c, &hits);
    printf("%d hits of 30\n", (int)(intptr_t)hits);
    assert(bad == 0);
    return 0;
}
