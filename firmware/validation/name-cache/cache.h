#ifndef CACHE_H
#define CACHE_H

#include <pthread.h>

#define HITS_MAX 9999

struct entry {
    const char *name;
    unsigned addr;
    int hits;
};

struct cache {
    pthread_rwlock_t rw;
    int n;
    struct entry e[8];
#ifdef FIXED
    pthread_mutex_t stat_lock;          /* for the hit counters */
#endif
};

void cache_init(struct cache *c);
void cache_add(struct cache *c, const char *name, unsigned addr);
unsigned cache_lookup(struct cache *c, const char *name);
int cache_hits(struct cache *c);

#endif
