/*
 * A pool with two lanes and five swimmers; the lanes are handed out by a
 * semaphore made of a mutex and a condition variable.
 *
 * Bug: sema_up() signals only when the value becomes 1 ("otherwise nobody can
 * be waiting"). When two swimmers leave before the first woken one has come,
 * the second leaves without a signal, and a waiter sleeps on beside a free
 * lane. From then on the value does not come down to 0 any more.
 *
 * validate:
 *   kind: missed-signal
 *   variable: lanes.value, lanes.nonzero
 *   threads: 6
 *   fails-by: deadlock
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

/* --- semaphore ------------------------------------------------------- */

typedef struct sema {
    pthread_mutex_t mutex;
    pthread_cond_t nonzero;
    int value;
} sema;

static void sema_init(sema *s, int value)
{
    pthread_mutex_init(&s->mutex, NULL);
    pthread_cond_init(&s->nonzero, NULL);
    s->value = value;
}

static void sema_down(sema *s)
{
    pthread_mutex_lock(&s->mutex);
    while (s->value == 0)
        pthread_cond_wait(&s->nonzero, &s->mutex);  /* bug: 1, 2 */
    s->value--;
    pthread_mutex_unlock(&s->mutex);
}

static void sema_up(sema *s)
{
    pthread_mutex_lock(&s->mutex);
    s->value++;                                     /* bug: 3, 4 */
#ifdef FIXED
    pthread_cond_signal(&s->nonzero);
#else
    if (s->value == 1)                              /* bug */
        pthread_cond_signal(&s->nonzero);           /* bug */
#endif
    pthread_mutex_unlock(&s->mutex);
}

/* --- pool ------------------------------------------------------------ */

#define LANES 2
#define SWIMMERS 5

static sema lanes;
static pthread_barrier_t whistle;
static atomic_int in_water;
static int laps[SWIMMERS];

static void *swimmer(void *arg)
{
    int *mine = arg;

    pthread_barrier_wait(&whistle);
    for (int i = 0; i < 2; i++) {
        sema_down(&lanes);
        assert(atomic_fetch_add(&in_water, 1) < LANES);
        for (volatile int meters = 0; meters < 100; meters += 2)
            ;
        *mine += 4;
        atomic_fetch_sub(&in_water, 1);
        sema_up(&lanes);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[SWIMMERS];
    int total = 0;

    sema_init(&lanes, LANES);
    pthread_barrier_init(&whistle, NULL, SWIMMERS);
    for (int i = 0; i < SWIMMERS; i++)
        pthread_create(&t[i], NULL, swimmer, &laps[i]);
    for (int i = 0; i < SWIMMERS; i++) {
        pthread_join(t[i], NULL);
        total += laps[i];
    }
    printf("%d laps\n", total);
    assert(total == 8 * SWIMMERS);
    return 0;
}
