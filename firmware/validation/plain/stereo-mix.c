/*
 * stereo-mix.c -- mixes voices into a 16-bit block, left and right in parallel.
 *
 * Each channel has its own thread and its own buffer.  The mixer clips loud
 * sums at the top, but the test at the bottom compares with the wrong sign, so
 * a loud negative peak wraps around to positive.
 *
 * validate:
 *   kind: plain
 *   variable: acc
 *   threads: 3
 *   fails-by: assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#define BLOCK 8
#define VOICES 3

static const int16_t voice[VOICES][BLOCK] = {
    { 100, 9000, 20000, 9000, -100, -9000, -20000, -9000 },
    { 50, 4000, 12000, 4000, -50, -4000, -12000, -4000 },
    { 10, 2000, 8000, 2000, -10, -2000, -8000, -2000 },
};

struct channel {
    int gain[VOICES];           /* percent */
    int16_t out[BLOCK];
};

static struct channel chan[2] = {
    { { 100, 40, 20 }, { 0 } }, { { 90, 100, 80 }, { 0 } },
};

static int16_t clip(int32_t acc)
{
    if (acc > INT16_MAX)
        acc = INT16_MAX;
#ifdef FIXED
    if (acc < INT16_MIN)
        acc = INT16_MIN;
#else
    if (acc > -INT16_MIN) /* bug */
        acc = INT16_MIN;
#endif
    return (int16_t)acc;
}

static void *mix(void *arg)
{
    struct channel *c = arg;
    for (int i = 0; i < BLOCK; i++) {
        int32_t acc = 0;
        for (int v = 0; v < VOICES; v++)
            acc += voice[v][i] * c->gain[v] / 100;
        c->out[i] = clip(acc);
        assert((acc < 0) == (c->out[i] < 0));
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, mix, &chan[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    printf("peaks %d %d\n", chan[0].out[2], chan[1].out[2]);
    return 0;
}
