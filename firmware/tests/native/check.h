/* Random input from a seed, and a complaint that names the case. */
#ifndef CHECK_H
#define CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_state;

static inline uint32_t any(void) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 32);
}

static inline uint32_t below(uint32_t limit) {
    return any() % limit;
}

static inline uint64_t any64(void) {
    uint64_t high = any();
    return high << 32 | any();
}

/* Numbers of all sizes. */
static inline uint64_t sized(void) {
    return any64() >> below(64);
}

#define CHECK(condition, ...)                                      \
    do {                                                           \
        if (!(condition)) {                                        \
            printf("%s:%d: %s: ", __FILE__, __LINE__, #condition); \
            printf(__VA_ARGS__);                                   \
            printf("\n");                                          \
            exit(1);                                               \
        }                                                          \
    } while (0)

void check(void);

int main(int count, char **arguments) {
    random_state = count > 1 ? strtoul(arguments[1], NULL, 10) : 1;
    check();
    puts("same");
    return 0;
}

/* The library's locks, of which a single thread needs nothing. */
int ct_pthread_mutex_lock(void *mutex) {
    (void)mutex;
    return 0;
}

int ct_pthread_mutex_unlock(void *mutex) {
    (void)mutex;
    return 0;
}

int ct_pthread_spin_lock(void *lock) {
    (void)lock;
    return 0;
}

int ct_pthread_spin_unlock(void *lock) {
    (void)lock;
    return 0;
}

#endif
