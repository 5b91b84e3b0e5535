/*
 * Frame pacer: the simulation prepares frames, the main thread shows them.
 *
 * pacer_wait() tests the frame number before it takes the lock and goes to
 * sleep if the frame is not there yet.  If the frame is finished just between
 * the test and the sleep, its signal meets no sleeper and the main thread
 * waits for good.
 *
 * validate:
 *   kind: missed-signal
 *   variable: pacer.frame, pacer.cv
 *   threads: 2
 *   fails-by: deadlock
 *   rare: yes
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>

#define FRAMES 5

static struct pacer {
    pthread_mutex_t m;
    pthread_cond_t cv;
    atomic_int frame;           /* last finished frame */
    sem_t shown;
} pacer = { .m = PTHREAD_MUTEX_INITIALIZER, .cv = PTHREAD_COND_INITIALIZER };

static int world[16];

static void pacer_wait(int frame)
{
#ifdef FIXED
    pthread_mutex_lock(&pacer.m);
    while (atomic_load(&pacer.frame) < frame)
        pthread_cond_wait(&pacer.cv, &pacer.m);
    pthread_mutex_unlock(&pacer.m);
#else
    while (atomic_load(&pacer.frame) < frame) { /* bug: 1 */
        pthread_mutex_lock(&pacer.m);
        pthread_cond_wait(&pacer.cv, &pacer.m); /* bug: 4 */
        pthread_mutex_unlock(&pacer.m);
    }
#endif
}

static void pacer_finish(int frame)
{
    pthread_mutex_lock(&pacer.m);
    atomic_store(&pacer.frame, frame); /* bug: 2 */
    pthread_cond_signal(&pacer.cv); /* bug: 3 */
    pthread_mutex_unlock(&pacer.m);
}

static void *simulation(void *arg)
{
    (void)arg;
    for (int f = 1; f <= FRAMES; f++) {
        for (int step = 0; step < 3; step++)
            for (int i = 0; i < 16; i++)
                world[i] = (world[i] * 5 + i + f) & 1023;
        pacer_finish(f);
        sem_wait(&pacer.shown);
    }
    return NULL;
}

static long present_all(void)
{
    long sum = 0;

    for (int f = 1; f <= FRAMES; f++) {
        pacer_wait(f);
        for (int i = 0; i < 16; i++)
            sum += world[i];
        sem_post(&pacer.shown);
    }
    return sum;
}

int main(void)
{
    pthread_t s;
    long sum;

    sem_init(&pacer.shown, 0, 0);
    pthread_create(&s, NULL, simulation, NULL);
    sum = present_all();            /* the window belongs to this thread */
    pthread_join(s, NULL);
    printf("%d frames, checksum %ld\n", FRAMES, sum);
    return 0;
}
