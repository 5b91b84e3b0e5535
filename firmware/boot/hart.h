/* What the firmware keeps of each hart. entry.S and drain/fast.S know the first fields by offset. */
#ifndef CROSSTALK_HART_H
#define CROSSTALK_HART_H

#include "machine.h"

enum hart_state {
    HART_ABSENT, /* not in the machine, or not to be used */
    HART_IDLE,
    HART_STARTING, /* a thread is in its mailbox */
    HART_RUNNING,
    HART_SPARE, /* drains the others */
};

struct mailbox {
    uint32_t entry, argument, thread;
};

struct hart {
    uint32_t registers[32];   /*   0: of the program, while in the firmware; [0] is its pc */
    uint32_t *next;           /* 128: where the next edge goes */
    uint32_t *limit;          /* 132: end of the buffer */
    volatile uint32_t *window; /* 136: this hart's monitor */
    uint32_t stack;           /* 140: the firmware's own */
    uint32_t *buffer;
    uint32_t number;
    uint32_t user_stack; /* its end */
    uint32_t guard;      /* the page below */
    volatile uint32_t state;   /* enum hart_state */
    volatile uint32_t stopped; /* for good: the run ends */
    volatile uint32_t waiting; /* parked */
    volatile uint32_t permit;  /* to go on, given before or while it waits */
    volatile uint32_t timed;   /* parked with a deadline */
    volatile uint64_t deadline;
    struct mailbox mailbox;
} __attribute__((aligned(64)));

_Static_assert(offsetof(struct hart, next) == 128, "entry.S and fast.S");
_Static_assert(offsetof(struct hart, limit) == 132, "fast.S");
_Static_assert(offsetof(struct hart, window) == 136, "fast.S");
_Static_assert(offsetof(struct hart, stack) == 140, "entry.S");
_Static_assert(sizeof(struct hart) == 256, "entry.S");

enum { REGISTER_SP = 2, REGISTER_TP = 4, REGISTER_A0 = 10, REGISTER_A7 = 17 };

extern struct hart crosstalk_harts[MAX_HARTS];
extern uint32_t crosstalk_hart_count; /* in the machine, as far as they may be used */

/* harts.c */
_Noreturn void crosstalk_idle(struct hart *self);
int32_t crosstalk_start_thread(const struct mailbox *thread);
_Noreturn void crosstalk_finish_thread(struct hart *self);
uint32_t crosstalk_park(struct hart *self, bool timed, uint64_t deadline);
void crosstalk_unpark(uint32_t hart);
void crosstalk_on_software(struct hart *self);
_Noreturn void crosstalk_halt(struct hart *self);
uint64_t crosstalk_now(void);

/* boot.c */
void crosstalk_set_up_hart(struct hart *self);
bool crosstalk_user_may_read(uint32_t address, uint32_t bytes);

/* entry.S */
_Noreturn void crosstalk_enter(struct hart *self); /* U mode, with `registers` */
bool crosstalk_probe(uint32_t address);            /* is there memory? */

#endif
