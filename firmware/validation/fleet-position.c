/*
 * fleet-position.c - current position of a drone, shared between tasks.
 *
 * The GPS task writes latitude and longitude through one setter each; both
 * lock.  Nine tasks read the position in one critical section and may get the
 * new latitude together with the old longitude, a place where the drone
 * has never been.
 *
 * validate:
 *   kind: several-variables
 *   variable: fix.lat, fix.lon
 *   threads: 11
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#define PILOTS 9               /* autopilot, camera, logger, ... */

typedef struct { int32_t lat, lon; } pos_t;

/* flown track, from the receiver's log (micro-degrees / 10) */
static const pos_t track[] = {
    { 4812345, 1156700 }, { 4812360, 1156712 }, { 4812381, 1156730 }, { 4812399, 1156741 },
    { 4812410, 1156752 }, { 4812428, 1156777 }, { 4812431, 1156790 }, { 4812440, 1156805 },
};
enum { TRACK_LEN = sizeof track / sizeof track[0] };

static struct {
    pthread_mutex_t mtx;
    int32_t lat;
    int32_t lon;
    uint32_t updates;
} fix = { PTHREAD_MUTEX_INITIALIZER, 4812345, 1156700, 0 };

#ifdef FIXED
static void fix_set(pos_t p)
{
    pthread_mutex_lock(&fix.mtx);
    fix.lat = p.lat;
    fix.lon = p.lon;
    fix.updates++;
    pthread_mutex_unlock(&fix.mtx);
}
#else
static void fix_set_lat(int32_t v)
{
    pthread_mutex_lock(&fix.mtx);
    fix.lat = v; /* bug: 1 */
    pthread_mutex_unlock(&fix.mtx);
}

static void fix_set_lon(int32_t v)
{
    pthread_mutex_lock(&fix.mtx);
    fix.lon = v; /* bug: 4 */
    fix.updates++;
    pthread_mutex_unlock(&fix.mtx);
}

static void fix_set(pos_t p)
{
    fix_set_lat(p.lat);
    fix_set_lon(p.lon);
}
#endif

static pos_t fix_get(void)
{
    pos_t p;
    pthread_mutex_lock(&fix.mtx);
    p.lat = fix.lat; /* bug: 2 */
    p.lon = fix.lon; /* bug: 3 */
    pthread_mutex_unlock(&fix.mtx);
    return p;
}

static void *gps_task(void *arg)
{
    (void)arg;
    for (int i = 1; i < TRACK_LEN; i++)
        fix_set(track[i]);
    return NULL;
}

static int on_track(pos_t p)
{
    for (int i = 0; i < TRACK_LEN; i++)
        if (track[i].lat == p.lat && track[i].lon == p.lon)
            return 1;
    return 0;
}

static void *pilot_task(void *arg)
{
    int rounds = *(int *)arg;
    intptr_t astray = 0;
    while (rounds-- > 0)
        astray += !on_track(fix_get());
    return (void *)astray;
}

int main(void)
{
    static int rounds[PILOTS] = { 4, 6, 2, 3, 5, 2, 2, 4, 3 };
    pthread_t gps, p[PILOTS];
    int astray = 0;

    for (int i = 0; i < PILOTS; i++)
        pthread_create(&p[i], NULL, pilot_task, &rounds[i]);
    pthread_create(&gps, NULL, gps_task, NULL);
    for (int i = 0; i < PILOTS; i++) {
        void *r;
        pthread_join(p[i], &r);
        astray += (int)(intptr_t)r;
    }
    pthread_join(gps, NULL);
    printf("%u updates\n", (unsigned)fix.updates);
    assert(astray == 0);
    return 0;
}
