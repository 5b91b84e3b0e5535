/* Who handles which trap. A feature that has a cause of its own, such as communication traps, puts its
 * handler into one of these tables; the table's interrupt has its fast path and comes here only when
 * its buffer is full. */
#ifndef CROSSTALK_TRAPS_H
#define CROSSTALK_TRAPS_H

#include "hart.h"

typedef void trap_handler(struct hart *self);

enum { EXCEPTIONS = 32, INTERRUPTS = 32 };
extern trap_handler *crosstalk_exceptions[EXCEPTIONS];
extern trap_handler *crosstalk_interrupts[INTERRUPTS];

/* calls.c: an ecall of the program */
void crosstalk_on_call(struct hart *self);

#endif
