/*
 * histogram-merge.c: per-thread histograms of response sizes, merged at the end.
 *
 * The threads fill private histograms and merge them into the common one under
 * its lock.  The merge loop stops one bucket early, so whatever fell into the
 * last bucket is missing from the total, in every run.
 *
 * validate:
 *   kind: plain
 *   variable: all.bucket[]
 *   threads: 4
 *   fails-by: assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define BUCKETS 6
#define THREADS 3
#define SAMPLES 20

static struct {
    pthread_mutex_t lock;
    unsigned bucket[BUCKETS];
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int bucket_of(unsigned size)
{
    int b = 0;
    while (size > 1 && b < BUCKETS - 1) {
        size >>= 2;
        b++;
    }
    return b;
}

static void merge(const unsigned *mine)
{
    pthread_mutex_lock(&all.lock);
#ifdef FIXED
    for (int i = 0; i < BUCKETS; i++)
#else
    for (int i = 0; i < BUCKETS - 1; i++) /* bug */
#endif
        all.bucket[i] += mine[i];
    pthread_mutex_unlock(&all.lock);
}

static void *count(void *arg)
{
    unsigned x = *(unsigned *)arg;
    unsigned mine[BUCKETS] = { 0 };

    for (int i = 0; i < SAMPLES; i++) {
        x = x * 1103515245u + 12345u;
        mine[bucket_of((x >> 16) & 0x3FF)]++;
    }
    merge(mine);
    return NULL;
}

int main(void)
{
    static unsigned seed[THREADS] = { 11, 222, 3333 };
    pthread_t t[THREADS];
    unsigned sum = 0;

    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, count, &seed[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < BUCKETS; i++)
        sum += all.bucket[i];
    printf("%u samples\n", sum);
    assert(sum == THREADS * SAMPLES);
    return 0;
}
