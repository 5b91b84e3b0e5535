#include <stddef.h>
#include "jobs.h"

void jobs_init(jobqueue *q)
{
  pthread_mutex_init(&q->lock, NULL);
  pthread_cond_init(&q->more, NULL);
  q->head = q->tail = NULL;
  q->pushed = 0;
}

void jobs_push(jobqueue *q, target *t)
{
  t->next = NULL;
  pthread_mutex_lock(&q->lock);
  if (q->tail)
    q->tail->next = t;
  else
    q->head = t;                                /* bug: 2 */
  q->tail = t;
  q->pushed++;
  pthread_cond_signal(&q->more);                /* bug: 3 */
  pthread_mutex_unlock(&q->lock);
}

target *jobs_pop(jobqueue *q)
{
  target *t;

  pthread_mutex_lock(&q->lock);
#ifdef FIXED
  while (q->head == NULL) {
    stats_idle();
    pthread_cond_wait(&q->more, &q->lock);
  }
#else
  while (q->head == NULL) {                     /* bug: 1 */
    pthread_mutex_unlock(&q->lock);             /* bug */
    stats_idle();
    pthread_mutex_lock(&q->lock);
    pthread_cond_wait(&q->more, &q->lock);      /* bug: 4 */
  }
#endif
  t = q->head;
  q->head = t->next;
  if (q->head == NULL)
    q->tail = NULL;
  pthread_mutex_unlock(&q->lock);
  return t;
}
