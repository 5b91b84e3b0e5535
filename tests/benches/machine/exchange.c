/* Two threads that communicate: each adds to words on lines that the other has just changed, and does some
 * work of its own in between. How often and how much is told when it is compiled. */
#include <pthread.h>

enum { LINES = 4, WORDS_OF_A_LINE = 16 };

static _Alignas(64) volatile unsigned shared[LINES * WORDS_OF_A_LINE];

static void *exchange(void *argument) {
    volatile unsigned own[OWN] = {0};
    unsigned self = (unsigned)(unsigned long)argument;
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned line = 0; line < LINES; line++) shared[line * WORDS_OF_A_LINE + self] += round;
        for (unsigned i = 0; i < OWN; i++) own[i] += round;
    }
    return NULL;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, exchange, (void *)1);
    exchange((void *)0);
    pthread_join(other, NULL);
    return 0;
}
