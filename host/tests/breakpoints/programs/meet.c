/* Two threads that write one word once, and say who was the last. The first has a long way to go. */
#include <pthread.h>
#include <stdio.h>

static _Alignas(64) volatile int last;
static volatile unsigned long_way;

static void *first(void *unused) {
    for (unsigned i = 0; i < 2000; i++) long_way += i;
    last = 1;
    return unused;
}

static void *second(void *unused) {
    last = 2;
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&other, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    printf("last %d\n", last);
    return 0;
}
