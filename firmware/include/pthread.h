/* POSIX threads on harts: a thread has a hart to itself for as long as it lives. */
#ifndef CROSSTALK_PTHREAD_H
#define CROSSTALK_PTHREAD_H

#include <sched.h>
#include <stddef.h>
#include <time.h>

typedef struct crosstalk_thread *pthread_t;
typedef unsigned pthread_key_t;
typedef unsigned pthread_spinlock_t;

typedef struct {
    int detached;
    size_t stack_bytes;
} pthread_attr_t;

typedef struct {
    int kind;
} pthread_mutexattr_t;

typedef struct {
    clockid_t clock;
} pthread_condattr_t;

typedef struct {
    int unused;
} pthread_rwlockattr_t;

typedef struct {
    int unused;
} pthread_barrierattr_t;

/* In all of them the upper half of `waiters` has a bit for each hart that waits. */
typedef struct {
    unsigned waiters; /* lower half: the owner, as hart + 1; 0: free */
    unsigned depth;
    int kind;
} pthread_mutex_t;

typedef struct {
    unsigned waiters;
    clockid_t clock;
} pthread_cond_t;

typedef struct {
    int holders; /* readers, or -1: a writer */
    unsigned waiters;
} pthread_rwlock_t;

typedef struct {
    unsigned count, arrived, phase, waiters;
} pthread_barrier_t;

typedef struct {
    unsigned state, waiters;
} pthread_once_t;

enum { PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK };
#define PTHREAD_MUTEX_DEFAULT PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_TIMED_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_RECURSIVE_NP PTHREAD_MUTEX_RECURSIVE
#define PTHREAD_MUTEX_INITIALIZER {0, 0, PTHREAD_MUTEX_NORMAL}
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP {0, 0, PTHREAD_MUTEX_RECURSIVE}
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP {0, 0, PTHREAD_MUTEX_ERRORCHECK}
#define PTHREAD_COND_INITIALIZER {0, 0}
#define PTHREAD_RWLOCK_INITIALIZER {0, 0}
#define PTHREAD_ONCE_INIT {0, 0}
#define PTHREAD_BARRIER_SERIAL_THREAD (-1)
#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1
#define PTHREAD_SCOPE_SYSTEM 0
#define PTHREAD_SCOPE_PROCESS 1
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_KEYS_MAX 32
#define PTHREAD_DESTRUCTOR_ITERATIONS 4
#define PTHREAD_STACK_MIN 2048

int pthread_create(pthread_t *__restrict thread, const pthread_attr_t *__restrict attributes,
                   void *(*start)(void *), void *__restrict argument);
int pthread_join(pthread_t thread, void **result);
int pthread_detach(pthread_t thread);
pthread_t pthread_self(void);
_Noreturn void pthread_exit(void *result);
int pthread_equal(pthread_t a, pthread_t b);
int pthread_yield(void);

int pthread_attr_init(pthread_attr_t *attributes);
int pthread_attr_destroy(pthread_attr_t *attributes);
int pthread_attr_setdetachstate(pthread_attr_t *attributes, int detached);
int pthread_attr_getdetachstate(const pthread_attr_t *attributes, int *detached);
int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t bytes);
int pthread_attr_getstacksize(const pthread_attr_t *__restrict attributes, size_t *__restrict bytes);

int pthread_attr_setscope(pthread_attr_t *attributes, int scope);
int pthread_attr_getscope(const pthread_attr_t *__restrict attributes, int *__restrict scope);

int pthread_mutexattr_init(pthread_mutexattr_t *attributes);
int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes);
int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int kind);
int pthread_mutexattr_gettype(const pthread_mutexattr_t *__restrict attributes, int *__restrict kind);
int pthread_mutexattr_setpshared(pthread_mutexattr_t *attributes, int shared);
int pthread_mutex_init(pthread_mutex_t *__restrict mutex, const pthread_mutexattr_t *__restrict attributes);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_trylock(pthread_mutex_t *mutex);
int pthread_mutex_timedlock(pthread_mutex_t *__restrict mutex, const struct timespec *__restrict deadline);
int pthread_mutex_unlock(pthread_mutex_t *mutex);

