#ifndef JOBS_H
#define JOBS_H

#include <pthread.h>
#include <stdatomic.h>

#define MAX_USERS 4

/* A target of the build; it is queued when all that it needs is made. */
typedef struct target {
  const char *name;
  atomic_int waits_for;
  int nusers;
  struct target *users[MAX_USERS];
  int cost;
  int result;
  struct target *next;          /* in the queue */
} target;

typedef struct jobqueue {
  pthread_mutex_t lock;
  pthread_cond_t more;
  target *head, *tail;
  int pushed;
} jobqueue;

void jobs_init(jobqueue *q);
void jobs_push(jobqueue *q, target *t);
target *jobs_pop(jobqueue *q);

/* stats.c */
void stats_idle(void);
void stats_made(int cost);
int stats_get(int *cost, int *idle);

#endif
