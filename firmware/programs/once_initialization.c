/* A table is built by whichever thread comes first, and by nobody else. */
#include <pthread.h>
#include <stdio.h>

#define THREADS 3
#define ENTRIES 20

static pthread_once_t once = PTHREAD_ONCE_INIT;
static unsigned fibonacci[ENTRIES];
static int built;

static void build(void) {
    built++;
    fibonacci[0] = 0;
    fibonacci[1] = 1;
    for (int i = 2; i < ENTRIES; i++) fibonacci[i] = fibonacci[i - 1] + fibonacci[i - 2];
}

static void *look_up(void *argument) {
    unsigned *entry = argument;
    pthread_once(&once, build);
    *entry = fibonacci[*entry];
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    unsigned entries[THREADS] = {7, 13, 19};
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, look_up, &entries[i]);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    pthread_once(&once, build);
    printf("built %d time%s: %u %u %u\n", built, built == 1 ? "" : "s", entries[0], entries[1], entries[2]);
    return 0;
}
