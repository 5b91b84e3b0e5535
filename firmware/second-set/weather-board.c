/*
 * A weather station puts one report on the village board; passers-by read it
 * once it is marked as ready, or give up.
 *
 * Bug: the report is marked ready before its numbers are written.
 *
 * validate:
 *   kind: publication
 *   variable: board.ready, board.pressure
 *   threads: 4
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

typedef struct {
  atomic_int ready;
  int temperature;
  int pressure;
} Board;

static Board board;

static pthread_mutex_t visitors_mutex = PTHREAD_MUTEX_INITIALIZER;
static int visitors, informed;

static void *station(void *arg) {
  int sum = 0;
  (void)arg;
  for (int i = 0; i < 5; i++) /* average of five readings */
    sum += 18 + i;
#ifdef FIXED
  board.temperature = sum / 5;
  board.pressure = 1013;
  atomic_store(&board.ready, 1);
#else
  board.temperature = sum / 5;
  atomic_store(&board.ready, 1); /* bug: 1 */
  board.pressure = 1013;         /* bug: 4 */
#endif
  return NULL;
}

static void *passer_by(void *arg) {
  int *seen = arg;
  for (int tries = 0; tries < 6 && *seen == 0; tries++) {
    pthread_mutex_lock(&visitors_mutex);
    visitors++;
    pthread_mutex_unlock(&visitors_mutex);

    if (atomic_load(&board.ready)) { /* bug: 2 */
      int p = board.pressure;        /* bug: 3 */
      assert(p > 900 && p < 1100);
      *seen = p + board.temperature;

      pthread_mutex_lock(&visitors_mutex);
      informed++;
      pthread_mutex_unlock(&visitors_mutex);
    }
  }
  return NULL;
}

int main(void) {
  pthread_t st, p1, p2;
  int a = 0, b = 0;
  pthread_create(&st, NULL, station, NULL);
  pthread_create(&p1, NULL, passer_by, &a);
  pthread_create(&p2, NULL, passer_by, &b);
  pthread_join(st, NULL);
  pthread_join(p1, NULL);
  pthread_join(p2, NULL);
  printf("%d visits, %d informed\n", visitors, informed);
  if (a != 0 && b != 0)
    assert(a == b);
  return 0;
}
