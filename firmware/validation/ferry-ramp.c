/*
 * ferry-ramp.c: six cars queue at the ramp of a ferry until it is lowered.
 *
 * The harbour master wakes the queue and then marks the ramp as down.  The
 * other way round would be right: a car that looks in between finds the ramp
 * up, goes (back) to sleep, and there is no second wake-up call.
 *
 * validate:
 *   kind: missed-signal
 *   variable: ramp.down, ramp.moved
 *   threads: 8
 *   fails-by: deadlock
 *   rare: no
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#define CARS 6

typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t  moved;
    bool            down;
    int             queued;
} Ramp;

typedef struct {
    pthread_mutex_t lock;
    int deck[CARS];
    int aboard;
    int weight;
} Ferry;

static Ramp  ramp  = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0 };
static Ferry ferry = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void rampPass(Ramp *r)
{
    pthread_mutex_lock(&r->lock);
    r->queued++;
    while (!r->down) /* bug: 2 */
        pthread_cond_wait(&r->moved, &r->lock); /* bug: 3 */
    r->queued--;
    pthread_mutex_unlock(&r->lock);
}

static void rampLower(Ramp *r)
{
#ifndef FIXED
    pthread_cond_broadcast(&r->moved); /* bug: 1 */
#endif
    pthread_mutex_lock(&r->lock);
    r->down = true; /* bug: 4 */
#ifdef FIXED
    pthread_cond_broadcast(&r->moved);
#endif
    pthread_mutex_unlock(&r->lock);
}

static int startEngine(int car)
{
    int rpm = 0;
    for (int i = 0; i < 20; i++)
        rpm += 30 + (car * 7 + i) % 5;
    return rpm;
}

static void *carThread(void *arg)
{
    int car = *(int *)arg;

    if (startEngine(car) < 100)
        return NULL;
    rampPass(&ramp);
    pthread_mutex_lock(&ferry.lock);
    ferry.deck[ferry.aboard++] = car;
    ferry.weight += 900 + 50 * car;
    pthread_mutex_unlock(&ferry.lock);
    return NULL;
}

static void *harbourMaster(void *arg)
{
    rampLower(arg);
    return NULL;
}

int main(void)
{
    static int number[CARS];
    pthread_t car[CARS], master;

    for (int i = 0; i < CARS; i++) {
        number[i] = i + 1;
        pthread_create(&car[i], NULL, carThread, &number[i]);
        if (i == 0)
            pthread_create(&master, NULL, harbourMaster, &ramp);
    }
    pthread_join(master, NULL);
    for (int i = 0; i < CARS; i++)
        pthread_join(car[i], NULL);
    printf("%d cars aboard, %d kg\n", ferry.aboard, ferry.weight);
    return ferry.aboard == CARS ? 0 : 1;
}
