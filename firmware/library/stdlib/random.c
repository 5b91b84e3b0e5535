/* The generators of glibc, number for number: a program draws here what it draws elsewhere. */
#include "../internal.h"

#include <pthread.h>
#include <stdlib.h>

enum { WORDS = 31, DISTANCE = 3, DISCARDED = 310 };

/* The last 31 numbers; each is the sum of the one 31 and the one 3 places back. */
static uint32_t numbers[WORDS];
static unsigned next;
static bool seeded;
static pthread_spinlock_t lock;

static uint32_t step(void) {
    uint32_t sum = numbers[next] + numbers[(next + WORDS - DISTANCE) % WORDS];
    numbers[next] = sum;
    next = (next + 1) % WORDS;
    return sum;
}

static void seed_with(unsigned seed) {
    int32_t word = seed ? (int32_t)seed : 1;
    for (unsigned i = 0; i < WORDS; i++) {
        numbers[i] = (uint32_t)word;
        word = (int32_t)(16807ll * word % 2147483647);
        if (word < 0) word += 2147483647;
    }
    next = DISTANCE;
    for (unsigned i = 0; i < DISCARDED; i++) step();
    seeded = true;
}

/* Harts may call it together: each gets a number of its own. */
int rand(void) {
    pthread_spin_lock(&lock);
    if (!seeded) seed_with(1);
    int result = (int)(step() >> 1);
    pthread_spin_unlock(&lock);
    return result;
}

void srand(unsigned seed) {
    pthread_spin_lock(&lock);
    seed_with(seed);
    pthread_spin_unlock(&lock);
}

POSIX_ONLY int rand_r(unsigned *seed) {
    static const unsigned bits[] = {11, 10, 10};
    unsigned state = *seed, result = 0;
    for (int i = 0; i < 3; i++) {
        state = state * 1103515245u + 12345u;
        result = result << bits[i] ^ (state / 65536 & ((1u << bits[i]) - 1));
    }
    *seed = state;
    return (int)result;
}

POSIX_ONLY long random(void) {
    return rand();
}

POSIX_ONLY void srandom(unsigned seed) {
    srand(seed);
}
