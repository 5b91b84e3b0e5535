/* Attributes that change nothing here, clocks that can be chosen for a wait, and functions that are never called. */
#include "internal.h"

#include <errno.h>
#include <semaphore.h>

enum { PAGE_BYTES = 4096 };

int pthread_attr_setguardsize(pthread_attr_t *attributes, size_t bytes) {
    (void)attributes;
    (void)bytes;
    return 0;
}

int pthread_attr_getguardsize(const pthread_attr_t *restrict attributes, size_t *restrict bytes) {
    (void)attributes;
    *bytes = PAGE_BYTES;
    return 0;
}

static int check_policy(int policy) {
    return policy >= SCHED_OTHER && policy <= SCHED_IDLE ? 0 : EINVAL;
}

int pthread_attr_setschedpolicy(pthread_attr_t *attributes, int policy) {
    (void)attributes;
    return check_policy(policy);
}

int pthread_attr_getschedpolicy(const pthread_attr_t *restrict attributes, int *restrict policy) {
    (void)attributes;
    *policy = SCHED_OTHER;
    return 0;
}

int pthread_attr_setschedparam(pthread_attr_t *restrict attributes, const struct sched_param *restrict parameter) {
    (void)attributes;
    (void)parameter;
    return 0;
}

int pthread_attr_getschedparam(const pthread_attr_t *restrict attributes, struct sched_param *restrict parameter) {
    (void)attributes;
    parameter->sched_priority = 0;
    return 0;
}

int pthread_attr_setinheritsched(pthread_attr_t *attributes, int inherit) {
    (void)attributes;
    return inherit == PTHREAD_INHERIT_SCHED || inherit == PTHREAD_EXPLICIT_SCHED ? 0 : EINVAL;
}

int pthread_attr_getinheritsched(const pthread_attr_t *restrict attributes, int *restrict inherit) {
    (void)attributes;
    *inherit = PTHREAD_INHERIT_SCHED;
    return 0;
}

int pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t bytes, const cpu_set_t *set) {
    (void)attributes;
    (void)bytes;
    return set->harts ? 0 : EINVAL;
}

int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes) {
    pthread_attr_init(attributes);
    attributes->detached = __atomic_load_n(&thread->state, __ATOMIC_SEQ_CST) == THREAD_DETACHED;
    return 0;
}

int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *parameter) {
    (void)thread;
    (void)parameter;
    return check_policy(policy);
}

int pthread_getschedparam(pthread_t thread, int *restrict policy, struct sched_param *restrict parameter) {
    (void)thread;
    *policy = SCHED_OTHER;
    parameter->sched_priority = 0;
    return 0;
}

int pthread_setschedprio(pthread_t thread, int priority) {
    (void)thread;
    (void)priority;
    return 0;
}

int pthread_setconcurrency(int level) {
    return level < 0 ? EINVAL : 0;
}

int pthread_getconcurrency(void) {
    return 0;
}

int pthread_setaffinity_np(pthread_t thread, size_t bytes, const cpu_set_t *set) {
    (void)thread;
    (void)bytes;
    return set->harts ? 0 : EINVAL;
}

static cpu_set_t all_harts(void) {
    return (cpu_set_t){(1u << __crosstalk_start.harts) - 1};
}

int pthread_getaffinity_np(pthread_t thread, size_t bytes, cpu_set_t *set) {
    (void)thread;
    (void)bytes;
    *set = all_harts();
    return 0;
}

POSIX_ONLY int sched_setaffinity(int thread, size_t bytes, const cpu_set_t *set) {
    (void)thread;
    (void)bytes;
    if (set->harts) return 0;
    errno = EINVAL;
    return -1;
}

POSIX_ONLY int sched_getaffinity(int thread, size_t bytes, cpu_set_t *set) {
    (void)thread;
    (void)bytes;
    *set = all_harts();
    return 0;
}

POSIX_ONLY int sched_get_priority_min(int policy) {
    return policy == SCHED_FIFO || policy == SCHED_RR;
}

