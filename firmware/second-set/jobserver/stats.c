#include "jobs.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int made, total_cost, times_idle;

void stats_idle(void)
{
  pthread_mutex_lock(&lock);
  times_idle++;
  pthread_mutex_unlock(&lock);
}

void stats_made(int cost)
{
  pthread_mutex_lock(&lock);
  made++;
  total_cost += cost;
  pthread_mutex_unlock(&lock);
}

int stats_get(int *cost, int *idle)
{
  int n;
  pthread_mutex_lock(&lock);
  n = made;
  *cost = total_cost;
  *idle = times_idle;
  pthread_mutex_unlock(&lock);
  return n;
}
