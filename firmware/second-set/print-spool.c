/*
 * Printers empty a spool of jobs and add up the printed pages.
 *
 * Bug: "is there a job" and "give me the job" are two separately locked
 * calls; another printer may take the last job in between and NULL is printed.
 *
 * validate:
 *   kind: check-then-act
 *   variable: spool.count, spool.head
 *   threads: 4
 *   fails-by: fault
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct job {
  int pages;
  struct job *next;
};

struct {
  pthread_mutex_t m;
  struct job *head;
  int count;
} spool = {PTHREAD_MUTEX_INITIALIZER, NULL, 0};

struct {
  pthread_mutex_t m;
  int pages;
} paper = {PTHREAD_MUTEX_INITIALIZER, 0};

void spool_push(int pages) {
  struct job *j = malloc(sizeof *j);
  if (!j) exit(3);
  j->pages = pages;
  pthread_mutex_lock(&spool.m);
  j->next = spool.head;
  spool.head = j;
  spool.count++;
  pthread_mutex_unlock(&spool.m);
}

int spool_size(void) {
  pthread_mutex_lock(&spool.m);
  int n = spool.count;                  /* bug: 1 */
  pthread_mutex_unlock(&spool.m);
  return n;
}

struct job *spool_pop(void) {
  pthread_mutex_lock(&spool.m);
  struct job *j = spool.head;           /* bug: 3 */
  if (j) {
    spool.head = j->next;               /* bug: 2 */
    spool.count--;
  }
  pthread_mutex_unlock(&spool.m);
  return j;
}

void *printer(void *unused) {
  (void)unused;
  while (spool_size() > 0) {            /* bug */
    struct job *j = spool_pop();        /* bug */
#ifdef FIXED
    if (j == NULL)
      break;
#endif
    int pages = j->pages;               /* bug */
    pthread_mutex_lock(&paper.m);
    paper.pages += pages;
    pthread_mutex_unlock(&paper.m);
    free(j);
  }
  return NULL;
}

int main(void) {
  pthread_t p[3];
  int want = 0;
  for (int i = 1; i <= 10; i++) {
    spool_push(i);
    want += i;
  }
  for (int i = 0; i < 3; i++)
    pthread_create(&p[i], NULL, printer, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(p[i], NULL);
  printf("%d pages\n", paper.pages);
  return paper.pages != want;
}
