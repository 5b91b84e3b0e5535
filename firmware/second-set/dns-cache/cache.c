#include <stdlib.h>
#include <string.h>
#include "dns.h"

static unsigned slot_of(const char *name)
{
  unsigned h = 0;
  while (*name)
    h = h * 131 + (unsigned char)*name++;
  return h % DNS_BUCKETS;
}

dns_cache *dns_cache_new(void)
{
  dns_cache *c = calloc(1, sizeof *c);
  if (!c)
    abort();
  pthread_mutex_init(&c->lock, NULL);
  return c;
}

void dns_cache_free(dns_cache *c)
{
  for (int i = 0; i < DNS_BUCKETS; i++) {
    dns_entry *e = c->bucket[i], *n;
    for (; e; e = n) {
      n = e->next;
      free(e);
    }
  }
  pthread_mutex_destroy(&c->lock);
  free(c);
}

static dns_entry *find_locked(dns_cache *c, const char *name)
{
  dns_entry *e = c->bucket[slot_of(name)];        /* bug: 1 */
  while (e && strcmp(e->name, name) != 0)
    e = e->next;
  return e;
}

static dns_entry *insert_locked(dns_cache *c, const char *name, uint32_t addr)
{
  unsigned s = slot_of(name);
  dns_entry *e = calloc(1, sizeof *e);
  if (!e)
    abort();
  strncpy(e->name, name, DNS_NAME - 1);
  e->addr = addr;
  e->ttl = 60;
  e->next = c->bucket[s];
  c->bucket[s] = e;                               /* bug: 2, 3 */
  c->entries++;
  return e;
}

uint32_t dns_lookup(dns_cache *c, const char *name)
{
  dns_entry *e;
  uint32_t addr;

  pthread_mutex_lock(&c->lock);
  e = find_locked(c, name);                       /* bug */
  if (e) {
    c->hits++;
    addr = e->addr;
    pthread_mutex_unlock(&c->lock);
    return addr;
  }
  c->misses++;
  pthread_mutex_unlock(&c->lock);

  addr = resolve_upstream(name);

  pthread_mutex_lock(&c->lock);
#ifdef FIXED
  if (!find_locked(c, name))
    insert_locked(c, name, addr);
#else
  insert_locked(c, name, addr);                   /* bug */
#endif
  pthread_mutex_unlock(&c->lock);
  return addr;
}

/* Counts names that are there twice. */
int dns_cache_check(dns_cache *c)
{
  int twice = 0;

  pthread_mutex_lock(&c->lock);
  for (int i = 0; i < DNS_BUCKETS; i++)
    for (dns_entry *a = c->bucket[i]; a; a = a->next)
      for (dns_entry *b = a->next; b; b = b->next)
        twice += strcmp(a->name, b->name) == 0;
  pthread_mutex_unlock(&c->lock);
  return twice;
}
