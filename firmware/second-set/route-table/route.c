#include <stdlib.h>
#include "route.h"

static unsigned rt_hash(uint32_t dst) { return (dst ^ (dst >> 4)) % RT_BUCKETS; }

void rt_init(struct rtable *rt)
{
  pthread_mutex_init(&rt->wlock, NULL);
  for (int i = 0; i < RT_BUCKETS; i++)
    atomic_init(&rt->bucket[i], NULL);
  rt->nroutes = 0;
}

void rt_destroy(struct rtable *rt)
{
  for (int i = 0; i < RT_BUCKETS; i++) {
    struct route *r = atomic_load(&rt->bucket[i]);
    while (r) {
      struct route *n = r->next;
      free(r);
      r = n;
    }
  }
  pthread_mutex_destroy(&rt->wlock);
}

void rt_add(struct rtable *rt, uint32_t dst, int metric, struct gateway *gw)
{
  unsigned h = rt_hash(dst);
  struct route *r = malloc(sizeof *r);

  if (!r)
    abort();
  r->dst = dst;
  r->metric = metric;
  atomic_init(&r->gw, NULL);

  pthread_mutex_lock(&rt->wlock);
#ifdef FIXED
  atomic_store(&r->gw, gw);
#endif
  r->next = atomic_load(&rt->bucket[h]);
  atomic_store(&rt->bucket[h], r);                    /* bug: 1 */
  rt->nroutes++;
#ifndef FIXED
  if (gw->mtu < 68)
    gw->mtu = 68;
  atomic_store(&r->gw, gw);                           /* bug: 3 */
#endif
  pthread_mutex_unlock(&rt->wlock);
}

struct route *rt_find(struct rtable *rt, uint32_t dst)
{
  struct route *r, *best = NULL;

  for (r = atomic_load(&rt->bucket[rt_hash(dst)]); r; r = r->next)
    if (r->dst == dst && (!best || r->metric < best->metric))
      best = r;
  return best;
}

/* Sends len bytes, gives the number of fragments; 0 when there is no route (yet). */
unsigned rt_output(struct rtable *rt, uint32_t dst, unsigned len)
{
  struct route *r = rt_find(rt, dst);
  struct gateway *gw;
  unsigned frags;

  if (!r)
    return 0;
  gw = atomic_load(&r->gw);                           /* bug: 2 */
  frags = (len + gw->mtu - 1) / gw->mtu;              /* bug */
  atomic_fetch_add(&gw->packets, frags);
  return frags;
}
