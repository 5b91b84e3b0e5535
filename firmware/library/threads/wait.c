/* Waiting and waking. A set of waiters has a bit for each hart; a thread that waits sets its
 * bit, looks once more and parks, and whoever changes something takes a bit out and unparks that hart.
 * The machine is sequentially consistent, so one of the two sees the other. */
#include "internal.h"

enum { FIRST_PAUSE = 16, LAST_PAUSE = 256 };

void __crosstalk_pause(unsigned turns) {
    while (turns--) __asm__ volatile("nop");
}

bool __crosstalk_park(ticks deadline) {
    return !crosstalk_call(CROSSTALK_PARK, (uint32_t)deadline, (uint32_t)(deadline >> 32), 0, 0);
}

static void enter(unsigned *waiters) {
    __atomic_fetch_or(waiters, own_bit(), __ATOMIC_SEQ_CST);
}

/* If somebody took the bit out, a wake-up was spent on this thread, which no longer needs it. */
static void leave(unsigned *waiters) {
    unsigned before = __atomic_fetch_and(waiters, ~own_bit(), __ATOMIC_SEQ_CST);
    if (!(before & own_bit())) __crosstalk_wake_one(waiters);
}

bool __crosstalk_wait(unsigned *waiters, bool (*attempt)(void *), void *object, ticks deadline) {
    if (attempt(object)) return true;
    for (unsigned turns = FIRST_PAUSE; turns <= LAST_PAUSE; turns *= 2) {
        __crosstalk_pause(turns);
        if (attempt(object)) return true;
    }
    bool done = false, late = false;
    while (!done && !late) {
        enter(waiters);
        done = attempt(object);
        if (!done) late = !__crosstalk_park(deadline);
    }
    if (late) done = attempt(object);
    leave(waiters);
    return done;
}

/* The next hart in turn, seen from this one: nobody is passed over for ever. */
unsigned __crosstalk_choose(unsigned waiters) {
    unsigned set = waiters & ~WAITERS_OWN_HALF, above = set & ~(own_bit() | (own_bit() - 1));
    return (unsigned)__builtin_ctz(above ? above : set) - WAITERS_SHIFT;
}

void __crosstalk_unpark(unsigned hart) {
    crosstalk_call(CROSSTALK_UNPARK, hart, 0, 0, 0);
}

void __crosstalk_wake_one(unsigned *waiters) {
    for (;;) {
        unsigned set = __atomic_load_n(waiters, __ATOMIC_SEQ_CST);
        if (!(set & ~WAITERS_OWN_HALF)) return;
        unsigned hart = __crosstalk_choose(set), bit = 1u << WAITERS_SHIFT << hart;
        if (__atomic_fetch_and(waiters, ~bit, __ATOMIC_SEQ_CST) & bit) {
            __crosstalk_unpark(hart);
            return;
        }
    }
}

void __crosstalk_wake_all(unsigned *waiters) {
    if (!(__atomic_load_n(waiters, __ATOMIC_SEQ_CST) & ~WAITERS_OWN_HALF)) return;
    unsigned set = __atomic_fetch_and(waiters, WAITERS_OWN_HALF, __ATOMIC_SEQ_CST) >> WAITERS_SHIFT;
    for (; set; set &= set - 1) __crosstalk_unpark((unsigned)__builtin_ctz(set));
}
