#include "traps.h"

#include "../drain/drain.h"
#include "ending.h"

trap_handler *crosstalk_exceptions[EXCEPTIONS] = {[CAUSE_ECALL_FROM_USER] = crosstalk_on_call};

trap_handler *crosstalk_interrupts[INTERRUPTS] = {
    [INTERRUPT_NUMBER_SOFTWARE] = crosstalk_on_software,
    [INTERRUPT_NUMBER_TABLE] = crosstalk_drain_own,
};

void crosstalk_trap(struct hart *self) {
    uint32_t cause = read_csr(mcause), number = cause & 31;
    bool interrupt = cause >> 31;
    bool from_user = !(read_csr(mstatus) & MSTATUS_MPP);
    trap_handler *handler = interrupt ? crosstalk_interrupts[number] : crosstalk_exceptions[number];
    if (handler && from_user) handler(self);
    else crosstalk_end_fault(self, self->registers[0], read_csr(mtval), cause);
}
