/*
 * Heat spreads over a plate. Each thread has some rows, and all meet at a
 * barrier after every step.
 *
 * Bug: the barrier has only a count, which the last thread sets to 0; the
 * others wait until it is 0. A fast thread may already have come to the next
 * barrier and counted itself there before a slow one has woken up: the slow
 * one then waits on, and will be missing at the next barrier.
 *
 * validate:
 *   kind: missed-signal
 *   variable: barrier.arrived
 *   threads: 4
 *   fails-by: hang
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORKERS 3
#define ROWS 9
#define COLUMNS 24
#define STEPS 4

static struct {
    pthread_mutex_t lock;
    pthread_cond_t complete;
    int arrived;
    unsigned phase;
} barrier = { .lock = PTHREAD_MUTEX_INITIALIZER, .complete = PTHREAD_COND_INITIALIZER };

/* Two plates, with a cold frame; a step goes from one to the other. */
static int plates[2][ROWS + 2][COLUMNS + 2];

static void meet(void)
{
    pthread_mutex_lock(&barrier.lock);
    barrier.arrived++;                          /* bug: 2 */
    if (barrier.arrived == WORKERS) {
        barrier.arrived = 0;                    /* bug: 1 */
        barrier.phase++;
        pthread_cond_broadcast(&barrier.complete);
    } else {
#ifdef FIXED
        unsigned phase = barrier.phase;

        while (barrier.phase == phase)
            pthread_cond_wait(&barrier.complete, &barrier.lock);
#else
        while (barrier.arrived != 0)            /* bug: 3 */
            pthread_cond_wait(&barrier.complete, &barrier.lock);        /* bug */
#endif
    }
    pthread_mutex_unlock(&barrier.lock);
}

static void spread(int from, int row)
{
    const int (*old)[COLUMNS + 2] = (const int (*)[COLUMNS + 2])plates[from];
    int (*new)[COLUMNS + 2] = plates[!from];

    for (int c = 1; c <= COLUMNS; c++) {
        int around = old[row - 1][c] + old[row + 1][c] + old[row][c - 1] + old[row][c + 1];

        new[row][c] = (4 * old[row][c] + around) / 8;
    }
}

static void *worker(void *arg)
{
    int first = *(int *)arg * ROWS / WORKERS + 1;
    int end = (*(int *)arg + 1) * ROWS / WORKERS + 1;

    for (int step = 0; step < STEPS; step++) {
        for (int row = first; row < end; row++)
            spread(step & 1, row);
        meet();
    }
    return NULL;
}

static void heat(void)
{
    memset(plates, 0, sizeof plates);
    plates[0][3][2] = 40000;
    plates[0][6][5] = 90000;
}

static unsigned digest(void)
{
    unsigned sum = 0;

    for (int row = 1; row <= ROWS; row++)
        for (int c = 1; c <= COLUMNS; c++)
            sum = sum * 31 + (unsigned)plates[STEPS & 1][row][c];
    return sum;
}

int main(void)
{
    pthread_t threads[WORKERS];
    int numbers[WORKERS];
    unsigned parallel;

    heat();
    for (int i = 0; i < WORKERS; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, worker, &numbers[i]) != 0)
            abort();
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    parallel = digest();

    heat();
    for (int step = 0; step < STEPS; step++)
        for (int row = 1; row <= ROWS; row++)
            spread(step & 1, row);
    printf("plate: %08x\n", parallel);
    return parallel == digest() ? 0 : 1;
}
