/* More threads than a machine of four harts can hold. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 5
#endif
#ifndef CODE
#define CODE 0
#endif

static atomic_int gate;

static void *wait(void *unused) {
    while (!gate) {}
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, wait, NULL);
    gate = 1;
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    return CODE;
}
