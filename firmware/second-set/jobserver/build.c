/*
 * A build tool: targets are made by a pool of workers as soon as everything that they
 * need has been made; a target without a name ends one worker.
 *
 * Bug: a worker that finds the queue empty lets the lock go to count itself idle, and
 * then waits without looking at the queue again; a signal in between is lost.
 *
 * validate:
 *   kind: missed-signal
 *   variable: q->head, q->more
 *   threads: 4
 *   fails-by: deadlock
 *   rare: no
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include "jobs.h"

#define WORKERS 3
#define NTARGETS 7

static jobqueue queue;
static target *targets[NTARGETS];
static atomic_int left;

static target *target_new(const char *name, int cost)
{
  target *t = calloc(1, sizeof *t);
  assert(t);
  t->name = name;
  t->cost = cost;
  atomic_init(&t->waits_for, 0);
  return t;
}

static void needs(int who, int what)
{
  target *w = targets[what];
  assert(w->nusers < MAX_USERS);
  w->users[w->nusers++] = targets[who];
  atomic_fetch_add(&targets[who]->waits_for, 1);
}

static void end_workers(void)
{
  for (int i = 0; i < WORKERS; i++)
    jobs_push(&queue, target_new(NULL, 0));
}

static void make(target *t)
{
  assert(t->result == 0);
  for (int i = 0; i < t->cost; i++)
    t->result += i + 1;
  stats_made(t->cost);
  for (int i = 0; i < t->nusers; i++)
    if (atomic_fetch_sub(&t->users[i]->waits_for, 1) == 1)
      jobs_push(&queue, t->users[i]);
  if (atomic_fetch_sub(&left, 1) == 1)
    end_workers();
}

static void *worker(void *arg)
{
  (void)arg;
  for (;;) {
    target *t = jobs_pop(&queue);
    if (!t->name) {
      free(t);
      return NULL;
    }
    make(t);
  }
}

int main(void)
{
  static const char *names[NTARGETS] = {
    "lex.o", "parse.o", "emit.o", "libcc.a", "main.o", "cc", "tests",
  };
  pthread_t tid[WORKERS];
  int cost, idle, want = 0;

  jobs_init(&queue);
  atomic_init(&left, NTARGETS);
  for (int i = 0; i < NTARGETS; i++) {
    targets[i] = target_new(names[i], 3 + i);
    want += 3 + i;
  }
  needs(3, 0); needs(3, 1); needs(3, 2);
  needs(5, 3); needs(5, 4);
  needs(6, 5);
  for (int i = 0; i < 3; i++)
    jobs_push(&queue, targets[i]);
  jobs_push(&queue, targets[4]);

  for (int i = 0; i < WORKERS; i++)
    pthread_create(&tid[i], NULL, worker, NULL);
  for (int i = 0; i < WORKERS; i++)
    pthread_join(tid[i], NULL);

  assert(stats_get(&cost, &idle) == NTARGETS);
  assert(cost == want);
  assert(queue.pushed == NTARGETS + WORKERS);
  for (int i = 0; i < NTARGETS; i++) {
    assert(targets[i]->result == targets[i]->cost * (targets[i]->cost + 1) / 2);
    free(targets[i]);
  }
  return 0;
}
