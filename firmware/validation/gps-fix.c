/*
 * gps-fix.c
 *
 * The receiver thread moves the position along a straight track (lat and lon
 * change by the same step); the main thread follows it on a map.
 *
 * Bug: the map reads latitude and longitude through two getters, each of
 * which locks on its own.  A new fix between the two calls gives a position
 * that never existed.
 *
 * validate:
 *   kind: several-variables
 *   variable: fix.lat, fix.lon
 *   threads: 2
 *   fails-by: exit
 *   rare: no
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

typedef struct { int lat, lon; } pos_t;

static struct {
    pthread_mutex_t mtx;
    int lat;
    int lon;
    int last;
} fix = { PTHREAD_MUTEX_INITIALIZER, 4700, 800, 0 };

#define LOCKED(stmt)                      \
    do {                                  \
        pthread_mutex_lock(&fix.mtx);     \
        stmt;                             \
        pthread_mutex_unlock(&fix.mtx);   \
    } while (0)

#ifndef FIXED
static int get_lat(void)
{
    int v;
    LOCKED(v = fix.lat);                                /* bug: 1 */
    return v;
}

static int get_lon(void)
{
    int v;
    LOCKED(v = fix.lon);                                /* bug: 4 */
    return v;
}
#endif

static pos_t where(void)
{
    pos_t p;
#ifdef FIXED
    LOCKED(p.lat = fix.lat; p.lon = fix.lon);
#else
    p.lat = get_lat();
    p.lon = get_lon();
#endif
    return p;
}

static void move(int step)
{
    pthread_mutex_lock(&fix.mtx);
    fix.lat += step;                                    /* bug: 2 */
    fix.lon += step;                                    /* bug: 3 */
    pthread_mutex_unlock(&fix.mtx);
}

static void *receiver(void *arg)
{
    for (int i = 0; i < 30; i++) {
        move(i % 5 + 1);
        if (i % 10 == 9)
            sched_yield();
    }
    LOCKED(fix.last = 1);
    return arg;
}

int main(void)
{
    pthread_t r;
    int off_track = 0, done = 0, n = 0;

    pthread_create(&r, NULL, receiver, NULL);
    while (!done && n < 40) {
        pos_t p = where();

        n++;
        if (p.lat - p.lon != 3900)
            off_track++;
        LOCKED(done = fix.last);
    }
    pthread_join(r, NULL);
    printf("%d of the fixes off the track\n", off_track);
    return off_track ? 1 : 0;
}
