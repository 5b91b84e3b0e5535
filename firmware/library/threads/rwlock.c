/* Readers go first, as they do by default elsewhere: a writer waits until nobody reads. */
#include "internal.h"

#include <errno.h>

enum { WRITER = -1 };

static bool replace(pthread_rwlock_t *lock, int from, int to) {
    return __atomic_compare_exchange_n(&lock->holders, &from, to, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
}

static bool try_read(void *object) {
    pthread_rwlock_t *lock = object;
    int holders;
    while ((holders = __atomic_load_n(&lock->holders, __ATOMIC_SEQ_CST)) != WRITER)
        if (replace(lock, holders, holders + 1)) return true;
    return false;
}

static bool try_write(void *object) {
    pthread_rwlock_t *lock = object;
    return !__atomic_load_n(&lock->holders, __ATOMIC_SEQ_CST) && replace(lock, 0, WRITER);
}

static int lock_until(pthread_rwlock_t *lock, bool (*attempt)(void *), ticks deadline) {
    return __crosstalk_wait(&lock->waiters, attempt, lock, deadline) ? 0 : ETIMEDOUT;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    return lock_until(lock, try_read, NEVER);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    return lock_until(lock, try_write, NEVER);
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict deadline) {
    if (!__crosstalk_is_time(deadline)) return EINVAL;
    return lock_until(lock, try_read, __crosstalk_ticks(CLOCK_REALTIME, deadline));
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict deadline) {
    if (!__crosstalk_is_time(deadline)) return EINVAL;
    return lock_until(lock, try_write, __crosstalk_ticks(CLOCK_REALTIME, deadline));
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
    return try_read(lock) ? 0 : EBUSY;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
    return try_write(lock) ? 0 : EBUSY;
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    if (__atomic_load_n(&lock->holders, __ATOMIC_SEQ_CST) == WRITER)
        __atomic_store_n(&lock->holders, 0, __ATOMIC_SEQ_CST);
    else if (__atomic_sub_fetch(&lock->holders, 1, __ATOMIC_SEQ_CST))
        return 0;
    __crosstalk_wake_all(&lock->waiters);
    return 0;
}

int pthread_rwlock_init(pthread_rwlock_t *restrict lock, const pthread_rwlockattr_t *restrict attributes) {
    (void)attributes;
    *lock = (pthread_rwlock_t){0};
    return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
    return __atomic_load_n(&lock->holders, __ATOMIC_SEQ_CST) ? EBUSY : 0;
}
