/* Joins that do not wait for ever. */
#include "internal.h"

#include <errno.h>

enum { POLLS_PER_SECOND = 10000 };

int pthread_tryjoin_np(pthread_t thread, void **result) {
    unsigned state = __atomic_load_n(&thread->state, __ATOMIC_SEQ_CST);
    return state == THREAD_DONE || state == THREAD_DETACHED ? pthread_join(thread, result) : EBUSY;
}

/* Nobody wakes this wait: it looks every now and then, at the latest at its deadline. */
int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock, const struct timespec *deadline) {
    if (!__crosstalk_is_time(deadline)) return EINVAL;
    if (thread == __crosstalk_self) return EDEADLK;
    ticks until = __crosstalk_ticks(clock, deadline), step = __crosstalk_start.ticks_per_second / POLLS_PER_SECOND;
    for (int error;;) {
        ticks now = __crosstalk_now(), next = now + (step ? step : 1);
        error = pthread_tryjoin_np(thread, result);
        if (error != EBUSY) return error;
        if (now >= until) return ETIMEDOUT;
        __crosstalk_park(next < until ? next : until);
    }
}

int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *deadline) {
    return pthread_clockjoin_np(thread, result, CLOCK_REALTIME, deadline);
}
