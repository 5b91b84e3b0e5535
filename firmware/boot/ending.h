/* How a run ends: the other harts stop, every table is drained, the end is recorded, the host is told. */
#ifndef CROSSTALK_ENDING_H
#define CROSSTALK_ENDING_H

#include "hart.h"

bool crosstalk_ending(void); /* whether some hart is ending the run */
_Noreturn void crosstalk_end_exit(struct hart *self, int32_t code);
_Noreturn void crosstalk_end_assertion(struct hart *self, uint32_t file, uint32_t line);
_Noreturn void crosstalk_end_fault(struct hart *self, uint32_t pc, uint32_t address, uint32_t cause);
_Noreturn void crosstalk_end_deadlock(struct hart *self);

#endif
