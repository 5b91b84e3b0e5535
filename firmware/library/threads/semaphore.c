#include "internal.h"

#include <errno.h>
#include <semaphore.h>

static unsigned value_of(unsigned word) {
    return word & WAITERS_OWN_HALF;
}

static bool try_take(void *object) {
    sem_t *semaphore = object;
    unsigned word = __atomic_load_n(&semaphore->waiters, __ATOMIC_SEQ_CST);
    while (value_of(word))
        if (__atomic_compare_exchange_n(&semaphore->waiters, &word, word - 1, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST))
            return true;
    return false;
}

static int fail(int error) {
    errno = error;
    return -1;
}

int sem_init(sem_t *semaphore, int shared, unsigned value) {
    (void)shared;
    if (value > SEM_VALUE_MAX) return fail(EINVAL);
    *semaphore = (sem_t){.waiters = value};
    return 0;
}

int sem_destroy(sem_t *semaphore) {
    (void)semaphore;
    return 0;
}

int sem_wait(sem_t *semaphore) {
    __crosstalk_wait(&semaphore->waiters, try_take, semaphore, NEVER);
    return 0;
}

int sem_trywait(sem_t *semaphore) {
    return try_take(semaphore) ? 0 : fail(EAGAIN);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict deadline) {
    if (!__crosstalk_is_time(deadline)) return fail(EINVAL);
    ticks until = __crosstalk_ticks(CLOCK_REALTIME, deadline);
    return __crosstalk_wait(&semaphore->waiters, try_take, semaphore, until) ? 0 : fail(ETIMEDOUT);
}

/* The value and the set change in one step: afterwards the semaphore may be gone. */
int sem_post(sem_t *semaphore) {
    unsigned word = __atomic_load_n(&semaphore->waiters, __ATOMIC_SEQ_CST), next;
    int chosen;
    do {
        if (value_of(word) == SEM_VALUE_MAX) return fail(EOVERFLOW);
        chosen = -1;
        next = word + 1;
        if (word & ~WAITERS_OWN_HALF) {
            chosen = (int)__crosstalk_choose(word);
            next &= ~(1u << WAITERS_SHIFT << chosen);
        }
    } while (!__atomic_compare_exchange_n(&semaphore->waiters, &word, next, false, __ATOMIC_SEQ_CST,
                                          __ATOMIC_SEQ_CST));
    if (chosen >= 0) __crosstalk_unpark((unsigned)chosen);
    return 0;
}

int sem_getvalue(sem_t *restrict semaphore, int *restrict value) {
    *value = (int)value_of(__atomic_load_n(&semaphore->waiters, __ATOMIC_SEQ_CST));
    return 0;
}
