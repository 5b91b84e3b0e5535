/* Four threads work for about a million cycles, and lose an update now and then. */
#include <assert.h>
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 130, WORK = 1500 };

static volatile int total;
static volatile unsigned sink[THREADS][16];

static void *work(void *argument) {
    volatile unsigned *own = argument;
    for (int round = 0; round < ROUNDS; round++) {
        unsigned number = (unsigned)round;
        for (int i = 0; i < WORK; i++) number = number * 1103515245u + 12345u;
        *own = number;
        total = total + 1;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS - 1];
    for (int i = 0; i < THREADS - 1; i++) pthread_create(&threads[i], NULL, work, (void *)sink[i]);
    work((void *)sink[THREADS - 1]);
    for (int i = 0; i < THREADS - 1; i++) pthread_join(threads[i], NULL);
    assert(total == THREADS * ROUNDS);
    return 0;
}
