/*
 * serving-hatch.c
 *
 * Two cooks pass dishes to five waiters through a hatch with room for two.
 * Cooks wait while the hatch is full and waiters while it is empty, all on
 * the same condition variable.
 *
 * Bug: both sides use pthread_cond_signal().  A waiter who has taken the dish
 * may wake another waiter instead of a cook; that one finds the hatch empty
 * and goes back to sleep, and with everybody else asleep dinner is over.
 *
 * validate:
 *   kind: missed-signal
 *   variable: hatch.changed
 *   threads: 8
 *   fails-by: deadlock
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define COOKS   2
#define WAITERS 5
#define DISHES  10
#define ROOM    2

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int dish[ROOM];
    int n;
} hatch = { .lock = PTHREAD_MUTEX_INITIALIZER,
            .changed = PTHREAD_COND_INITIALIZER };

#ifdef FIXED
#define NOTIFY(c) pthread_cond_broadcast(c)
#else
#define NOTIFY(c) pthread_cond_signal(c)
#endif

static void put_dish(int d)
{
    pthread_mutex_lock(&hatch.lock);
    while (hatch.n == ROOM)
        pthread_cond_wait(&hatch.changed, &hatch.lock);     /* bug: 2 */
    hatch.dish[hatch.n++] = d;
    NOTIFY(&hatch.changed);
    pthread_mutex_unlock(&hatch.lock);
}

static int take_dish(void)
{
    int d;

    pthread_mutex_lock(&hatch.lock);
    while (hatch.n == 0)                                    /* bug: 5 */
        pthread_cond_wait(&hatch.changed, &hatch.lock);     /* bug: 1, 6 */
    d = hatch.dish[--hatch.n];                              /* bug: 3 */
    NOTIFY(&hatch.changed);                                 /* bug: 4 */
    pthread_mutex_unlock(&hatch.lock);
    return d;
}

static void *cook(void *arg)
{
    int base = *(int *)arg;

    for (int i = 0; i < DISHES / COOKS; i++)
        put_dish(base + i);
    return NULL;
}

static void *waiter(void *arg)
{
    int *sum = arg;

    for (int i = 0; i < DISHES / WAITERS; i++)
        *sum += take_dish();
    return NULL;
}

int main(void)
{
    pthread_t c[COOKS], w[WAITERS];
    int base[COOKS] = { 10, 20 }, sum[WAITERS] = { 0 }, all = 0;

    for (int i = 0; i < COOKS; i++)
        pthread_create(&c[i], NULL, cook, &base[i]);
    for (int i = 0; i < WAITERS; i++)
        pthread_create(&w[i], NULL, waiter, &sum[i]);
    for (int i = 0; i < COOKS; i++)
        pthread_join(c[i], NULL);
    for (int i = 0; i < WAITERS; i++) {
        pthread_join(w[i], NULL);
        all += sum[i];
    }
    printf("dishes served, check %d\n", all);
    assert(all == 170);
    return 0;
}
