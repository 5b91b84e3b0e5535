/* From the communication tables into the harts' buffers, and from there into the record stream. */
#ifndef CROSSTALK_DRAIN_H
#define CROSSTALK_DRAIN_H

#include "../boot/hart.h"

uint32_t crosstalk_lay_out_buffers(uint32_t ram_end); /* gives the end of what is left */
void crosstalk_set_up_drain(struct hart *self);
void crosstalk_drain_own(struct hart *self); /* the slow way: also when the buffer is full */
void crosstalk_drain_all(struct hart *self); /* when all others have stopped */
_Noreturn void crosstalk_drain_others(struct hart *self);

#endif
