/* The same with breakpoints in the source: with them, the one that comes late goes first. */
#include <crosstalk/breakpoint.h>
#include <pthread.h>
#include <stdio.h>

static _Alignas(64) volatile int last;
static volatile unsigned long_way;

static void *first(void *unused) {
    for (unsigned i = 0; i < 2000; i++) long_way += i;
    CROSSTALK_BREAKPOINT_UNTIL(order, 0, CROSSTALK_MEET_EQUAL, &last, 0, 100000, 0, 0);
    last = 1;
    CROSSTALK_PASSED(order);
    return unused;
}

static void *second(void *unused) {
    CROSSTALK_BREAKPOINT_UNTIL(order, 1, CROSSTALK_MEET_EQUAL, &last, 0, 100000, 0, 0);
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
