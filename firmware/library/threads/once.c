#include "internal.h"

enum { ONCE_NEW, ONCE_RUNNING, ONCE_DONE };

static bool is_done(void *object) {
    pthread_once_t *once = object;
    return __atomic_load_n(&once->state, __ATOMIC_SEQ_CST) == ONCE_DONE;
}

int pthread_once(pthread_once_t *once, void (*function)(void)) {
    if (is_done(once)) return 0;
    unsigned expected = ONCE_NEW;
    if (__atomic_compare_exchange_n(&once->state, &expected, ONCE_RUNNING, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST)) {
        function();
        __atomic_store_n(&once->state, ONCE_DONE, __ATOMIC_SEQ_CST);
        __crosstalk_wake_all(&once->waiters);
    } else {
        __crosstalk_wait(&once->waiters, is_done, once, NEVER);
    }
    return 0;
}
