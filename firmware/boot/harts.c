/* Which hart runs what: idle harts get threads, waiting threads get woken. */
#include "../drain/drain.h"
#include "ending.h"
#include "hart.h"

static hart_lock scheduling;

uint64_t crosstalk_now(void) {
    uint32_t high, low;
    do {
        high = read_csr(timeh);
        low = read_csr(time);
    } while (high != read_csr(timeh));
    return (uint64_t)high << 32 | low;
}

static void set_deadline(uint32_t hart, uint64_t time) {
    volatile uint32_t *compare = device(CLINT_MTIMECMP + CLINT_MTIMECMP_STRIDE * hart);
    compare[1] = ~0u; /* never early, whatever the low half is meanwhile */
    compare[0] = (uint32_t)time;
    compare[1] = (uint32_t)(time >> 32);
}

void crosstalk_on_software(struct hart *self) {
    *software_interrupt(self->number) = 0;
    if (crosstalk_ending()) crosstalk_halt(self);
}

/* Waits for an interrupt, in M mode with interrupts off, and does what belongs to it. */
static void wait_for_interrupt(struct hart *self) {
    __asm__ volatile("wfi");
    uint32_t pending = read_csr(mip);
    if (pending & MIE_SOFTWARE) crosstalk_on_software(self);
    if (pending & MIE_TABLE) crosstalk_drain_own(self);
}

/* Gives the mailbox's thread a clean hart: no register and no context of another thread shows. */
static _Noreturn void begin_thread(struct hart *self) {
    for (uint32_t i = 1; i < 32; i++) self->registers[i] = 0;
    self->registers[0] = self->mailbox.entry;
    self->registers[REGISTER_SP] = self->user_stack;
    self->registers[REGISTER_TP] = self->mailbox.thread;
    self->registers[REGISTER_A0] = self->mailbox.argument;
    self->registers[REGISTER_A0 + 1] = self->number;
    self->window[MONITOR_CONTEXT] = 0;
    self->permit = 0;
    self->state = HART_RUNNING;
    __asm__ volatile("csrc mstatus, %0" : : "r"(MSTATUS_MPP));
    crosstalk_enter(self);
}

_Noreturn void crosstalk_idle(struct hart *self) {
    while (self->state != HART_STARTING) wait_for_interrupt(self);
    begin_thread(self);
}

int32_t crosstalk_start_thread(const struct mailbox *thread) {
    int32_t chosen = -1;
    hart_lock_take(&scheduling);
    for (uint32_t i = 0; i < crosstalk_hart_count && chosen < 0; i++)
        if (crosstalk_harts[i].state == HART_IDLE) chosen = (int32_t)i;
    if (chosen >= 0) {
        crosstalk_harts[chosen].mailbox = *thread;
        crosstalk_harts[chosen].state = HART_STARTING;
        *software_interrupt((uint32_t)chosen) = 1;
    }
    hart_lock_give(&scheduling);
    return chosen;
}

/* Called by a hart that is about to wait, when nobody may be left to wake it: if all threads wait, and
 * none until a certain time, this is a deadlock. If some do, nothing happens until the first of those
 * times; it comes at once. */
static void when_all_wait(struct hart *self) {
    uint64_t first = UINT64_MAX;
    for (uint32_t i = 0; i < crosstalk_hart_count; i++) {
        struct hart *hart = &crosstalk_harts[i];
        if (hart->state == HART_STARTING) return;
        if (hart->state != HART_RUNNING) continue;
        /* The permit first: a hart that goes on clears `waiting`, then its permit. */
        if (hart->permit || !hart->waiting) return;
        if (hart->timed && hart->deadline < first) first = hart->deadline;
    }
    if (first == UINT64_MAX) {
        hart_lock_give(&scheduling);
        crosstalk_end_deadlock(self);
    }
    volatile uint32_t *time = device(CLINT_MTIME);
    if (crosstalk_now() < first) {
        time[0] = 0; /* no carry between the two stores */
        time[1] = (uint32_t)(first >> 32);
        time[0] = (uint32_t)first;
    }
}

/* The hart forgets its thread, and with it the stack it is on. */
_Noreturn void crosstalk_finish_thread(struct hart *self) {
    hart_lock_take(&scheduling);
    self->state = HART_IDLE;
    when_all_wait(self);
    hart_lock_give(&scheduling);
    crosstalk_idle(self);
}

uint32_t crosstalk_park(struct hart *self, bool timed, uint64_t deadline) {
    if (timed) {
        set_deadline(self->number, deadline);
        __asm__ volatile("csrs mie, %0" : : "r"(MIE_TIMER));
    }
    hart_lock_take(&scheduling);
    self->timed = timed;
    self->deadline = deadline;
    self->waiting = 1;
    when_all_wait(self);
    hart_lock_give(&scheduling);

    bool late = false;
    while (!self->permit && !late) {
        if (timed && crosstalk_now() >= deadline) late = true;
        else wait_for_interrupt(self);
    }
    self->waiting = 0; /* before the permit: see when_all_wait */
    self->permit = 0;
    if (timed) __asm__ volatile("csrc mie, %0" : : "r"(MIE_TIMER));
    return late;
}

void crosstalk_unpark(uint32_t hart) {
    if (hart >= crosstalk_hart_count) return;
    crosstalk_harts[hart].permit = 1;
    *software_interrupt(hart) = 1;
}

_Noreturn void crosstalk_halt(struct hart *self) {
    write_csr(mie, 0);
    self->stopped = 1;
    for (;;) __asm__ volatile("wfi");
}
