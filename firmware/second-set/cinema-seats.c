/*
 * Three ticket clerks sell the last seats of a small cinema.
 *
 * Bug: whether a seat is left is looked up before the lock is taken, so two
 * clerks can both see the last one.
 *
 * validate:
 *   kind: check-then-act
 *   variable: hall.seats_left
 *   threads: 4
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define CLERKS 3
#define SEATS 7

typedef struct {
  pthread_mutex_t lock;
  int seats_left;
  int buyer[SEATS];
} Hall;

Hall hall = {.lock = PTHREAD_MUTEX_INITIALIZER, .seats_left = SEATS};

pthread_mutex_t popcorn_lock = PTHREAD_MUTEX_INITIALIZER;
int popcorn = 0;

int sell_seat(int customer) {
  int ok = 0;
#ifdef FIXED
  pthread_mutex_lock(&hall.lock);
  if (hall.seats_left > 0) {
#else
  if (hall.seats_left > 0) { /* bug: 1, 2 */
    pthread_mutex_lock(&hall.lock);
#endif
    hall.seats_left--; /* bug: 3, 4 */
    assert(hall.seats_left >= 0);
    hall.buyer[hall.seats_left] = customer;
    ok = 1;
#ifdef FIXED
  }
  pthread_mutex_unlock(&hall.lock);
#else
    pthread_mutex_unlock(&hall.lock);
  }
#endif
  return ok;
}

void sell_popcorn(void) {
  pthread_mutex_lock(&popcorn_lock);
  popcorn++;
  pthread_mutex_unlock(&popcorn_lock);
}

void *clerk(void *arg) {
  int *sold = arg;
  int base = *sold;
  *sold = 0;
  for (int i = 0; i < 4; i++) {
    sell_popcorn();
    if (sell_seat(base + i))
      (*sold)++;
  }
  return NULL;
}

int main(void) {
  pthread_t t[CLERKS];
  int sold[CLERKS] = {100, 200, 300};
  int total = 0;
  for (int i = 0; i < CLERKS; i++)
    pthread_create(&t[i], NULL, clerk, &sold[i]);
  for (int i = 0; i < CLERKS; i++) {
    pthread_join(t[i], NULL);
    total += sold[i];
  }
  printf("sold %d of %d, %d popcorn\n", total, SEATS, popcorn);
  return total == SEATS && popcorn == CLERKS * 4 ? 0 : 1;
}
