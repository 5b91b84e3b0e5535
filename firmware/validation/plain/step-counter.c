/*
 * step-counter.c
 *
 * Wearables report steps to a collector through a small bounded queue; the
 * collector keeps the sum for the day.
 *
 * Bug: the sum is kept in 16 bits, and the fixed data of the day add up to
 * more than 65535.
 *
 * validate:
 *   kind: plain
 *   variable: day.total
 *   threads: 5
 *   fails-by: exit
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#define WEARERS 3
#define HOURS   6
#define QSIZE   4

static struct {
    pthread_mutex_t lock;
    pthread_cond_t change;
    int item[QSIZE];
    int head, n;
} q = { .lock = PTHREAD_MUTEX_INITIALIZER, .change = PTHREAD_COND_INITIALIZER };

static struct {
    int reports;
#ifdef FIXED
    uint32_t total;
#else
    uint16_t total;                             /* bug */
#endif
} day;

static const int steps[WEARERS][HOURS] = {
    { 1200, 5300, 800, 4100, 9600, 300 },
    { 7000, 2500, 6100, 90, 4400, 3300 },
    { 5100, 5200, 5300, 5400, 5500, 5600 },
};

static void put(int v)
{
    pthread_mutex_lock(&q.lock);
    while (q.n == QSIZE)
        pthread_cond_wait(&q.change, &q.lock);
    q.item[(q.head + q.n++) % QSIZE] = v;
    pthread_cond_broadcast(&q.change);
    pthread_mutex_unlock(&q.lock);
}

static int get(void)
{
    int v;

    pthread_mutex_lock(&q.lock);
    while (q.n == 0)
        pthread_cond_wait(&q.change, &q.lock);
    v = q.item[q.head];
    q.head = (q.head + 1) % QSIZE;
    q.n--;
    pthread_cond_broadcast(&q.change);
    pthread_mutex_unlock(&q.lock);
    return v;
}

static void *wearer(void *arg)
{
    const int *s = arg;

    for (int h = 0; h < HOURS; h++)
        put(s[h]);
    return NULL;
}

static void *collector(void *arg)
{
    for (int i = 0; i < WEARERS * HOURS; i++) {
        day.total += get();
        day.reports++;
    }
    return arg;
}

int main(void)
{
    pthread_t w[WEARERS], c;
    long want = 0;

    pthread_create(&c, NULL, collector, NULL);
    for (int i = 0; i < WEARERS; i++)
        pthread_create(&w[i], NULL, wearer, (void *)steps[i]);
    for (int i = 0; i < WEARERS; i++)
        pthread_join(w[i], NULL);
    pthread_join(c, NULL);
    for (int i = 0; i < WEARERS; i++)
        for (int h = 0; h < HOURS; h++)
            want += steps[i][h];
    printf("%lu steps in %d reports\n", (unsigned long)day.total, day.reports);
    return (long)day.total == want ? 0 : 1;
}
