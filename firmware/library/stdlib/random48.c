/* The 48-bit generator of POSIX. */
#include "../internal.h"

#include <pthread.h>
#include <stdlib.h>

static unsigned short own[3];
static pthread_spinlock_t lock;

static uint64_t step(unsigned short state[3]) {
    uint64_t x = (uint64_t)state[2] << 32 | (uint64_t)state[1] << 16 | state[0];
    x = (x * 0x5deece66dull + 0xb) & 0xffffffffffffull;
    state[0] = (unsigned short)x;
    state[1] = (unsigned short)(x >> 16);
    state[2] = (unsigned short)(x >> 32);
    return x;
}

static uint64_t step_own(void) {
    pthread_spin_lock(&lock);
    uint64_t x = step(own);
    pthread_spin_unlock(&lock);
    return x;
}

static double real(uint64_t x) {
    return (double)x / 281474976710656.0;
}

POSIX_ONLY double erand48(unsigned short state[3]) { return real(step(state)); }
POSIX_ONLY double drand48(void) { return real(step_own()); }
POSIX_ONLY long nrand48(unsigned short state[3]) { return (long)(step(state) >> 17); }
POSIX_ONLY long lrand48(void) { return (long)(step_own() >> 17); }
POSIX_ONLY long jrand48(unsigned short state[3]) { return (int32_t)(step(state) >> 16); }
POSIX_ONLY long mrand48(void) { return (int32_t)(step_own() >> 16); }

POSIX_ONLY void srand48(long seed) {
    pthread_spin_lock(&lock);
    own[0] = 0x330e;
    own[1] = (unsigned short)seed;
    own[2] = (unsigned short)((unsigned long)seed >> 16);
    pthread_spin_unlock(&lock);
}
