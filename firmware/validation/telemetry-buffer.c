/*
 * telemetry-buffer: sampling tasks append to a buffer, an uplink task sends
 * what has been gathered and shifts the rest down.
 *
 * The uplink copies the samples out, drops the mutex while it "transmits"
 * (must not hold a lock over radio I/O) and takes it again to reset the fill
 * level.  It then writes the level from the number it remembered, so samples
 * that were appended during the transmission are thrown away.
 *
 * validate:
 *   kind: lost-update
 *   variable: tb.fill
 *   threads: 4
 *   fails-by: exit
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define TB_CAP      64
#define N_SAMPLERS  2
#define PER_SAMPLER 14

static struct telemetry {
    pthread_mutex_t m;
    short           sample[TB_CAP];
    int             fill;
    int             samplers_done;
} tb = { PTHREAD_MUTEX_INITIALIZER, {0}, 0, 0 };

static long radio_sum;          /* uplink task only */
static int  radio_count;

static void radio_send(const short *s, int n)
{
    while (n-- > 0) {
        radio_sum += *s++;
        radio_count++;
    }
}

static void *sampler(void *p)
{
    int base = *(int *)p;

    for (int i = 0; i < PER_SAMPLER; i++) {
        pthread_mutex_lock(&tb.m);
        tb.sample[tb.fill] = (short)(base + i);
        tb.fill++; /* bug: 2 */
        pthread_mutex_unlock(&tb.m);
    }
    pthread_mutex_lock(&tb.m);
    tb.samplers_done++;
    pthread_mutex_unlock(&tb.m);
    return 0;
}

/* returns 1 as long as there may be more to come */
static int uplink_once(void)
{
    short out[TB_CAP];
    int n, more;

    pthread_mutex_lock(&tb.m);
    more = tb.samplers_done < N_SAMPLERS;
    n = tb.fill; /* bug: 1 */
    memcpy(out, tb.sample, (size_t)n * sizeof out[0]);
    pthread_mutex_unlock(&tb.m);

    if (n == 0)
        return more;
    radio_send(out, n);

    pthread_mutex_lock(&tb.m);
#ifdef FIXED
    memmove(tb.sample, tb.sample + n, (size_t)(tb.fill - n) * sizeof out[0]);
    tb.fill -= n;
#else
    tb.fill = 0; /* bug: 3 */
#endif
    pthread_mutex_unlock(&tb.m);
    return 1;
}

static void *uplink(void *p)
{
    (void)p;
    /* a handful of passes while the samplers run ... */
    for (int pass = 0; pass < 5; pass++)
        if (!uplink_once())
            break;
    return 0;
}

int main(void)
{
    static int base[N_SAMPLERS] = { 100, 1000 };
    pthread_t s[N_SAMPLERS], u;
    long want = 0;

    for (int k = 0; k < N_SAMPLERS; k++)
        for (int i = 0; i < PER_SAMPLER; i++)
            want += base[k] + i;

    pthread_create(&u, 0, uplink, 0);
    for (int k = 0; k < N_SAMPLERS; k++)
        pthread_create(&s[k], 0, sampler, &base[k]);
    for (int k = 0; k < N_SAMPLERS; k++)
        pthread_join(s[k], 0);
    pthread_join(u, 0);
    while (uplink_once())       /* ... and the remainder here */
        ;

    printf("uplink: %d samples, sum %ld (want %ld)\n", radio_count, radio_sum, want);
    return radio_count != N_SAMPLERS * PER_SAMPLER || radio_sum != want;
}
