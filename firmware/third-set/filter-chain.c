/*
 * The effects of an audio program: a chain of filters, to which the user
 * interface adds while the sound thread runs blocks of samples through it.
 * The number of filters is atomic, so that the sound thread never waits.
 *
 * Bug: chain_add() counts the new filter before it stores its pointer. The
 * sound thread can call a filter that is not there yet.
 *
 * validate:
 *   kind: publication
 *   variable: chain.count, chain.filters[]
 *   threads: 3
 *   fails-by: fault
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_FILTERS 6
#define SAMPLES 4
#define BLOCKS 8

struct filter {
    int (*run)(const struct filter *f, int sample);
    int gain;       /* in quarters */
    int offset;
};

static struct {
    _Atomic(struct filter *) filters[MAX_FILTERS];
    atomic_int count;
} chain;

static struct {
    pthread_mutex_t lock;
    int peak;
    int blocks;
} meter = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int amplify(const struct filter *f, int sample)
{
    return sample * f->gain / 4;
}

static int shift(const struct filter *f, int sample)
{
    return sample + f->offset;
}

static struct filter *filter_new(int (*run)(const struct filter *, int), int gain, int offset)
{
    struct filter *f = malloc(sizeof *f);

    if (!f)
        abort();
    f->run = run;
    f->gain = gain;
    f->offset = offset;
    return f;
}

static void chain_add(struct filter *f)
{
#ifdef FIXED
    int at = atomic_load(&chain.count);

    atomic_store(&chain.filters[at], f);
    atomic_store(&chain.count, at + 1);
#else
    int at = atomic_fetch_add(&chain.count, 1);         /* bug: 1 */

    atomic_store(&chain.filters[at], f);                /* bug: 4 */
#endif
}

static int run_chain(int sample)
{
    int n = atomic_load(&chain.count);                  /* bug: 2 */

    for (int i = 0; i < n; i++) {
        const struct filter *f = atomic_load(&chain.filters[i]);    /* bug: 3 */

        sample = f->run(f, sample);                     /* bug */
    }
    return sample;
}

static void *sound(void *arg)
{
    (void)arg;
    for (int block = 0; block < BLOCKS; block++) {
        int peak = 0;

        for (int i = 0; i < SAMPLES; i++) {
            int out = run_chain(100 + 10 * i);

            assert(out > 0);
            if (out > peak)
                peak = out;
        }
        pthread_mutex_lock(&meter.lock);
        meter.peak = peak;
        meter.blocks++;
        pthread_mutex_unlock(&meter.lock);
    }
    return NULL;
}

static void *interface(void *arg)
{
    int last = 0;

    (void)arg;
    for (int i = 0; i < 3; i++) {
        chain_add(filter_new(amplify, 5, 0));
        chain_add(filter_new(shift, 4, 3));
        pthread_mutex_lock(&meter.lock);
        last += meter.peak;
        pthread_mutex_unlock(&meter.lock);
    }
    assert(last >= 0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, sound, NULL);
    pthread_create(&b, NULL, interface, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d blocks, %d filters\n", meter.blocks, atomic_load(&chain.count));
    for (int i = 0; i < MAX_FILTERS; i++)
        free(atomic_load(&chain.filters[i]));
    return 0;
}
