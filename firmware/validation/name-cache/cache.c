#include "cache.h"

#include <string.h>

void cache_init(struct cache *c)
{
    pthread_rwlock_init(&c->rw, NULL);
#ifdef FIXED
    pthread_mutex_init(&c->stat_lock, NULL);
#endif
    c->n = 0;
}

void cache_add(struct cache *c, const char *name, unsigned addr)
{
    pthread_rwlock_wrlock(&c->rw);
    c->e[c->n].name = name;
    c->e[c->n].addr = addr;
    c->e[c->n].hits = 0;
    c->n++;
    pthread_rwlock_unlock(&c->rw);
}

static void count_hit(struct cache *c, struct entry *e)
{
    (void)c;
#ifdef FIXED
    pthread_mutex_lock(&c->stat_lock);
#endif
    e->hits = e->hits < HITS_MAX ? e->hits + 1 : HITS_MAX;  /* bug: 1, 2, 3, 4 */
#ifdef FIXED
    pthread_mutex_unlock(&c->stat_lock);
#endif
}

unsigned cache_lookup(struct cache *c, const char *name)
{
    unsigned addr = 0;

    pthread_rwlock_rdlock(&c->rw);              /* bug */
    for (int i = 0; i < c->n; i++)
        if (strcmp(c->e[i].name, name) == 0) {
            count_hit(c, &c->e[i]);
            addr = c->e[i].addr;
            break;
        }
    pthread_rwlock_unlock(&c->rw);
    return addr;
}

int cache_hits(struct cache *c)
{
    int sum = 0;

    pthread_rwlock_rdlock(&c->rw);
    for (int i = 0; i < c->n; i++)
        sum += c->e[i].hits;
    pthread_rwlock_unlock(&c->rw);
    return sum;
}
