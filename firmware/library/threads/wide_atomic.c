/* Atomics of 64 bits, which these harts do not have: each takes one of a few locks, chosen by the address.
 * They stand in for those of the compiler's run-time library, whose waiting never rests. The compiler knows
 * the names as its own, so they are given to functions of other names. */
#include "internal.h"

enum { LOCKS = 16, LINE = 64 };

static struct {
    _Alignas(LINE) pthread_spinlock_t lock;
} locks[LOCKS];

static pthread_spinlock_t *enter(const volatile void *object) {
    pthread_spinlock_t *lock = &locks[(uintptr_t)object / LINE % LOCKS].lock;
    pthread_spin_lock(lock);
    return lock;
}

#define NAMED(name) __asm__("__atomic_" name "_8")

uint64_t __crosstalk_load(const volatile uint64_t *object, int order) NAMED("load");
uint64_t __crosstalk_load(const volatile uint64_t *object, int order) {
    (void)order;
    pthread_spinlock_t *lock = enter(object);
    uint64_t value = *object;
    pthread_spin_unlock(lock);
    return value;
}

void __crosstalk_store(volatile uint64_t *object, uint64_t value, int order) NAMED("store");
void __crosstalk_store(volatile uint64_t *object, uint64_t value, int order) {
    (void)order;
    pthread_spinlock_t *lock = enter(object);
    *object = value;
    pthread_spin_unlock(lock);
}

bool __crosstalk_compare(volatile uint64_t *object, uint64_t *expected, uint64_t value, int success,
                         int failure) NAMED("compare_exchange");
bool __crosstalk_compare(volatile uint64_t *object, uint64_t *expected, uint64_t value, int success,
                         int failure) {
    (void)success;
    (void)failure;
    pthread_spinlock_t *lock = enter(object);
    uint64_t before = *object;
    bool same = before == *expected;
    if (same) *object = value;
    else *expected = before;
    pthread_spin_unlock(lock);
    return same;
}

#define CHANGE(name, result)                                                                 \
    uint64_t __crosstalk_##name(volatile uint64_t *object, uint64_t value, int order) NAMED(#name); \
    uint64_t __crosstalk_##name(volatile uint64_t *object, uint64_t value, int order) {      \
        (void)order;                                                                         \
        pthread_spinlock_t *lock = enter(object);                                            \
        uint64_t before = *object;                                                           \
        *object = (result);                                                                  \
        pthread_spin_unlock(lock);                                                           \
        return before;                                                                       \
    }

CHANGE(exchange, value)
CHANGE(fetch_add, before + value)
CHANGE(fetch_sub, before - value)
CHANGE(fetch_and, before & value)
CHANGE(fetch_or, before | value)
CHANGE(fetch_xor, before ^ value)
CHANGE(fetch_nand, ~(before & value))
