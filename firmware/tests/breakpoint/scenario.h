/* What the scenarios share: threads that are numbered, and a list of what they did in which order. */
#ifndef SCENARIO_H
#define SCENARIO_H

#include <crosstalk/breakpoint.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* Long enough that a partner which comes is never missed. */
#define LONG 60000

/* Short: for partners that never come. */
#define SHORT 5

struct thread {
    pthread_t handle;
    int number;
    int hit;
};

/* What happened, in order: a letter for each step. */
static char steps[64];
static pthread_mutex_t steps_mutex = PTHREAD_MUTEX_INITIALIZER;

static inline void step(char letter) {
    pthread_mutex_lock(&steps_mutex);
    size_t length = strlen(steps);
    if (length + 1 < sizeof steps)
        steps[length] = letter;
    pthread_mutex_unlock(&steps_mutex);
}

static int waiting_threads;

static inline int count_waiting(const struct crosstalk_visit *self, const struct crosstalk_visit *other) {
    (void)self, (void)other;
    waiting_threads++;
    return 0;
}

/* Returns when `count` threads wait as `party` of a breakpoint: asks them all, and meets none. */
static inline void until_waiting(const char *name, int party, int parties, int count) {
    struct crosstalk_visit probe = {.name = name, .parties = parties, .joint = count_waiting};
    probe.party = party == CROSSTALK_ANY_PARTY ? party : !party;
    do {
        waiting_threads = 0;
        crosstalk_breakpoint_visit(&probe);
    } while (waiting_threads < count);
}

/* Runs `count` threads, the last one started first, and prints who had a hit and what was done. */
static inline void together(int count, void *(*body)(void *)) {
    struct thread threads[8];
    for (int number = count - 1; number >= 0; number--) {
        threads[number].number = number;
        threads[number].hit = -1;
        pthread_create(&threads[number].handle, NULL, body, &threads[number]);
    }
    for (int number = 0; number < count; number++) {
        pthread_join(threads[number].handle, NULL);
        printf("%d", threads[number].hit);
    }
    printf(" %s\n", steps);
    memset(steps, 0, sizeof steps);
}

/* Prints what a breakpoint counted. */
static inline void counted(const char *name) {
    struct crosstalk_breakpoint_counts counts = crosstalk_breakpoint_count(name);
    printf("%s: hits %lu, timeouts %lu, skipped %lu, refused %lu\n", name, counts.hits, counts.timeouts,
           counts.skipped, counts.refused);
}

#endif
