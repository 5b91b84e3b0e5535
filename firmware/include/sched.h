#ifndef CROSSTALK_SCHED_H
#define CROSSTALK_SCHED_H

int sched_yield(void);

#include <stddef.h>

#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
#define SCHED_BATCH 3
#define SCHED_IDLE 5

struct sched_param {
    int sched_priority;
};

int sched_get_priority_min(int policy);
int sched_get_priority_max(int policy);

/* A thread stays on the hart it was given: sets of harts are taken and change nothing. */
#define CPU_SETSIZE 32
typedef struct {
    unsigned harts;
} cpu_set_t;
#define CPU_ZERO(set) ((void)((set)->harts = 0))
#define CPU_SET(hart, set) ((void)((set)->harts |= 1u << (hart)))
#define CPU_CLR(hart, set) ((void)((set)->harts &= ~(1u << (hart))))
#define CPU_ISSET(hart, set) ((int)((set)->harts >> (hart) & 1))
#define CPU_COUNT(set) __builtin_popcount((set)->harts)
#define CPU_EQUAL(a, b) ((a)->harts == (b)->harts)
int sched_setaffinity(int thread, size_t bytes, const cpu_set_t *set);
int sched_getaffinity(int thread, size_t bytes, cpu_set_t *set);
int sched_getcpu(void);

#endif
