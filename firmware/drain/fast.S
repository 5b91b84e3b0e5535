// The communication table's interrupt: moves the table's entries into the hart's buffer and returns.
//
// An entry is seven loads from the register window, of which the last pops it, and seven stores; the
// loads, one device access each, are nearly all of the time. While this hart is in M mode nothing is
// pushed to its table, so its count is read once. When the buffer is full the rest of the work, sending
// it off, is the general trap's; what is left in the table interrupts again.

#include <machine_numbers.h>

#define NEXT 128
#define LIMIT 132
#define WINDOW 136
#define SAVED 0                     // the block's place for the program's registers
#define ENTRY (4 * MONITOR_EDGE_WORDS) // bytes

.macro RESTORE
    lw      a1, SAVED+4(a0)
    lw      a2, SAVED+8(a0)
    lw      a3, SAVED+12(a0)
    lw      a4, SAVED+16(a0)
    lw      a5, SAVED+20(a0)
    lw      a6, SAVED+24(a0)
    lw      a7, SAVED+28(a0)
    lw      t0, SAVED+32(a0)
    csrrw   a0, mscratch, a0
.endm

    .section .text.crosstalk_drain, "ax"
    .globl crosstalk_drain_fast
crosstalk_drain_fast:
    csrrw   a0, mscratch, a0
    sw      a1, SAVED+4(a0)
    sw      a2, SAVED+8(a0)
    sw      a3, SAVED+12(a0)
    sw      a4, SAVED+16(a0)
    sw      a5, SAVED+20(a0)
    sw      a6, SAVED+24(a0)
    sw      a7, SAVED+28(a0)
    sw      t0, SAVED+32(a0)
    lw      a1, WINDOW(a0)
    lw      a2, NEXT(a0)
    lw      a4, 4*MONITOR_TABLE_COUNT(a1)
    lw      a3, LIMIT(a0)
    li      a5, ENTRY
    mul     a4, a4, a5
    add     a4, a2, a4              // where the last entry will end,
    bleu    a4, a3, 1f
    mv      a4, a3                  // or the buffer does
1:  beq     a2, a4, 3f
2:  lw      a5, 4*MONITOR_SOURCE_PC(a1)
    lw      a6, 4*MONITOR_SINK_PC(a1)
    lw      a7, 4*MONITOR_SOURCE_CONTEXT(a1)
    lw      t0, 4*MONITOR_SINK_CONTEXT(a1)
    sw      a5, 0(a2)
    sw      a6, 4(a2)
    sw      a7, 8(a2)
    sw      t0, 12(a2)
    lw      a5, 4*MONITOR_SOURCE_TIME(a1)
    lw      a6, 4*MONITOR_SINK_TIME(a1)
    lw      a7, 4*MONITOR_KIND_AND_HARTS(a1) // pops
    sw      a5, 16(a2)
    sw      a6, 20(a2)
    sw      a7, 24(a2)
    addi    a2, a2, ENTRY
    bne     a2, a4, 2b
3:  sw      a2, NEXT(a0)
    beq     a2, a3, 4f
    RESTORE
    mret
4:  RESTORE                         // the buffer is full: put everything back and trap in earnest
    j       crosstalk_trap_general
