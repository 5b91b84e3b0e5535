/*
 * Guests at a counter wait for the drink they ordered; the barista makes one
 * after the other and rings the bell. Everybody listens to the same bell.
 *
 * Bug: the bell wakes just one guest (signal), and it may be one who waits for
 * a different drink; the right guest sleeps on.
 *
 * validate:
 *   kind: missed-signal
 *   variable: counter.bell, counter.ready[]
 *   threads: 4
 *   fails-by: deadlock
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>

enum drink { TEA, COFFEE, DRINKS };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t bell;
    int ready[DRINKS];
    int served;
} counter = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .bell = PTHREAD_COND_INITIALIZER,
};

static struct {
    pthread_mutex_t lock;
    int cents;
} tips = { PTHREAD_MUTEX_INITIALIZER, 0 };

static void tip(int cents)
{
    pthread_mutex_lock(&tips.lock);
    tips.cents += cents;
    pthread_mutex_unlock(&tips.lock);
}

static void *guest(void *arg)
{
    enum drink want = *(enum drink *)arg;

    tip(20);
    pthread_mutex_lock(&counter.lock);
    while (counter.ready[want] == 0)                        /* bug */
        pthread_cond_wait(&counter.bell, &counter.lock);    /* bug: 1, 2 */
    counter.ready[want]--;
    counter.served++;
    pthread_mutex_unlock(&counter.lock);
    tip(30);
    return NULL;
}

static void *barista(void *arg)
{
    (void)arg;
    for (int d = TEA; d < DRINKS; d++) {
        tip(0);         /* a look into the tip jar */
        pthread_mutex_lock(&counter.lock);
        counter.ready[d]++;
#ifdef FIXED
        pthread_cond_broadcast(&counter.bell);
#else
        pthread_cond_signal(&counter.bell);                 /* bug: 3 */
#endif
        pthread_mutex_unlock(&counter.lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;
    enum drink tea = TEA, coffee = COFFEE;

    pthread_create(&a, NULL, guest, &tea);
    pthread_create(&b, NULL, guest, &coffee);
    pthread_create(&c, NULL, barista, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    printf("%d served, %d cents\n", counter.served, tips.cents);
    return counter.served == 2 && tips.cents == 100 ? 0 : 1;
}
