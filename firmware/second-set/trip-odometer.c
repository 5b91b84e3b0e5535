/*
 * Rental vans report each driven kilometre. The last digits are one atomic
 * counter; whoever rolls it over also bumps the thousands wheel.
 *
 * Bug: the thousands wheel is bumped by a plain read and write, "it turns so
 * seldom". If a van is stopped in between for a whole turn, a turn is lost.
 *
 * validate:
 *   kind: lost-update
 *   variable: odo.wheel
 *   threads: 4
 *   fails-by: exit
 *   rare: yes
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define VANS 3
#define KM   40
#define TURN 40

static struct {
    atomic_uint km;
    unsigned wheel;
} odo;

static struct {
    pthread_mutex_t m;
    unsigned litres, stops;
} fuel = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };

#ifdef FIXED
static pthread_mutex_t wheel_lock = PTHREAD_MUTEX_INITIALIZER;
#endif

static void turn_wheel(void)
{
#ifdef FIXED
    pthread_mutex_lock(&wheel_lock);
    odo.wheel = odo.wheel + 1;
    pthread_mutex_unlock(&wheel_lock);
#else
    unsigned w = odo.wheel;             /* bug: 1, 2 */
    odo.wheel = w + 1;                  /* bug: 3, 4 */
#endif
}

static void refuel(unsigned litres)
{
    pthread_mutex_lock(&fuel.m);
    fuel.litres += litres;
    fuel.stops++;
    pthread_mutex_unlock(&fuel.m);
}

static void *van(void *arg)
{
    unsigned tank = *(unsigned *)arg;
    for (int i = 0; i < KM; i++) {
        unsigned before = atomic_fetch_add(&odo.km, 1);
        if (before % TURN == TURN - 1)
            turn_wheel();
        if (--tank == 0) {
            refuel(5);
            tank = 3;
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t t[VANS];
    unsigned tanks[VANS] = { 2, 3, 4 };

    for (int i = 0; i < VANS; i++)
        pthread_create(&t[i], NULL, van, &tanks[i]);
    for (int i = 0; i < VANS; i++)
        pthread_join(t[i], NULL);

    if (fuel.litres != 5 * fuel.stops)
        return 2;
    if (odo.wheel * TURN != odo.km) {
        printf("wheel %u, km %u\n", odo.wheel, odo.km);
        return 1;
    }
    return 0;
}
