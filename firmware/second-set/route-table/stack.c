/*
 * A network stack: a routing daemon adds routes while senders look routes up without
 * a lock and send through the gateway of the route.
 *
 * Bug: a new route is linked into its chain before its gateway is set.
 *
 * validate:
 *   kind: publication
 *   variable: r->gw, rt->bucket[]
 *   threads: 5
 *   fails-by: fault
 *   rare: no
 */
#include <stdio.h>
#include <stdlib.h>
#include "route.h"

#define SENDERS 3
#define DESTS 8
#define ROUNDS 2

struct icmp_msg {
  uint32_t dst;
  struct icmp_msg *next;
};

static struct rtable table;
static struct gateway gws[2];

static struct {
  pthread_mutex_t lock;
  struct icmp_msg *unreachable;
  unsigned sent, dropped;
} stats = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void note(uint32_t dst, unsigned frags)
{
  pthread_mutex_lock(&stats.lock);
  if (frags) {
    stats.sent += frags;
  } else {
    struct icmp_msg *m = malloc(sizeof *m);
    if (!m)
      abort();
    m->dst = dst;
    m->next = stats.unreachable;
    stats.unreachable = m;
    stats.dropped++;
  }
  pthread_mutex_unlock(&stats.lock);
}

static void *daemon_main(void *arg)
{
  (void)arg;
  for (uint32_t d = 0; d < DESTS; d++)
    rt_add(&table, 0x0a00 + d, 1 + (int)(d % 3), &gws[d % 2]);
  return NULL;
}

static void *sender_main(void *arg)
{
  uint32_t self = (uint32_t)(size_t)arg;

  for (int round = 0; round < ROUNDS; round++)
    for (uint32_t d = 0; d < DESTS; d++) {
      uint32_t dst = 0x0a00 + (d + self * 3) % DESTS;
      note(dst, rt_output(&table, dst, 100 + 40 * d));
    }
  return NULL;
}

int main(void)
{
  pthread_t daemon_tid, tid[SENDERS];
  unsigned packets, dropped = 0;

  for (int i = 0; i < 2; i++) {
    gws[i].addr = 0x0a01 + (uint32_t)i;
    gws[i].mtu = 128;
    atomic_init(&gws[i].packets, 0);
  }
  rt_init(&table);
  rt_add(&table, 0x0a00, 9, &gws[1]);

  for (size_t i = 0; i < SENDERS; i++)
    pthread_create(&tid[i], NULL, sender_main, (void *)i);
  pthread_create(&daemon_tid, NULL, daemon_main, NULL);
  for (int i = 0; i < SENDERS; i++)
    pthread_join(tid[i], NULL);
  pthread_join(daemon_tid, NULL);

  packets = atomic_load(&gws[0].packets) + atomic_load(&gws[1].packets);
  while (stats.unreachable) {
    struct icmp_msg *m = stats.unreachable;
    stats.unreachable = m->next;
    dropped++;
    free(m);
  }
  if (packets != stats.sent || dropped != stats.dropped || table.nroutes != DESTS + 1)
    return 1;
  rt_destroy(&table);
  return 0;
}
