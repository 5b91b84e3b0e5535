#pragma once
#include <pthread.h>
#include <stdint.h>

#define DNS_BUCKETS 4
#define DNS_NAME 20

typedef struct dns_entry {
  struct dns_entry *next;
  char name[DNS_NAME];
  uint32_t addr;
  int ttl;
} dns_entry;

typedef struct dns_cache {
  pthread_mutex_t lock;
  dns_entry *bucket[DNS_BUCKETS];
  int entries;
  int hits, misses;
} dns_cache;

/* resolver.c: the slow way */
uint32_t resolve_upstream(const char *name);
int upstream_queries(void);

/* cache.c */
dns_cache *dns_cache_new(void);
void dns_cache_free(dns_cache *c);
uint32_t dns_lookup(dns_cache *c, const char *name);
int dns_cache_check(dns_cache *c);
