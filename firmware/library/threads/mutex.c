#include "internal.h"

#include <errno.h>

static unsigned own_number(void) {
    return __crosstalk_self->hart + 1;
}

static unsigned owner_of(unsigned word) {
    return word & WAITERS_OWN_HALF;
}

static bool try_take(void *object) {
    pthread_mutex_t *mutex = object;
    unsigned word = __atomic_load_n(&mutex->waiters, __ATOMIC_SEQ_CST);
    while (!owner_of(word))
        if (__atomic_compare_exchange_n(&mutex->waiters, &word, word | own_number(), false,
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            return true;
    return false;
}

/* A mutex that the thread has already: 0 if it may have it once more. */
static int take_again(pthread_mutex_t *mutex, int otherwise) {
    if (mutex->kind == PTHREAD_MUTEX_RECURSIVE) {
        mutex->depth++;
        return 0;
    }
    return otherwise;
}

static bool is_own(const pthread_mutex_t *mutex) {
    return owner_of(__atomic_load_n(&mutex->waiters, __ATOMIC_SEQ_CST)) == own_number();
}

static int lock_until(pthread_mutex_t *mutex, ticks deadline) {
    if (mutex->kind != PTHREAD_MUTEX_NORMAL && is_own(mutex)) return take_again(mutex, EDEADLK);
    return __crosstalk_wait(&mutex->waiters, try_take, mutex, deadline) ? 0 : ETIMEDOUT;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    return lock_until(mutex, NEVER);
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict deadline) {
    if (!__crosstalk_is_time(deadline)) return EINVAL;
    return lock_until(mutex, __crosstalk_ticks(CLOCK_REALTIME, deadline));
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    if (is_own(mutex)) return take_again(mutex, EBUSY);
    return try_take(mutex) ? 0 : EBUSY;
}

/* Gives the mutex away and takes a waiter out of the set, in one step: afterwards the mutex may be gone,
 * for whoever gets it may free it. */
static void release(pthread_mutex_t *mutex) {
    unsigned word = __atomic_load_n(&mutex->waiters, __ATOMIC_SEQ_CST), rest;
    int chosen;
    do {
        chosen = -1;
        rest = word & ~WAITERS_OWN_HALF;
        if (rest) {
            chosen = (int)__crosstalk_choose(rest);
            rest &= ~(1u << WAITERS_SHIFT << chosen);
        }
    } while (!__atomic_compare_exchange_n(&mutex->waiters, &word, rest, false, __ATOMIC_SEQ_CST,
                                          __ATOMIC_SEQ_CST));
    if (chosen >= 0) __crosstalk_unpark((unsigned)chosen);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    if (mutex->kind != PTHREAD_MUTEX_NORMAL && !is_own(mutex)) return EPERM;
    if (mutex->depth) {
        mutex->depth--;
        return 0;
    }
    release(mutex);
    return 0;
}

int pthread_mutex_init(pthread_mutex_t *restrict mutex, const pthread_mutexattr_t *restrict attributes) {
    *mutex = (pthread_mutex_t){.kind = attributes ? attributes->kind : PTHREAD_MUTEX_DEFAULT};
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    return owner_of(__atomic_load_n(&mutex->waiters, __ATOMIC_SEQ_CST)) ? EBUSY : 0;
}

int pthread_mutexattr_init(pthread_mutexattr_t *attributes) {
    attributes->kind = PTHREAD_MUTEX_DEFAULT;
    return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes) {
    (void)attributes;
    return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int kind) {
    if (kind < PTHREAD_MUTEX_NORMAL || kind > PTHREAD_MUTEX_ERRORCHECK) return EINVAL;
    attributes->kind = kind;
    return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *restrict attributes, int *restrict kind) {
    *kind = attributes->kind;
    return 0;
}