POSIX_ONLY int sched_get_priority_max(int policy) {
    return policy == SCHED_FIFO || policy == SCHED_RR ? 99 : 0;
}

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
    (void)prepare;
    (void)parent;
    (void)child;
    return 0;
}

static int not_shared(int *shared) {
    *shared = PTHREAD_PROCESS_PRIVATE;
    return 0;
}

int pthread_mutexattr_getpshared(const pthread_mutexattr_t *restrict attributes, int *restrict shared) {
    (void)attributes;
    return not_shared(shared);
}

int pthread_condattr_getpshared(const pthread_condattr_t *restrict attributes, int *restrict shared) {
    (void)attributes;
    return not_shared(shared);
}

int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *restrict attributes, int *restrict shared) {
    (void)attributes;
    return not_shared(shared);
}

int pthread_barrierattr_getpshared(const pthread_barrierattr_t *restrict attributes, int *restrict shared) {
    (void)attributes;
    return not_shared(shared);
}

int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attributes, int protocol) {
    (void)attributes;
    return protocol >= PTHREAD_PRIO_NONE && protocol <= PTHREAD_PRIO_PROTECT ? 0 : EINVAL;
}

int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *restrict attributes, int *restrict protocol) {
    (void)attributes;
    *protocol = PTHREAD_PRIO_NONE;
    return 0;
}

/* A thread that ends with a mutex keeps it. */
int pthread_mutexattr_setrobust(pthread_mutexattr_t *attributes, int robust) {
    (void)attributes;
    return robust == PTHREAD_MUTEX_STALLED ? 0 : robust == PTHREAD_MUTEX_ROBUST ? ENOTSUP : EINVAL;
}

int pthread_mutexattr_getrobust(const pthread_mutexattr_t *restrict attributes, int *restrict robust) {
    (void)attributes;
    *robust = PTHREAD_MUTEX_STALLED;
    return 0;
}

int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attributes, int kind) {
    (void)attributes;
    return kind >= PTHREAD_RWLOCK_PREFER_READER_NP && kind <= PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP ? 0 : EINVAL;
}

int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *restrict attributes, int *restrict kind) {
    (void)attributes;
    *kind = PTHREAD_RWLOCK_DEFAULT_NP;
    return 0;
}

int pthread_condattr_getclock(const pthread_condattr_t *restrict attributes, clockid_t *restrict clock) {
    *clock = attributes->clock;
    return 0;
}

/* The same moment on another clock: the two differ by a whole number of seconds. */
static struct timespec on_clock(clockid_t wanted, clockid_t clock, const struct timespec *time) {
    struct timespec result = *time, real, steady;
    if (wanted == clock) return result;
    clock_gettime(CLOCK_MONOTONIC, &steady);
    clock_gettime(CLOCK_REALTIME, &real);
    time_t between = real.tv_sec - steady.tv_sec - (real.tv_nsec < steady.tv_nsec);
    result.tv_sec += wanted == CLOCK_REALTIME ? between : -between;
    return result;
}

int pthread_mutex_clocklock(pthread_mutex_t *restrict mutex, clockid_t clock, const struct timespec *restrict deadline) {
    struct timespec until = on_clock(CLOCK_REALTIME, clock, deadline);
    return pthread_mutex_timedlock(mutex, &until);
}

int pthread_cond_clockwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, clockid_t clock,
                           const struct timespec *restrict deadline) {
    struct timespec until = on_clock(condition->clock, clock, deadline);
    return pthread_cond_timedwait(condition, mutex, &until);
}

int sem_clockwait(sem_t *restrict semaphore, clockid_t clock, const struct timespec *restrict deadline) {
    struct timespec until = on_clock(CLOCK_REALTIME, clock, deadline);
    return sem_timedwait(semaphore, &until);
}

POSIX_ONLY int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wish, struct timespec *rest) {
    if (!(flags & TIMER_ABSTIME)) return nanosleep(wish, rest) ? errno : 0;
    if (!__crosstalk_is_time(wish)) return EINVAL;
    ticks until = __crosstalk_ticks(clock, wish);
    while (__crosstalk_now() < until) __crosstalk_park(until);
    return 0;
}
