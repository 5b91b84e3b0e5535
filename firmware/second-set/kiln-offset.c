/*
 * A stoker feeds a pottery kiln while a probe takes samples and corrects them
 * by an offset that the operator (main) sets. The mean must be plausible.
 *
 * Bug: main starts the probe first and sets the offset afterwards; a quick
 * probe corrects its samples with the offset still 0.
 *
 * validate:
 *   kind: order
 *   variable: kiln.offset
 *   threads: 3
 *   fails-by: exit
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>

#define SAMPLES 8

struct kiln {
        int offset;
        int sum;
        int samples;
        int logs;
        pthread_mutex_t lock;
};

static struct kiln kiln = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void report(int value)
{
        pthread_mutex_lock(&kiln.lock);
        kiln.sum += value;
        kiln.samples++;
        pthread_mutex_unlock(&kiln.lock);
}

static void *stoker(void *arg)
{
        (void)arg;
        for (int i = 0; i < 6; i++) {
                pthread_mutex_lock(&kiln.lock);
                kiln.logs++;
                pthread_mutex_unlock(&kiln.lock);
        }
        return NULL;
}

static void *probe(void *arg)
{
        int raw[SAMPLES];
        int seed = *(int *)arg;

        for (int i = 0; i < SAMPLES; i++) {
                seed = (seed * 75 + 74) % 65537;
                raw[i] = 900 + seed % 10;
        }
        int off = kiln.offset;                          /* bug: 1 */
        for (int i = 0; i < SAMPLES; i++)
                report(raw[i] + off);
        return NULL;
}

int main(void)
{
        pthread_t s, p;
        int seed = 4711;

#ifdef FIXED
        kiln.offset = -40;
#endif
        pthread_create(&s, NULL, stoker, NULL);
        pthread_create(&p, NULL, probe, &seed);
#ifndef FIXED
        kiln.offset = -40;                              /* bug: 2 */
#endif
        pthread_join(p, NULL);
        pthread_join(s, NULL);

        int mean = kiln.sum / kiln.samples;
        printf("mean %d, %d logs\n", mean, kiln.logs);
        if (mean < 860 || mean > 870)
                return 1;
        return 0;
}
