/*
 * deadline-list.c
 *
 * The clock thread advances a wheel and queues the timers that are due; two
 * workers run them.  Idle workers sleep on a semaphore, and the clock posts it
 * only if someone has said that he sleeps (`sleepers').  A worker looks into
 * the queue, lets go of the lock and then says so: a timer that is queued
 * while both workers are in between wakes nobody.
 *
 * validate:
 *   kind: missed-signal
 *   variable: sleepers, wake
 *   threads: 4
 *   fails-by: deadlock
 *   rare: yes
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define SLOTS   4
#define TIMERS  6
#define NWORKER 2

struct tmr { int slot; int period; struct tmr *link; };

static struct tmr timers[TIMERS] = {
    { 0, 1, 0 }, { 1, 3, 0 }, { 1, 5, 0 }, { 2, 7, 0 }, { 3, 11, 0 }, { 3, 13, 0 },
};
static struct tmr *due;         /* queue of due timers */
static int sleepers;
static bool quit;
static int fired_sum;
static pthread_mutex_t qlock = PTHREAD_MUTEX_INITIALIZER;
static sem_t wake, fired;

static void timer_due(struct tmr *t)
{
    pthread_mutex_lock(&qlock);
    t->link = due;
    due = t; /* bug: 3 */
    if (sleepers > 0) { /* bug: 4 */
        sleepers--;
        sem_post(&wake);
    }
    pthread_mutex_unlock(&qlock);
}

static void *worker(void *arg)
{
    (void)arg;
    for (;;) {
        struct tmr *t;
        pthread_mutex_lock(&qlock);
        t = due; /* bug: 1, 2 */
        if (t != NULL) {
            due = t->link;
            fired_sum += t->period;
        } else if (quit) {
            pthread_mutex_unlock(&qlock);
            return NULL;
        }
#ifdef FIXED
        else
            sleepers++;
#endif
        pthread_mutex_unlock(&qlock);

        if (t != NULL) {
            sem_post(&fired);
        } else {
#ifndef FIXED
            pthread_mutex_lock(&qlock);
            sleepers++; /* bug: 5, 6 */
            pthread_mutex_unlock(&qlock);
#endif
            sem_wait(&wake); /* bug: 7, 8 */
        }
    }
}

static void *clock_main(void *arg)
{
    (void)arg;
    for (int tick = 0; tick < SLOTS; tick++)
        for (int i = 0; i < TIMERS; i++)
            if (timers[i].slot == tick) {
                timer_due(&timers[i]);
                sem_wait(&fired);       /* no overrun: one at a time */
            }
    return NULL;
}

int main(void)
{
    pthread_t w[NWORKER], c;

    sem_init(&wake, 0, 0);
    sem_init(&fired, 0, 0);
    for (int i = 0; i < NWORKER; i++)
        pthread_create(&w[i], NULL, worker, NULL);
    pthread_create(&c, NULL, clock_main, NULL);
    pthread_join(c, NULL);

    pthread_mutex_lock(&qlock);
    quit = true;
    pthread_mutex_unlock(&qlock);
    for (int i = 0; i < NWORKER; i++)
        sem_post(&wake);
    for (int i = 0; i < NWORKER; i++)
        pthread_join(w[i], NULL);
    printf("fired %d\n", fired_sum);
    return fired_sum == 40 ? 0 : 1;
}