int pthread_condattr_init(pthread_condattr_t *attributes);
int pthread_condattr_destroy(pthread_condattr_t *attributes);
int pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock);
int pthread_condattr_setpshared(pthread_condattr_t *attributes, int shared);
int pthread_cond_init(pthread_cond_t *__restrict condition, const pthread_condattr_t *__restrict attributes);
int pthread_cond_destroy(pthread_cond_t *condition);
int pthread_cond_wait(pthread_cond_t *__restrict condition, pthread_mutex_t *__restrict mutex);
int pthread_cond_timedwait(pthread_cond_t *__restrict condition, pthread_mutex_t *__restrict mutex,
                           const struct timespec *__restrict deadline);
int pthread_cond_signal(pthread_cond_t *condition);
int pthread_cond_broadcast(pthread_cond_t *condition);

int pthread_rwlockattr_init(pthread_rwlockattr_t *attributes);
int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attributes);
int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attributes, int shared);
int pthread_rwlock_init(pthread_rwlock_t *__restrict lock, const pthread_rwlockattr_t *__restrict attributes);
int pthread_rwlock_destroy(pthread_rwlock_t *lock);
int pthread_rwlock_rdlock(pthread_rwlock_t *lock);
int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock);
int pthread_rwlock_timedrdlock(pthread_rwlock_t *__restrict lock, const struct timespec *__restrict deadline);
int pthread_rwlock_wrlock(pthread_rwlock_t *lock);
int pthread_rwlock_trywrlock(pthread_rwlock_t *lock);
int pthread_rwlock_timedwrlock(pthread_rwlock_t *__restrict lock, const struct timespec *__restrict deadline);
int pthread_rwlock_unlock(pthread_rwlock_t *lock);

int pthread_barrierattr_init(pthread_barrierattr_t *attributes);
int pthread_barrierattr_destroy(pthread_barrierattr_t *attributes);
int pthread_barrierattr_setpshared(pthread_barrierattr_t *attributes, int shared);
int pthread_barrier_init(pthread_barrier_t *__restrict barrier,
                         const pthread_barrierattr_t *__restrict attributes, unsigned count);
int pthread_barrier_destroy(pthread_barrier_t *barrier);
int pthread_barrier_wait(pthread_barrier_t *barrier);

int pthread_once(pthread_once_t *once, void (*function)(void));

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *));
int pthread_key_delete(pthread_key_t key);
void *pthread_getspecific(pthread_key_t key);
int pthread_setspecific(pthread_key_t key, const void *value);

int pthread_spin_init(pthread_spinlock_t *lock, int shared);
int pthread_spin_destroy(pthread_spinlock_t *lock);
int pthread_spin_lock(pthread_spinlock_t *lock);
int pthread_spin_trylock(pthread_spinlock_t *lock);
int pthread_spin_unlock(pthread_spinlock_t *lock);

#define PTHREAD_MUTEX_NORMAL_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_FAST_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_ADAPTIVE_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_ERRORCHECK_NP PTHREAD_MUTEX_ERRORCHECK
#define PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP PTHREAD_MUTEX_INITIALIZER
#define PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP PTHREAD_RWLOCK_INITIALIZER
#define PTHREAD_INHERIT_SCHED 0
#define PTHREAD_EXPLICIT_SCHED 1
#define PTHREAD_PRIO_NONE 0
#define PTHREAD_PRIO_INHERIT 1
#define PTHREAD_PRIO_PROTECT 2
#define PTHREAD_MUTEX_STALLED 0
#define PTHREAD_MUTEX_ROBUST 1
enum {
    PTHREAD_RWLOCK_PREFER_READER_NP,
    PTHREAD_RWLOCK_PREFER_WRITER_NP,
    PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP,
    PTHREAD_RWLOCK_DEFAULT_NP = PTHREAD_RWLOCK_PREFER_READER_NP
};

int pthread_tryjoin_np(pthread_t thread, void **result);
int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *deadline);
int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock, const struct timespec *deadline);
int pthread_setname_np(pthread_t thread, const char *name);
int pthread_getname_np(pthread_t thread, char *to, size_t size);

