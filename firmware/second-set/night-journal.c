/*
 * Night watchmen write their rounds into a heap allocated journal. In the
 * morning main closes the journal, then waits for the watchmen to go home.
 *
 * Bug: "all rounds are done" is taken for "all have stopped writing", but each
 * watchman signs off in the journal afterwards; it may be freed by then.
 *
 * validate:
 *   kind: lifetime
 *   variable: journal
 *   threads: 4
 *   fails-by: fault
 *   rare: no
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#define WATCHMEN 3
#define ROUNDS 4

struct journal {
  int used;
  int lines[WATCHMEN * (ROUNDS + 1)];
};

static struct journal *journal;
static pthread_mutex_t pen = PTHREAD_MUTEX_INITIALIZER;
static sem_t rounds_done;
static int total_lines;

static void note(int text) {
  pthread_mutex_lock(&pen);
  journal->lines[journal->used++] = text; /* bug: 2 */
  total_lines++;
  pthread_mutex_unlock(&pen);
}

static void *watchman(void *arg) {
  int id = *(int *)arg;
  for (int r = 0; r < ROUNDS; r++)
    note(id * 100 + r);
  sem_post(&rounds_done);
  note(-id); /* signing off */ /* bug */
  return NULL;
}

static void close_journal(void) {
  pthread_mutex_lock(&pen);
  free(journal); /* bug: 1 */
  journal = NULL; /* bug */
  pthread_mutex_unlock(&pen);
}

int main(void) {
  pthread_t t[WATCHMEN];
  int id[WATCHMEN] = {1, 2, 3};

  sem_init(&rounds_done, 0, 0);
  journal = calloc(1, sizeof *journal);
  if (journal == NULL)
    return 2;
  for (int i = 0; i < WATCHMEN; i++)
    pthread_create(&t[i], NULL, watchman, &id[i]);
  for (int i = 0; i < WATCHMEN; i++)
    sem_wait(&rounds_done);
#ifndef FIXED
  close_journal(); /* bug */
#endif
  for (int i = 0; i < WATCHMEN; i++)
    pthread_join(t[i], NULL);
#ifdef FIXED
  close_journal();
#endif
  printf("%d lines\n", total_lines);
  return total_lines == WATCHMEN * (ROUNDS + 1) ? 0 : 1;
}
