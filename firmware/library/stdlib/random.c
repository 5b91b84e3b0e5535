/* A linear congruential step, and a mix of its bits: the same numbers on every run. */
#include "../internal.h"

#include <stdlib.h>

static unsigned state = 1;

static unsigned step(unsigned x) {
    return x * 1664525u + 1013904223u;
}

static int shape(unsigned x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return (int)(x >> 1);
}

/* Harts may call it together: each gets a number of its own. */
int rand(void) {
    unsigned before = __atomic_load_n(&state, __ATOMIC_SEQ_CST);
    while (!__atomic_compare_exchange_n(&state, &before, step(before), false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST)) {}
    return shape(before);
}

void srand(unsigned seed) {
    __atomic_store_n(&state, seed, __ATOMIC_SEQ_CST);
}

POSIX_ONLY int rand_r(unsigned *seed) {
    int result = shape(*seed);
    *seed = step(*seed);
    return result;
}

POSIX_ONLY long random(void) {
    return rand();
}

POSIX_ONLY void srandom(unsigned seed) {
    srand(seed);
}
