/*
 * mail-sorter: a postman puts letters into the inbox, a sorter moves them
 * into street bins and keeps the statistics.
 *
 * Bug: sort_one() holds the bins lock while it waits on the inbox condition.
 * The wait releases the inbox lock only.  The postman wants the bins lock for
 * his statistics before he drops the letter in and signals: if the sorter is
 * already waiting, nobody moves any more.
 *
 * validate:
 *   kind: deadlock
 *   variable: bins.lock, inbox.arrived
 *   threads: 3
 *   fails-by: deadlock
 *   rare: no
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#define LETTERS 9
#define STREETS 3
#define BACKLOG 5       /* the sorter need not get up before that */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t arrived;
    int letter[LETTERS];
    int count;
} inbox = { .lock = PTHREAD_MUTEX_INITIALIZER,
            .arrived = PTHREAD_COND_INITIALIZER };

static struct {
    pthread_mutex_t lock;
    int n[STREETS];
    int announced;
} bins = { .lock = PTHREAD_MUTEX_INITIALIZER };

static sem_t opening;

static void post(int street)
{
    pthread_mutex_lock(&bins.lock);                     /* bug: 3 */
    bins.announced++;
    pthread_mutex_unlock(&bins.lock);

    pthread_mutex_lock(&inbox.lock);
    inbox.letter[inbox.count++] = street;
    pthread_cond_signal(&inbox.arrived);
    pthread_mutex_unlock(&inbox.lock);
}

static void sort_one(void)
{
    int street;

#ifndef FIXED
    pthread_mutex_lock(&bins.lock);                     /* bug: 1 */
#endif
    pthread_mutex_lock(&inbox.lock);
    while (inbox.count == 0)
        pthread_cond_wait(&inbox.arrived, &inbox.lock); /* bug: 2 */
    street = inbox.letter[--inbox.count];
    pthread_mutex_unlock(&inbox.lock);
#ifdef FIXED
    pthread_mutex_lock(&bins.lock);
#endif
    bins.n[street]++;
    pthread_mutex_unlock(&bins.lock);
}

static void *sorter(void *arg)
{
    sem_wait(&opening);
    for (int i = 0; i < LETTERS; i++)
        sort_one();
    return arg;
}

static void *postman(void *arg)
{
    for (int i = 0; i < LETTERS; i++) {
        post((i * 5) % STREETS);
        if (i == BACKLOG)
            sem_post(&opening);
    }
    return arg;
}

int main(void)
{
    pthread_t p, s;

    sem_init(&opening, 0, 0);
    pthread_create(&p, NULL, postman, NULL);
    pthread_create(&s, NULL, sorter, NULL);
    pthread_join(p, NULL);
    pthread_join(s, NULL);
    printf("%d %d %d of %d\n", bins.n[0], bins.n[1], bins.n[2], bins.announced);
    return bins.n[0] + bins.n[1] + bins.n[2] == LETTERS ? 0 : 1;
}
