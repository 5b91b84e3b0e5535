/*
 * A fish tank has a lowest and a highest temperature. Both are atomic, and
 * both setters refuse what would turn the range upside down.
 *
 * Bug: each setter checks against the other limit and then stores its own;
 * nothing holds the two limits together. When one raises the minimum and the
 * other lowers the maximum at the same time, both checks succeed.
 *
 * validate:
 *   kind: several-variables
 *   variable: tank.low, tank.high
 *   threads: 4
 *   fails-by: assertion
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

static struct {
    atomic_int low, high;
    atomic_int water;
#ifdef FIXED
    pthread_mutex_t lock;
#endif
} tank = {
    .low = 18,
    .high = 28,
    .water = 23,
#ifdef FIXED
    .lock = PTHREAD_MUTEX_INITIALIZER,
#endif
};

static void hold(void)
{
#ifdef FIXED
    pthread_mutex_lock(&tank.lock);
#endif
}

static void let_go(void)
{
#ifdef FIXED
    pthread_mutex_unlock(&tank.lock);
#endif
}

static bool set_low(int degrees)
{
    bool fits;

    hold();
    fits = degrees <= atomic_load(&tank.high);      /* bug: 1 */
    if (fits)
        atomic_store(&tank.low, degrees);           /* bug: 3 */
    let_go();
    return fits;
}

static bool set_high(int degrees)
{
    bool fits;

    hold();
    fits = degrees >= atomic_load(&tank.low);       /* bug: 2 */
    if (fits)
        atomic_store(&tank.high, degrees);          /* bug: 4 */
    let_go();
    return fits;
}

static pthread_barrier_t feeding_time;
static atomic_int refused;

static void *tropical(void *arg)
{
    pthread_barrier_wait(&feeding_time);
    for (int degrees = 20; degrees <= 26; degrees += 2)
        if (!set_low(degrees))
            atomic_fetch_add(&refused, 1);
    return arg;
}

static void *arctic(void *arg)
{
    pthread_barrier_wait(&feeding_time);
    for (int degrees = 27; degrees >= 21; degrees -= 2)
        if (!set_high(degrees))
            atomic_fetch_add(&refused, 1);
    return arg;
}

static void *heater(void *arg)
{
    for (int i = 0; i < 10; i++)
        atomic_fetch_add(&tank.water, i % 2 ? 1 : -1);
    return arg;
}

int main(void)
{
    pthread_t a, b, c;

    pthread_barrier_init(&feeding_time, NULL, 2);
    pthread_create(&a, NULL, tropical, NULL);
    pthread_create(&b, NULL, arctic, NULL);
    pthread_create(&c, NULL, heater, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    printf("%d to %d degrees, refused %d, now %d\n", tank.low, tank.high, refused, tank.water);
    assert(tank.low <= tank.high);
    return 0;
}
