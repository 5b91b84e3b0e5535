/*
 * audio-mixer.c
 *
 * Mixer graph: tracks feed a bus, the bus feeds the output device.  Three
 * threads work on it, and each nests two locks:
 *     UI:              track -> bus     (fader moves)
 *     render:          bus   -> device  (mix a period)
 *     device watcher:  device -> track  (sample rate change)
 * Each pair is harmless by itself, the three together close a cycle.
 *
 * validate:
 *   kind: deadlock
 *   variable: track.lk, bus.lk, device.lk
 *   threads: 4
 *   fails-by: deadlock
 *   rare: yes
 */
#include <pthread.h>
#include <stdio.h>

#define PERIOD 8

static struct {
    pthread_mutex_t lk;
    int gain;
    int rate;
} track = { PTHREAD_MUTEX_INITIALIZER, 64, 44100 };

static struct {
    pthread_mutex_t lk;
    int gain_sum;
    int mix[PERIOD];
} bus = { PTHREAD_MUTEX_INITIALIZER, 64, { 0 } };

static struct {
    pthread_mutex_t lk;
    int rate;
    long written;
} device = { PTHREAD_MUTEX_INITIALIZER, 44100, 0 };

static void set_fader(int gain)
{
    pthread_mutex_lock(&track.lk); /* bug: 1 */
    track.gain = gain;
    pthread_mutex_lock(&bus.lk); /* bug: 5 */
    bus.gain_sum = gain;
    pthread_mutex_unlock(&bus.lk);
    pthread_mutex_unlock(&track.lk);
}

static int voice_out[PERIOD];    /* render thread only */

static void synth(int n)
{
    for (int pass = 0; pass < 6; pass++)
        for (int i = 0; i < PERIOD; i++)
            voice_out[i] = (voice_out[i] * 3 + n + i) & 15;
}

static void render_period(void)
{
    pthread_mutex_lock(&bus.lk); /* bug: 3 */
    for (int i = 0; i < PERIOD; i++)
        bus.mix[i] = voice_out[i] * bus.gain_sum / 64;
    pthread_mutex_lock(&device.lk); /* bug: 6 */
    for (int i = 0; i < PERIOD; i++)
        device.written += bus.mix[i] != 0;
    pthread_mutex_unlock(&device.lk);
    pthread_mutex_unlock(&bus.lk);
}

static void rate_changed(int rate)
{
    pthread_mutex_lock(&device.lk); /* bug: 2 */
    device.rate = rate;
#ifdef FIXED
    pthread_mutex_unlock(&device.lk);
#endif
    pthread_mutex_lock(&track.lk); /* bug: 4 */
    track.rate = rate;
    pthread_mutex_unlock(&track.lk);
#ifndef FIXED
    pthread_mutex_unlock(&device.lk);
#endif
}

/* dB steps to linear gain, the slow way */
static int db_to_gain(int db)
{
    int g = 1024;
    while (db++ < 0)
        g = g * 913 / 1024;
    return g / 16;
}

static void *ui_thread(void *p)
{
    static const signed char moves[] = { -12, -40, -30 };
    (void)p;
    for (unsigned i = 0; i < sizeof moves; i++)
        set_fader(db_to_gain(moves[i]));
    return NULL;
}

static void *render_thread(void *p)
{
    (void)p;
    for (int i = 0; i < 5; i++) {
        synth(i);
        render_period();
    }
    return NULL;
}

static void *watch_thread(void *p)
{
    static const int polled[] = { 44100, 44100, 44100, 44100, 48000, 48000, 48000 };
    int rate = 44100;
    (void)p;
    for (int i = 0; i < 7; i++)
        if (polled[i] != rate) {
            rate = polled[i];
            rate_changed(rate);
        }
    return NULL;
}

int main(void)
{
    pthread_t ui, rt, wt;

    pthread_create(&rt, NULL, render_thread, NULL);
    pthread_create(&ui, NULL, ui_thread, NULL);
    pthread_create(&wt, NULL, watch_thread, NULL);
    pthread_join(ui, NULL);
    pthread_join(rt, NULL);
    pthread_join(wt, NULL);
    printf("%ld samples, rate %d/%d\n", device.written, device.rate, track.rate);
    return device.rate == track.rate ? 0 : 1;
}
