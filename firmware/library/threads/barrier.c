#include "internal.h"

#include <errno.h>

struct waiting {
    pthread_barrier_t *barrier;
    unsigned phase;
};

static bool is_over(void *object) {
    struct waiting *waiting = object;
    return __atomic_load_n(&waiting->barrier->phase, __ATOMIC_SEQ_CST) != waiting->phase;
}

int pthread_barrier_wait(pthread_barrier_t *barrier) {
    struct waiting waiting = {barrier, __atomic_load_n(&barrier->phase, __ATOMIC_SEQ_CST)};
    if (__atomic_add_fetch(&barrier->arrived, 1, __ATOMIC_SEQ_CST) < barrier->count) {
        __crosstalk_wait(&barrier->waiters, is_over, &waiting, NEVER);
        return 0;
    }
    __atomic_store_n(&barrier->arrived, 0, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&barrier->phase, 1, __ATOMIC_SEQ_CST);
    __crosstalk_wake_all(&barrier->waiters);
    return PTHREAD_BARRIER_SERIAL_THREAD;
}

int pthread_barrier_init(pthread_barrier_t *restrict barrier,
                         const pthread_barrierattr_t *restrict attributes, unsigned count) {
    (void)attributes;
    if (!count) return EINVAL;
    *barrier = (pthread_barrier_t){.count = count};
    return 0;
}

int pthread_barrier_destroy(pthread_barrier_t *barrier) {
    return __atomic_load_n(&barrier->arrived, __ATOMIC_SEQ_CST) ? EBUSY : 0;
}
