/* How many threads it starts is up to the schedule: four, or now and then six. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int begun, gate;

static void *wait(void *unused) {
    begun = 1;
    while (!gate) {}
    return unused;
}

int main(void) {
    pthread_t threads[5];
    unsigned turns = 0;
    pthread_create(&threads[0], NULL, wait, NULL);
    while (!begun) turns++;
    int count = turns % 16 == RARE ? 5 : 3;
    for (int i = 1; i < count; i++) pthread_create(&threads[i], NULL, wait, NULL);
    gate = 1;
    for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
    return 0;
}
