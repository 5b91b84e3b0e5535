/* Random bytes of a system, which here are the same in every run: SplitMix64 over a count that all threads share. */
#include "../internal.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/random.h>

enum { LONGEST_ENTROPY = 256 };

static atomic_uint given;

static uint64_t next_word(void) {
    uint64_t word = (atomic_fetch_add(&given, 1) + 1) * 0x9e3779b97f4a7c15u;
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
    word = (word ^ word >> 27) * 0x94d049bb133111ebu;
    return word ^ word >> 31;
}

POSIX_ONLY ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
    unsigned char *to = bytes;
    if (flags & ~(unsigned)(GRND_NONBLOCK | GRND_RANDOM | GRND_INSECURE)) {
        errno = EINVAL;
        return -1;
    }
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++) {
        if (i % sizeof word == 0) word = next_word();
        to[i] = (unsigned char)(word >> i % sizeof word * 8);
    }
    return (ssize_t)count;
}

POSIX_ONLY int getentropy(void *bytes, size_t count) {
    if (count > LONGEST_ENTROPY) {
        errno = EIO;
        return -1;
    }
    return getrandom(bytes, count, 0) < 0 ? -1 : 0;
}
