/* The threads of C11, on those of POSIX. */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <threads.h>

struct beginning {
    thrd_start_t start;
    void *argument;
};

static int result_of(int error) {
    switch (error) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    case ENOMEM:
    case EAGAIN: return thrd_nomem;
    default: return thrd_error;
    }
}

static void *begin(void *argument) {
    struct beginning beginning = *(struct beginning *)argument;
    free(argument);
    return (void *)(intptr_t)beginning.start(beginning.argument);
}

int thrd_create(thrd_t *thread, thrd_start_t start, void *argument) {
    struct beginning *beginning = malloc(sizeof *beginning);
    if (!beginning) return thrd_nomem;
    *beginning = (struct beginning){start, argument};
    int error = pthread_create(thread, NULL, begin, beginning);
    if (error) free(beginning);
    return result_of(error);
}

int thrd_join(thrd_t thread, int *result) {
    void *value;
    int error = pthread_join(thread, &value);
    if (!error && result) *result = (int)(intptr_t)value;
    return result_of(error);
}

int thrd_detach(thrd_t thread) { return result_of(pthread_detach(thread)); }
thrd_t thrd_current(void) { return pthread_self(); }
int thrd_equal(thrd_t a, thrd_t b) { return a == b; }
_Noreturn void thrd_exit(int result) { pthread_exit((void *)(intptr_t)result); }
void thrd_yield(void) { sched_yield(); }
int thrd_sleep(const struct timespec *wish, struct timespec *rest) { return nanosleep(wish, rest); }

int mtx_init(mtx_t *mutex, int kind) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    if (kind & mtx_recursive) pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    return result_of(pthread_mutex_init(mutex, &attributes));
}

int mtx_lock(mtx_t *mutex) { return result_of(pthread_mutex_lock(mutex)); }
int mtx_trylock(mtx_t *mutex) { return result_of(pthread_mutex_trylock(mutex)); }
int mtx_unlock(mtx_t *mutex) { return result_of(pthread_mutex_unlock(mutex)); }
void mtx_destroy(mtx_t *mutex) { pthread_mutex_destroy(mutex); }

int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict deadline) {
    return result_of(pthread_mutex_timedlock(mutex, deadline));
}

int cnd_init(cnd_t *condition) { return result_of(pthread_cond_init(condition, NULL)); }
int cnd_wait(cnd_t *condition, mtx_t *mutex) { return result_of(pthread_cond_wait(condition, mutex)); }
int cnd_signal(cnd_t *condition) { return result_of(pthread_cond_signal(condition)); }
int cnd_broadcast(cnd_t *condition) { return result_of(pthread_cond_broadcast(condition)); }
void cnd_destroy(cnd_t *condition) { pthread_cond_destroy(condition); }

int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict deadline) {
    return result_of(pthread_cond_timedwait(condition, mutex, deadline));
}

int tss_create(tss_t *key, tss_dtor_t destructor) { return result_of(pthread_key_create(key, destructor)); }
void *tss_get(tss_t key) { return pthread_getspecific(key); }
int tss_set(tss_t key, void *value) { return result_of(pthread_setspecific(key, value)); }
void tss_delete(tss_t key) { pthread_key_delete(key); }
void call_once(once_flag *once, void (*function)(void)) { pthread_once(once, function); }
