/* How a benchmark is measured: it works once to fill the caches, and once more while cycles and instructions are
 * counted. What it computed must be the same both times, and what it is known to be. */
#ifndef BENCHMARK_H
#define BENCHMARK_H

#include <stdint.h>
#include <stdio.h>

static inline uint32_t cycles_now(void) {
    uint32_t value;
    __asm__ volatile("rdcycle %0" : "=r"(value) : : "memory");
    return value;
}

static inline uint32_t instructions_now(void) {
    uint32_t value;
    __asm__ volatile("rdinstret %0" : "=r"(value) : : "memory");
    return value;
}

/* Pseudo-random numbers, the same everywhere. */
static inline uint32_t next_random(uint32_t *state) {
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

/* Folds a value into a checksum. */
static inline uint32_t fold(uint32_t sum, uint32_t value) {
    return (sum ^ value) * 16777619u;
}

/* Prints `cycles instructions checksum`; the exit code is 0 if the checksum is right. */
static inline int measure(uint32_t (*work)(void), uint32_t expected) {
    uint32_t (*volatile hidden)(void) = work;
    uint32_t first = hidden();
    uint32_t instructions = instructions_now();
    uint32_t cycles = cycles_now();
    uint32_t second = hidden();
    cycles = cycles_now() - cycles;
    instructions = instructions_now() - instructions;
    printf("%u %u %08x\n", cycles, instructions, second);
    if (first != second || second != expected) {
        printf("wrong: %08x, then %08x; expected %08x\n", first, second, expected);
        return 1;
    }
    return 0;
}

#endif
