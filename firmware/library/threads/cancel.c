/* Deferred cancellation, and the functions that a thread runs when it leaves.
 *
 * A program that calls neither pays nothing: only one that does is linked with `--wrap` (src/runtime.rs), and
 * then its calls of the functions below go through `__wrap_…`, which knows cancellation, to `__real_…`, which
 * does not. */
#include "theirs.h"

#include <errno.h>
#include <semaphore.h>
#include <unistd.h>

static _Thread_local struct {
    unsigned requested;
    int state, type;
    struct __crosstalk_cleanup *top;
} own;

_Noreturn void __real_pthread_exit(void *result);
int __real_pthread_join(pthread_t thread, void **result);
int __real_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int __real_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline);
int __real_sem_wait(sem_t *semaphore);
int __real_sem_timedwait(sem_t *semaphore, const struct timespec *deadline);
unsigned __real_sleep(unsigned seconds);
int __real_usleep(useconds_t microseconds);
int __real_nanosleep(const struct timespec *wish, struct timespec *rest);

static bool is_enabled(void) {
    return own.state == PTHREAD_CANCEL_ENABLE;
}

static bool is_due(void) {
    return is_enabled() && __atomic_load_n(&own.requested, __ATOMIC_SEQ_CST);
}

static _Noreturn void leave(void *result) {
    own.state = PTHREAD_CANCEL_DISABLE;
    while (own.top) __crosstalk_cleanup_pop(own.top, 1);
    __real_pthread_exit(result);
}

void pthread_testcancel(void) {
    if (is_due()) leave(PTHREAD_CANCELED);
}

/* The hart of a thread that has not begun is not known yet; then it has its first look before it. */
int pthread_cancel(pthread_t thread) {
    unsigned *requested = theirs(thread, &own.requested);
    __atomic_store_n(requested, 1, __ATOMIC_SEQ_CST);
    if (thread != __crosstalk_self) __crosstalk_unpark(__atomic_load_n(&thread->hart, __ATOMIC_SEQ_CST));
    return 0;
}

int pthread_setcancelstate(int state, int *before) {
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
    if (before) *before = own.state;
    own.state = state;
    return 0;
}

/* Asynchronous is as good as deferred here: POSIX lets a system take its time. */
int pthread_setcanceltype(int type, int *before) {
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
    if (before) *before = own.type;
    own.type = type;
    return 0;
}

void __crosstalk_cleanup_push(struct __crosstalk_cleanup *cleanup) {
    cleanup->below = own.top;
    own.top = cleanup;
}

void __crosstalk_cleanup_pop(struct __crosstalk_cleanup *cleanup, int execute) {
    own.top = cleanup->below;
    if (execute) cleanup->function(cleanup->argument);
}

_Noreturn void __wrap_pthread_exit(void *result) {
    leave(result);
}

int __wrap_pthread_join(pthread_t thread, void **result) {
    pthread_testcancel();
    return __real_pthread_join(thread, result);
}

/* As in condition.c; whoever is canceled has the mutex again, and passes on a signal that reached it. */
static int wait_condition(pthread_cond_t *condition, pthread_mutex_t *mutex, ticks deadline) {
    unsigned bit = own_bit();
    pthread_testcancel();
    __atomic_fetch_or(&condition->waiters, bit, __ATOMIC_SEQ_CST);
    int error = pthread_mutex_unlock(mutex);
    if (error) {
        __atomic_fetch_and(&condition->waiters, ~bit, __ATOMIC_SEQ_CST);
        return error;
    }
    bool late = false, due = false;
    while (!late && !due && __atomic_load_n(&condition->waiters, __ATOMIC_SEQ_CST) & bit) {
        due = is_due();
        if (!due) late = !__crosstalk_park(deadline);
    }
    bool waited = __atomic_fetch_and(&condition->waiters, ~bit, __ATOMIC_SEQ_CST) & bit;
    due = is_due();
    if (due && !waited) __crosstalk_wake_one(&condition->waiters);
    pthread_mutex_lock(mutex);
    if (due) leave(PTHREAD_CANCELED);
    return late && waited ? ETIMEDOUT : 0;
}

int __wrap_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    if (!is_enabled()) return __real_pthread_cond_wait(condition, mutex);
    return wait_condition(condition, mutex, NEVER);
}

int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline) {
    if (!is_enabled() || !__crosstalk_is_time(deadline))
        return __real_pthread_cond_timedwait(condition, mutex, deadline);
    return wait_condition(condition, mutex, __crosstalk_ticks(condition->clock, deadline));
}

struct attempt {
    sem_t *semaphore;
    bool taken;
};

static bool take_or_leave(void *object) {
    struct attempt *attempt = object;
    int before = errno;
    if (is_due()) return true;
    attempt->taken = !sem_trywait(attempt->semaphore);
    errno = before;
    return attempt->taken;
}

static int wait_semaphore(sem_t *semaphore, ticks deadline) {
    struct attempt attempt = {semaphore, false};
    pthread_testcancel();
    bool done = __crosstalk_wait(&semaphore->waiters, take_or_leave, &attempt, deadline);
    if (attempt.taken) return 0;
    if (done) pthread_testcancel();
    errno = ETIMEDOUT;
    return -1;
}

int __wrap_sem_wait(sem_t *semaphore) {
    return is_enabled() ? wait_semaphore(semaphore, NEVER) : __real_sem_wait(semaphore);
}

int __wrap_sem_timedwait(sem_t *semaphore, const struct timespec *deadline) {
    if (!__crosstalk_is_time(deadline)) return __real_sem_timedwait(semaphore, deadline);
    return wait_semaphore(semaphore, __crosstalk_ticks(CLOCK_REALTIME, deadline));
}

/* Sleeps until the time has come or the thread is canceled. */
static void doze(time_t seconds, long nanoseconds) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    now.tv_sec += seconds + (now.tv_nsec + nanoseconds) / 1000000000;
    now.tv_nsec = (now.tv_nsec + nanoseconds) % 1000000000;
    ticks until = __crosstalk_ticks(CLOCK_MONOTONIC, &now);
    pthread_testcancel();
    while (__crosstalk_now() < until) {
        __crosstalk_park(until);
        pthread_testcancel();
    }
}

unsigned __wrap_sleep(unsigned seconds) {
    doze(seconds, 0);
    return __real_sleep(0);
}

int __wrap_usleep(useconds_t microseconds) {
    doze(microseconds / 1000000, (long)(microseconds % 1000000) * 1000);
    return __real_usleep(0);
}

int __wrap_nanosleep(const struct timespec *wish, struct timespec *rest) {
    if (wish->tv_sec < 0 || !__crosstalk_is_time(wish)) return __real_nanosleep(wish, rest);
    doze(wish->tv_sec, wish->tv_nsec);
    return __real_nanosleep(&(struct timespec){0, 0}, rest);
}
