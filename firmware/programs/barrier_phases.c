/* Jacobi iteration on a rod: each phase reads what the last one wrote, a barrier between them. */
#include <pthread.h>
#include <stdio.h>

#define THREADS 4
#define CELLS 32
#define PHASES 12

static int rod[2][CELLS + 2];
static pthread_barrier_t barrier;
static int serial_turns;

static void *relax(void *argument) {
    int self = (int)(long)argument;
    int from = 1 + self * CELLS / THREADS, to = 1 + (self + 1) * CELLS / THREADS;
    for (int phase = 0; phase < PHASES; phase++) {
        int *old = rod[phase % 2], *new = rod[(phase + 1) % 2];
        for (int i = from; i < to; i++) new[i] = (old[i - 1] + 2 * old[i] + old[i + 1]) / 4;
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
            __atomic_add_fetch(&serial_turns, 1, __ATOMIC_SEQ_CST);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    rod[0][0] = rod[1][0] = 100000;
    rod[0][CELLS + 1] = rod[1][CELLS + 1] = 20000;
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (long i = 1; i < THREADS; i++) pthread_create(&threads[i], NULL, relax, (void *)i);
    relax((void *)0);
    for (int i = 1; i < THREADS; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier);
    for (int i = 1; i <= CELLS; i++) printf("%6d%s", rod[PHASES % 2][i], i % 8 ? "" : "\n");
    printf("phases with one serial thread: %d\n", serial_turns);
    return 0;
}
