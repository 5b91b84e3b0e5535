/* A random program: threads write bytes, halves, words and copies over each other, to globals, to blocks and to
 * blocks that others have freed, as the numbers in its first argument say. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 3, SLOTS = 4, BYTES = 40 };

static _Alignas(8) unsigned char shared[BYTES];
static atomic_uint counter;
static unsigned char *slots[SLOTS];
static uint32_t seeds[THREADS + 1];
static unsigned length;

static uint32_t next(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void step(uint32_t *state) {
    uint32_t what = next(state) % 12, at = next(state) % (BYTES - 8), slot = next(state) % SLOTS;
    uint32_t value = next(state);
    unsigned char *block = slots[slot];
    switch (what) {
    case 0: shared[at] = (unsigned char)value; break;
    case 1: *(volatile uint16_t *)(shared + (at & ~1u)) = (uint16_t)value; break;
    case 2: *(volatile uint32_t *)(shared + (at & ~3u)) = value; break;
    case 3: atomic_fetch_add(&counter, value); break;
    case 4: {
        unsigned known = atomic_load(&counter);
        atomic_compare_exchange_strong(&counter, &known, value);
        break;
    }
    case 5: memset(shared + at, (int)value, value % 8); break;
    case 6: memmove(shared + at, shared + next(state) % (BYTES - 8), value % 8); break;
    case 7: slots[slot] = malloc(8 + value % 32); break;
    case 8: slots[slot] = calloc(1, 8 + value % 32); break;
    /* The block may be another thread's, and stays in its slot now and then. */
    case 9:
        if (value % 3) slots[slot] = 0;
        free(block);
        break;
    case 10:
        if (block) block[at % 8] = (unsigned char)value;
        break;
    default:
        if (block) *(volatile uint32_t *)(block + (at & 4)) = value;
        break;
    }
}

static void *scribble(void *argument) {
    uint32_t *state = argument;
    for (unsigned n = 0; n < length; n++) step(state);
    return 0;
}

int main(int count, char **arguments) {
    uint32_t seed = count > 1 ? (uint32_t)strtoul(arguments[1], 0, 10) : 1;
    length = count > 2 ? (unsigned)strtoul(arguments[2], 0, 10) : 20;
    pthread_t threads[THREADS];
    for (unsigned n = 0; n <= THREADS; n++) seeds[n] = seed + n * 7919u;
    for (unsigned n = 0; n < THREADS; n++) pthread_create(&threads[n], 0, scribble, &seeds[n]);
    scribble(&seeds[THREADS]);
    for (unsigned n = 0; n < THREADS; n++) pthread_join(threads[n], 0);
    return (int)(atomic_load(&counter) % 2);
}
