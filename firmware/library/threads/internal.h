/* What the thread functions share: the thread's own block, and waiting. */
#ifndef CROSSTALK_THREADS_INTERNAL_H
#define CROSSTALK_THREADS_INTERNAL_H

#include "../internal.h"

#include <crosstalk/calls.h>
#include <pthread.h>

enum thread_state { THREAD_JOINABLE, THREAD_DETACHED, THREAD_DONE };

struct crosstalk_thread {
    unsigned hart;
    unsigned state; /* enum thread_state */
    void *(*start)(void *);
    void *argument, *result;
    const void *values[PTHREAD_KEYS_MAX];
    struct crosstalk_thread *next_gone;
};

extern _Thread_local struct crosstalk_thread *__crosstalk_self;
extern struct crosstalk_start __crosstalk_start;

/* A time of the `time` CSR; NEVER: no deadline. */
typedef uint64_t ticks;
#define NEVER UINT64_MAX

ticks __crosstalk_now(void);
ticks __crosstalk_ticks(clockid_t clock, const struct timespec *time);
bool __crosstalk_is_time(const struct timespec *time);

/* Waits until `attempt` succeeds, or the deadline: false. `attempt` must look before it writes. */
bool __crosstalk_wait(unsigned *waiters, bool (*attempt)(void *), void *object, ticks deadline);
bool __crosstalk_park(ticks deadline); /* false: it is late */
void __crosstalk_wake_one(unsigned *waiters);
void __crosstalk_wake_all(unsigned *waiters);
unsigned __crosstalk_choose(unsigned waiters); /* a hart of the set, which is not empty */
void __crosstalk_unpark(unsigned hart);
void __crosstalk_pause(unsigned turns);

void __crosstalk_run_destructors(struct crosstalk_thread *self);
char *__crosstalk_become_main(char *place);

/* A set of waiters is the upper half of a word. The lower half belongs to whoever owns the word. */
enum { WAITERS_SHIFT = 16 };
#define WAITERS_OWN_HALF 0xffffu

static inline unsigned own_bit(void) {
    return 1u << WAITERS_SHIFT << __crosstalk_self->hart;
}

#endif
