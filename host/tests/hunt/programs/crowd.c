/* More threads than a machine of four harts can hold. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int gate;

static void *wait(void *unused) {
    while (!gate) {}
    return unused;
}

int main(void) {
    pthread_t threads[5];
    for (int i = 0; i < 5; i++) pthread_create(&threads[i], NULL, wait, NULL);
    gate = 1;
    for (int i = 0; i < 5; i++) pthread_join(threads[i], NULL);
    return 0;
}
