#include "internal.h"

#include <errno.h>

int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
    (void)shared;
    __atomic_store_n(lock, 0, __ATOMIC_SEQ_CST);
    return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *lock) {
    (void)lock;
    return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *lock) {
    bool free = !__atomic_load_n(lock, __ATOMIC_SEQ_CST) && !__atomic_exchange_n(lock, 1, __ATOMIC_SEQ_CST);
    return free ? 0 : EBUSY;
}

int pthread_spin_lock(pthread_spinlock_t *lock) {
    for (unsigned turns = 8; pthread_spin_trylock(lock); turns = turns < 256 ? 2 * turns : turns)
        __crosstalk_pause(turns);
    return 0;
}

int pthread_spin_unlock(pthread_spinlock_t *lock) {
    __atomic_store_n(lock, 0, __ATOMIC_SEQ_CST);
    return 0;
}