/* Cancellation is deferred: to pthread_testcancel, the waits of condition variables and semaphores, sleep,
 * usleep and nanosleep; pthread_join looks before it waits, not while it does. */
enum { PTHREAD_CANCEL_ENABLE, PTHREAD_CANCEL_DISABLE };
enum { PTHREAD_CANCEL_DEFERRED, PTHREAD_CANCEL_ASYNCHRONOUS };
#define PTHREAD_CANCELED ((void *)-1)
int pthread_cancel(pthread_t thread);
void pthread_testcancel(void);
int pthread_setcancelstate(int state, int *before);
int pthread_setcanceltype(int type, int *before);

struct __crosstalk_cleanup {
    void (*function)(void *);
    void *argument;
    struct __crosstalk_cleanup *below;
};
void __crosstalk_cleanup_push(struct __crosstalk_cleanup *cleanup);
void __crosstalk_cleanup_pop(struct __crosstalk_cleanup *cleanup, int execute);
#define pthread_cleanup_push(function, argument)                             \
    do {                                                                     \
        struct __crosstalk_cleanup __cleanup = {(function), (argument), 0};  \
        __crosstalk_cleanup_push(&__cleanup)
#define pthread_cleanup_pop(execute)                     \
        __crosstalk_cleanup_pop(&__cleanup, (execute));  \
    } while (0)

/* Every thread has a hart to itself: priorities are taken and change nothing. */
int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *parameter);
int pthread_getschedparam(pthread_t thread, int *__restrict policy, struct sched_param *__restrict parameter);
int pthread_setschedprio(pthread_t thread, int priority);
int pthread_setconcurrency(int level);
int pthread_getconcurrency(void);
int pthread_setaffinity_np(pthread_t thread, size_t bytes, const cpu_set_t *set);
int pthread_getaffinity_np(pthread_t thread, size_t bytes, cpu_set_t *set);
int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes);
int pthread_attr_setguardsize(pthread_attr_t *attributes, size_t bytes);
int pthread_attr_getguardsize(const pthread_attr_t *__restrict attributes, size_t *__restrict bytes);
int pthread_attr_setschedpolicy(pthread_attr_t *attributes, int policy);
int pthread_attr_getschedpolicy(const pthread_attr_t *__restrict attributes, int *__restrict policy);
int pthread_attr_setschedparam(pthread_attr_t *__restrict attributes,
                               const struct sched_param *__restrict parameter);
int pthread_attr_getschedparam(const pthread_attr_t *__restrict attributes,
                               struct sched_param *__restrict parameter);
int pthread_attr_setinheritsched(pthread_attr_t *attributes, int inherit);
int pthread_attr_getinheritsched(const pthread_attr_t *__restrict attributes, int *__restrict inherit);
int pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t bytes, const cpu_set_t *set);
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void));

int pthread_mutexattr_getpshared(const pthread_mutexattr_t *__restrict attributes, int *__restrict shared);
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attributes, int protocol);
int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *__restrict attributes, int *__restrict protocol);
int pthread_mutexattr_setrobust(pthread_mutexattr_t *attributes, int robust);
int pthread_mutexattr_getrobust(const pthread_mutexattr_t *__restrict attributes, int *__restrict robust);
#define pthread_mutexattr_setkind_np pthread_mutexattr_settype
#define pthread_mutexattr_getkind_np pthread_mutexattr_gettype
int pthread_mutex_clocklock(pthread_mutex_t *__restrict mutex, clockid_t clock,
                            const struct timespec *__restrict deadline);
int pthread_condattr_getclock(const pthread_condattr_t *__restrict attributes, clockid_t *__restrict clock);
int pthread_condattr_getpshared(const pthread_condattr_t *__restrict attributes, int *__restrict shared);
int pthread_cond_clockwait(pthread_cond_t *__restrict condition, pthread_mutex_t *__restrict mutex,
                           clockid_t clock, const struct timespec *__restrict deadline);
int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *__restrict attributes, int *__restrict shared);
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attributes, int kind);
int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *__restrict attributes, int *__restrict kind);
int pthread_barrierattr_getpshared(const pthread_barrierattr_t *__restrict attributes, int *__restrict shared);

#endif
