/* moving-average.c: two sensors feed a running average, a display shows it.
 *
 * Bug: a sample is added to the sum in one critical section and counted in
 * the next one; the display may divide a new sum by an old count.
 *
 * validate:
 *   kind: several-variables
 *   variable: sum, cnt
 *   threads: 4
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define LEVEL 40        /* calibrated sensors: it is always 40 degrees here */

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long sum = LEVEL, cnt = 1;
static long lowest = LEVEL, highest = LEVEL;

static void *sensor(void *p)
{
    for (int i = 0; i < 12; i++) {
        pthread_mutex_lock(&m);
        sum += LEVEL;                           /* bug: 1 */
#ifndef FIXED
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
#endif
        cnt++;                                  /* bug: 4 */
        pthread_mutex_unlock(&m);
    }
    return p;
}

static void *display(void *p)
{
    for (int i = 0; i < 8; i++) {
        pthread_mutex_lock(&m);
        long s = sum;                           /* bug: 2 */
        long avg = s / cnt;                     /* bug: 3 */
        pthread_mutex_unlock(&m);
        if (avg < lowest) lowest = avg;
        if (avg > highest) highest = avg;
    }
    return p;
}

int main(void)
{
    pthread_t a, b, d;

    pthread_create(&a, 0, sensor, 0);
    pthread_create(&b, 0, sensor, 0);
    pthread_create(&d, 0, display, 0);
    pthread_join(a, 0); pthread_join(b, 0); pthread_join(d, 0);
    assert(lowest == LEVEL && highest == LEVEL);
    return printf("average %ld\n", sum / cnt) < 0;
}
