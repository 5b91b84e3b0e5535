/*
 * Polling stations count ballots for four candidates in one shared tally.
 *
 * Bug: the getter and the setter lock properly, but adding a vote is a get
 * followed by a set, and another station can come in between.
 *
 * validate:
 *   kind: lost-update
 *   variable: tally[]
 *   threads: 4
 *   fails-by: exit
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define CANDIDATES 4
#define STATIONS 3
#define BALLOTS 8

int tally[CANDIDATES];
int spoiled = 0;
pthread_mutex_t tally_mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t spoiled_mutex = PTHREAD_MUTEX_INITIALIZER;

int get_votes(int who) {
  int v;
  pthread_mutex_lock(&tally_mutex);
  v = tally[who];                           /* bug: 1, 2 */
  pthread_mutex_unlock(&tally_mutex);
  return v;
}

void set_votes(int who, int v) {
  pthread_mutex_lock(&tally_mutex);
  tally[who] = v;                           /* bug: 3, 4 */
  pthread_mutex_unlock(&tally_mutex);
}

void add_vote(int who) {
#ifdef FIXED
  pthread_mutex_lock(&tally_mutex);
  tally[who]++;
  pthread_mutex_unlock(&tally_mutex);
#else
  int votes = get_votes(who);               /* bug */
  set_votes(who, votes + 1);                /* bug */
#endif
}

void add_spoiled(void) {
  pthread_mutex_lock(&spoiled_mutex);
  spoiled++;
  pthread_mutex_unlock(&spoiled_mutex);
}

void *station(void *arg) {
  unsigned ballot = (unsigned)(size_t)arg * 7 + 3;
  for (int i = 0; i < BALLOTS; i++) {
    ballot = ballot * 5 + 1;
    if (ballot % 9 == 0)
      add_spoiled();
    else
      add_vote(ballot % CANDIDATES);
  }
  return NULL;
}

int main(void) {
  pthread_t th[STATIONS];
  for (size_t i = 0; i < STATIONS; i++)
    if (pthread_create(&th[i], NULL, station, (void *)i) != 0)
      exit(2);
  for (int i = 0; i < STATIONS; i++)
    pthread_join(th[i], NULL);

  int sum = spoiled;
  for (int c = 0; c < CANDIDATES; c++)
    sum += get_votes(c);
  if (sum != STATIONS * BALLOTS) {
    printf("%d ballots, expected %d\n", sum, STATIONS * BALLOTS);
    return 1;
  }
  return 0;
}
