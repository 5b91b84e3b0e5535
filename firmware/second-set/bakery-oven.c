/*
 * A baker waits for the oven to be hot; the stoker heats it in a thread.
 *
 * Bug: the stoker sets the (atomic) flag and signals without holding the
 * mutex, so both can fall between the baker's test and the baker's wait.
 *
 * validate:
 *   kind: missed-signal
 *   variable: hot, oven_cond
 *   threads: 4
 *   fails-by: deadlock
 *   rare: no
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

atomic_int hot = 0;
pthread_mutex_t oven_mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t oven_cond = PTHREAD_COND_INITIALIZER;

int loaves = 0;          /* under oven_mutex */
int logs = 12;           /* under wood_mutex */
pthread_mutex_t wood_mutex = PTHREAD_MUTEX_INITIALIZER;

int take_log(void) {
  pthread_mutex_lock(&wood_mutex);
  int got = logs > 0;
  if (got)
    logs--;
  pthread_mutex_unlock(&wood_mutex);
  return got;
}

void *stoker(void *arg) {
  int heat = 0;
  (void)arg;
  while (heat < 15 && take_log())
    heat += 5;
#ifdef FIXED
  pthread_mutex_lock(&oven_mutex);
  hot = 1;
  pthread_cond_broadcast(&oven_cond);
  pthread_mutex_unlock(&oven_mutex);
#else
  hot = 1;                                        /* bug: 2 */
  pthread_cond_broadcast(&oven_cond);             /* bug: 3 */
#endif
  return NULL;
}

void *baker(void *arg) {
  int n = *(int *)arg;
  pthread_mutex_lock(&oven_mutex);
  while (!hot)                                    /* bug: 1 */
    pthread_cond_wait(&oven_cond, &oven_mutex);   /* bug: 4 */
  loaves += n;
  pthread_mutex_unlock(&oven_mutex);
  return NULL;
}

int main(void) {
  pthread_t s, b1, b2;
  int n1 = 12, n2 = 20;
  pthread_create(&s, NULL, stoker, NULL);
  pthread_create(&b1, NULL, baker, &n1);
  pthread_create(&b2, NULL, baker, &n2);
  pthread_join(s, NULL);
  pthread_join(b1, NULL);
  pthread_join(b2, NULL);
  printf("%d loaves, %d logs left\n", loaves, logs);
  return loaves == 32 && logs == 9 ? 0 : 1;
}
