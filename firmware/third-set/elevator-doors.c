/*
 * An elevator goes up once through all floors. Riders press the button in the
 * lobby and wait until the car has reached their floor. The lobby panel and
 * the car are two monitors.
 *
 * Bug: a rider waits for the car inside the lobby's lock. The wait gives back
 * the car's lock, but the lobby stays locked, and the elevator must lock the
 * lobby before it goes on to the next floor.
 *
 * validate:
 *   kind: deadlock
 *   variable: lobby, car, arrived
 *   threads: 4
 *   fails-by: deadlock
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>

#define FLOORS 4

/* the lobby */
pthread_mutex_t lobby = PTHREAD_MUTEX_INITIALIZER;
int button[FLOORS];
int pressed;

/* the car */
pthread_mutex_t car = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
int position = 0;
int rides = 0;

void read_newspaper(int pages)
{
    volatile int words = 0;

    while (words < pages * 40)
        words++;
}

void go_up(void)
{
    volatile int meters = 0;

    while (meters < 60)
        meters++;
}

void *elevator(void *arg)
{
    int f;

    for (f = 1; f < FLOORS; f++) {
        go_up();
        pthread_mutex_lock(&lobby);                 /* bug: 3 */
        button[f] = 0;
        pthread_mutex_unlock(&lobby);

        pthread_mutex_lock(&car);
        position = f;
        pthread_cond_broadcast(&arrived);
        pthread_mutex_unlock(&car);
    }
    return arg;
}

void *rider(void *arg)
{
    int floor = *(int *)arg;

    read_newspaper(floor - 1);
    pthread_mutex_lock(&lobby);                     /* bug: 1 */
    button[floor] = 1;
    pressed++;
#ifdef FIXED
    pthread_mutex_unlock(&lobby);
#endif
    pthread_mutex_lock(&car);
    while (position < floor)
        pthread_cond_wait(&arrived, &car);          /* bug: 2 */
    rides++;
    pthread_mutex_unlock(&car);
#ifndef FIXED
    pthread_mutex_unlock(&lobby);                   /* bug */
#endif
    return NULL;
}

int main(void)
{
    pthread_t e, r1, r2;
    int low = 1, high = 3;

    pthread_create(&e, NULL, elevator, NULL);
    pthread_create(&r1, NULL, rider, &low);
    pthread_create(&r2, NULL, rider, &high);
    pthread_join(r1, NULL);
    pthread_join(r2, NULL);
    pthread_join(e, NULL);
    printf("%d rides, %d pressed\n", rides, pressed);
    return rides == 2 && pressed == 2 ? 0 : 1;
}
