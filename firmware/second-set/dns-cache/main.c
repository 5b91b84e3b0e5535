/*
 * Clients of a caching name server look names up; a name that is not in the cache
 * is asked from upstream without holding the lock and then put in.
 *
 * Bug: after the answer has come, nobody looks again whether another client has put
 * the same name in meanwhile, and the cache gets it twice.
 *
 * validate:
 *   kind: check-then-act
 *   variable: c->bucket[]
 *   threads: 5
 *   fails-by: exit
 *   rare: no
 */
#include <stdio.h>
#include "dns.h"

#define CLIENTS 4
#define LOOKUPS 6
#define NAMES 6

static const char *names[NAMES] = {
  "mail.reef.example", "ns1.reef.example", "git.reef.example",
  "www.dune.example", "cdn.dune.example", "ftp.moss.example",
};

struct client {
  int id;
  dns_cache *cache;
  pthread_t tid;
  uint32_t got[LOOKUPS];
};

static void *client_main(void *arg)
{
  struct client *cl = arg;

  for (int i = 0; i < LOOKUPS; i++)
    cl->got[i] = dns_lookup(cl->cache, names[(cl->id * 2 + i) % NAMES]);
  return NULL;
}

int main(void)
{
  static struct client cl[CLIENTS];
  dns_cache *cache = dns_cache_new();
  int rc = 0, twice;

  for (int i = 0; i < CLIENTS; i++) {
    cl[i].id = i;
    cl[i].cache = cache;
    pthread_create(&cl[i].tid, NULL, client_main, &cl[i]);
  }
  for (int i = 0; i < CLIENTS; i++)
    pthread_join(cl[i].tid, NULL);

  for (int i = 0; i < CLIENTS; i++)
    for (int k = 0; k < LOOKUPS; k++)
      if ((cl[i].got[k] >> 24) != 10)
        rc = 2;
  if (cache->hits + cache->misses != CLIENTS * LOOKUPS || upstream_queries() != cache->misses)
    rc = 3;
  twice = dns_cache_check(cache);
  if (twice) {
    fprintf(stderr, "%d names are cached twice\n", twice);
    rc = 1;
  }
  dns_cache_free(cache);
  return rc;
}
