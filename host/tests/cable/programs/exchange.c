/* Two threads that hand a counter to each other: small, and nothing but communication. */
#include <pthread.h>
#include <stdio.h>

static volatile int turn;
static volatile int count;

static void *other(void *unused) {
    for (int i = 0; i < 8; i++) {
        while (turn != 1) {
        }
        count++;
        turn = 0;
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    for (int i = 0; i < 8; i++) {
        while (turn != 0) {
        }
        count++;
        turn = 1;
    }
    pthread_join(thread, 0);
    puts("exchanged");
    return count - 16;
}
