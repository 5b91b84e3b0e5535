/*
 * A navigator moves a ship diagonally across a chart and a lookout reports
 * the position. East and north belong together: they always are equal.
 *
 * Bug: each coordinate is locked on its own, so a report may combine the old
 * north with the new east.
 *
 * validate:
 *   kind: several-variables
 *   variable: ship.east, ship.north
 *   threads: 4
 *   fails-by: exit
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct ship {
  pthread_mutex_t mu;
  int east;
  int north;
};

static struct ship ship = {PTHREAD_MUTEX_INITIALIZER, 0, 0};

static pthread_mutex_t log_mu = PTHREAD_MUTEX_INITIALIZER;
static struct { int east, north; } log_book[16];
static int log_len;

static int get_east(void) {
  pthread_mutex_lock(&ship.mu);
  int e = ship.east;                    /* bug: 4 */
  pthread_mutex_unlock(&ship.mu);
  return e;
}

static int get_north(void) {
  pthread_mutex_lock(&ship.mu);
  int n = ship.north;                   /* bug: 1 */
  pthread_mutex_unlock(&ship.mu);
  return n;
}

static void sail(void) {
  pthread_mutex_lock(&ship.mu);
  ship.east++;                          /* bug: 2 */
  ship.north++;                         /* bug: 3 */
  pthread_mutex_unlock(&ship.mu);
}

static void *navigator(void *arg) {
  (void)arg;
  for (int i = 0; i < 10; i++)
    sail();
  return NULL;
}

static void *lookout(void *arg) {
  (void)arg;
  for (int i = 0; i < 5; i++) {
    int e, n;
#ifdef FIXED
    pthread_mutex_lock(&ship.mu);
    n = ship.north;
    e = ship.east;
    pthread_mutex_unlock(&ship.mu);
#else
    n = get_north();                    /* bug */
    e = get_east();                     /* bug */
#endif
    pthread_mutex_lock(&log_mu);
    log_book[log_len].east = e;
    log_book[log_len].north = n;
    log_len++;
    pthread_mutex_unlock(&log_mu);
  }
  return NULL;
}

int main(void) {
  pthread_t nav, look1, look2;
  pthread_create(&nav, NULL, navigator, NULL);
  pthread_create(&look1, NULL, lookout, NULL);
  pthread_create(&look2, NULL, lookout, NULL);
  pthread_join(nav, NULL);
  pthread_join(look1, NULL);
  pthread_join(look2, NULL);

  for (int i = 0; i < log_len; i++)
    if (log_book[i].east != log_book[i].north) {
      fprintf(stderr, "off course: %d/%d\n", log_book[i].east, log_book[i].north);
      exit(1);
    }
  printf("ship at %d/%d, %d reports\n", get_east(), get_north(), log_len);
  return 0;
}
