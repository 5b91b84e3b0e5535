/*
 * A synthesizer. Its voices play from one table, which whichever voice sounds
 * first makes.
 *
 * Bug: wave_table() sets the flag that the table is there before it makes it.
 * A voice that begins meanwhile sees the flag, does not take the lock, and
 * plays a half-made table.
 *
 * validate:
 *   kind: publication
 *   variable: wave.ready, wave.samples
 *   threads: 7
 *   fails-by: exit code
 *   rare: no
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define SAMPLES 128
#define VOICES 6
#define LENGTH 96

static struct {
    pthread_mutex_t lock;
    atomic_int ready;
    short samples[SAMPLES];
} wave = { .lock = PTHREAD_MUTEX_INITIALIZER };

struct voice {
    pthread_t thread;
    int step;                   /* through the table, from sample to sample */
    int wrong;
    long energy;
};

/* One period of something that sounds like a sine, plus its third harmonic. */
static short sample_at(int i)
{
    int half = SAMPLES / 2;
    int x = i % half, y = i * 3 % half;
    int base = 4 * x * (half - x);
    int third = 4 * y * (half - y) / 3;

    if (i >= half)
        base = -base;
    if (i * 3 / half % 2)
        third = -third;
    return (short)(base + third + 1);
}

static const short *wave_table(void)
{
    if (!atomic_load(&wave.ready)) {            /* bug: 2 */
        pthread_mutex_lock(&wave.lock);
        if (!atomic_load(&wave.ready)) {
#ifndef FIXED
            atomic_store(&wave.ready, 1);       /* bug: 1 */
#endif
            for (int i = 0; i < SAMPLES; i++)
                wave.samples[i] = sample_at(i); /* bug: 4 */
#ifdef FIXED
            atomic_store(&wave.ready, 1);
#endif
        }
        pthread_mutex_unlock(&wave.lock);
    }
    return wave.samples;
}

static void *play(void *arg)
{
    struct voice *v = arg;
    const short *table = wave_table();
    int at = SAMPLES - 1;

    for (int i = 0; i < LENGTH; i++) {
        short s = table[at];                    /* bug: 3 */

        if (s != sample_at(at))
            v->wrong++;
        v->energy += s < 0 ? -s : s;
        at = (at + SAMPLES - v->step) % SAMPLES;
    }
    return NULL;
}

int main(void)
{
    struct voice voices[VOICES];
    int wrong = 0;
    long energy = 0;

    for (int i = 0; i < VOICES; i++) {
        voices[i] = (struct voice){ .step = 1 + 2 * i };
        if (pthread_create(&voices[i].thread, NULL, play, &voices[i]) != 0)
            abort();
    }
    for (int i = 0; i < VOICES; i++) {
        pthread_join(voices[i].thread, NULL);
        wrong += voices[i].wrong;
        energy += voices[i].energy;
    }
    printf("energy %ld, %d samples wrong\n", energy, wrong);
    return wrong ? 1 : 0;
}
