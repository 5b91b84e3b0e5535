/* Threads that communicate, and a program that always fails. */
#include <pthread.h>

static volatile int shared;

static void *add(void *unused) {
    for (int i = 0; i < 4; i++) shared = shared + 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
    return 3;
}
