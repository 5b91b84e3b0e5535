/* A control loop: in every period a sampler puts a sample into a shared variable, and a controller takes
 * it from there and sets an output. At the end of a period the display shows both.
 *
 * Sampler and controller begin a period together, and the controller has more to do before it looks at the
 * sample, so the sample is there. Mostly: nothing says that the two take turns. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#define OWN_LINE _Alignas(64)

enum { PERIODS = 12, SAMPLER_STEPS = 12, CONTROLLER_STEPS = 130, NUMBER_SHIFT = 12 };

static OWN_LINE int sample; /* its number, and what was measured */
static OWN_LINE int output;
static OWN_LINE pthread_barrier_t begin, end;
#ifdef FIXED
static OWN_LINE sem_t sampled;
#endif

static int filter(int value, int steps) {
    for (int i = 0; i < steps; i++) value = (value * 13 + 7) & 0xfff;
    return value;
}

static void put_sample(int number, int measured) {
    sample = number << NUMBER_SHIFT | measured; /* bug: 3 */
#ifdef FIXED
    sem_post(&sampled);
#endif
}

static int take_sample(void) {
#ifdef FIXED
    sem_wait(&sampled);
#endif
    return sample; /* bug: 1 */
}

static void *sampler(void *argument) {
    int measured = *(int *)argument;
    for (int i = 1; i <= PERIODS; i++) {
        pthread_barrier_wait(&begin);
        measured = filter(measured, SAMPLER_STEPS);
        put_sample(i, measured);
        pthread_barrier_wait(&end);
    }
    return NULL;
}

static void *controller(void *argument) {
    int state = 0, stale = 0;
    for (int i = 1; i <= PERIODS; i++) {
        pthread_barrier_wait(&begin);
        state = filter(state, CONTROLLER_STEPS);
        int seen = take_sample();
        if (seen >> NUMBER_SHIFT != i) stale++;
        state += seen & 0xfff;
        output = state; /* bug: 2 */
        pthread_barrier_wait(&end);
    }
    *(int *)argument = stale;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int first = 1, stale, error = 0;
    pthread_barrier_init(&begin, NULL, 3);
    pthread_barrier_init(&end, NULL, 3);
#ifdef FIXED
    sem_init(&sampled, 0, 0);
#endif
    pthread_create(&threads[0], NULL, controller, &stale);
    pthread_create(&threads[1], NULL, sampler, &first);
    for (int i = 1; i <= PERIODS; i++) {
        pthread_barrier_wait(&begin);
        pthread_barrier_wait(&end);
        error += output - (sample & 0xfff);
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("%d periods, error %d\n", PERIODS, error / PERIODS);
    assert(stale == 0);
    return 0;
}
