#include "dns.h"

static pthread_mutex_t up_lock = PTHREAD_MUTEX_INITIALIZER;
static int queries;

uint32_t resolve_upstream(const char *name)
{
  uint32_t h = 2166136261u;

  for (; *name; name++)
    h = (h ^ (unsigned char)*name) * 16777619u;
  pthread_mutex_lock(&up_lock);
  queries++;
  pthread_mutex_unlock(&up_lock);
  return 0x0a000000u | (h & 0xffffffu);
}

int upstream_queries(void)
{
  int n;
  pthread_mutex_lock(&up_lock);
  n = queries;
  pthread_mutex_unlock(&up_lock);
  return n;
}
