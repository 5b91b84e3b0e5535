/* A thread that waits has its bit in the condition's set; a signal is the bit taken out. So a signal
 * reaches exactly one thread that waited when it was sent, and is never lost or doubled. */
#include "internal.h"

#include <errno.h>

static int wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, ticks deadline) {
    unsigned bit = own_bit();
    __atomic_fetch_or(&condition->waiters, bit, __ATOMIC_SEQ_CST);
    int error = pthread_mutex_unlock(mutex);
    if (error) {
        __atomic_fetch_and(&condition->waiters, ~bit, __ATOMIC_SEQ_CST);
        return error;
    }
    bool late = false;
    while (!late && __atomic_load_n(&condition->waiters, __ATOMIC_SEQ_CST) & bit)
        late = !__crosstalk_park(deadline);
    if (late) late = __atomic_fetch_and(&condition->waiters, ~bit, __ATOMIC_SEQ_CST) & bit;
    pthread_mutex_lock(mutex);
    return late ? ETIMEDOUT : 0;
}

int pthread_cond_wait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex) {
    return wait_until(condition, mutex, NEVER);
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict deadline) {
    if (!__crosstalk_is_time(deadline)) return EINVAL;
    return wait_until(condition, mutex, __crosstalk_ticks(condition->clock, deadline));
}

int pthread_cond_signal(pthread_cond_t *condition) {
    __crosstalk_wake_one(&condition->waiters);
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
    __crosstalk_wake_all(&condition->waiters);
    return 0;
}

int pthread_cond_init(pthread_cond_t *restrict condition, const pthread_condattr_t *restrict attributes) {
    *condition = (pthread_cond_t){.clock = attributes ? attributes->clock : CLOCK_REALTIME};
    return 0;
}

int pthread_cond_destroy(pthread_cond_t *condition) {
    return __atomic_load_n(&condition->waiters, __ATOMIC_SEQ_CST) ? EBUSY : 0;
}

int pthread_condattr_init(pthread_condattr_t *attributes) {
    attributes->clock = CLOCK_REALTIME;
    return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *attributes) {
    (void)attributes;
    return 0;
}

int pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock) {
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
    attributes->clock = clock;
    return 0;
}
