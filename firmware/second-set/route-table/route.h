#ifndef ROUTE_H_
#define ROUTE_H_

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define RT_BUCKETS 4

struct gateway {
  uint32_t addr;
  unsigned mtu;
  atomic_uint packets;
};

struct route {
  uint32_t dst;
  int metric;
  struct gateway *_Atomic gw;
  struct route *next;
};

struct rtable {
  pthread_mutex_t wlock;                  /* writers only; readers walk without a lock */
  struct route *_Atomic bucket[RT_BUCKETS];
  unsigned nroutes;
};

void rt_init(struct rtable *rt);
void rt_destroy(struct rtable *rt);
void rt_add(struct rtable *rt, uint32_t dst, int metric, struct gateway *gw);
struct route *rt_find(struct rtable *rt, uint32_t dst);
unsigned rt_output(struct rtable *rt, uint32_t dst, unsigned len);

#endif
