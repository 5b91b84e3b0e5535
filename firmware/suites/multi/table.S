// The communication table: what two harts do to a few lines is in it, word for word, and its interrupt
// comes at the watermark. Without a monitor there is nothing to see.
#include "multi.h"

    PROGRAM main
#define LINES 4
#define M_SELECTED (MONITOR_CONTROL_ENABLE | MONITOR_CONTROL_SELECT_MACHINE)

    TOGETHER 2
    li      a5, MONITORS
    lw      t0, 4*MONITOR_TABLE_WATERMARK(a5)
    bnez    t0, 1f
    ONLY_HART_0
    j       pass

    // Hart 0 is monitored between `begin` and `end`. Hart 1 only leaves its name on lines.
1:  slli    t0, tp, MONITOR_STRIDE_BITS
    add     a5, a5, t0
    bnez    tp, 1f
    la      t0, begin
    sw      t0, 4*MONITOR_RANGE_LOW(a5)
    la      t0, end
    sw      t0, 4*MONITOR_RANGE_HIGH(a5)
1:  li      t0, M_SELECTED
    sw      t0, 4*MONITOR_CONTROL(a5)
    la      a0, lines
    BARRIER
    beqz    tp, 1f
    li      a1, LINES
    mv      a2, a0
source:
    sw      a1, 0(a2)
    addi    a2, a2, 64
    addi    a1, a1, -1
    bnez    a1, source
1:  BARRIER
    bnez    tp, 2f
    // Three reads and a write; the interrupt is off until all are done.
    li      t0, 4
    sw      t0, 4*MONITOR_TABLE_WATERMARK(a5)
    mv      a2, a0
    li      a1, 3
begin:
    lw      a3, 0(a2)
    addi    a2, a2, 64
    addi    a1, a1, -1
    bnez    a1, begin
sink:
    sw      a1, 0(a2)
end:
    // The fourth edge reaches the watermark.
    CHECK   10
    lw      a1, 4*MONITOR_TABLE_COUNT(a5)
    EXPECT  a1, 4
    lw      a1, 4*MONITOR_TABLE_LOST(a5)
    EXPECT  a1, 0
    NEXT
    csrr    a1, mip
    EXPECT  a1, MIE_TABLE
    li      a1, MIE_TABLE
    csrw    mie, a1
    csrsi   mstatus, MSTATUS_MIE
    nop
    EXPECT  s8, 1
    EXPECT  s10, INTERRUPT_TABLE
    csrci   mstatus, MSTATUS_MIE

    // The entries. Contexts: nothing but LcRd before the write, so all zero.
    CHECK   20
    li      a4, 4
    li      a7, 0
3:  lw      a1, 4*MONITOR_SOURCE_PC(a5)
    la      a2, source
    EXPECT_SAME a1, a2
    lw      a1, 4*MONITOR_SINK_PC(a5)
    la      a2, begin
    addi    t0, a4, -1
    bnez    t0, 4f
    la      a2, sink
4:  EXPECT_SAME a1, a2
    lw      a1, 4*MONITOR_SINK_CONTEXT(a5)
    EXPECT  a1, 0
    // Numbers grow, and the write came before the read.
    lw      a1, 4*MONITOR_SOURCE_TIME(a5)
    lw      a2, 4*MONITOR_SINK_TIME(a5)
    bgeu    a1, a2, fail
    bgeu    a7, a2, fail
    mv      a7, a2
    // Kind, source hart 1, sink hart 0.
    lw      a1, 4*MONITOR_KIND_AND_HARTS(a5)
    li      a2, 0x00000100
    bnez    t0, 5f
    li      a2, 0x00010100
5:  EXPECT_SAME a1, a2
    NEXT
    addi    a4, a4, -1
    lw      a1, 4*MONITOR_TABLE_COUNT(a5)
    EXPECT_SAME a1, a4
    bnez    a4, 3b

    // The context now ends in LcWr; the others' in what they saw of it.
    CHECK   40
    lw      a1, 4*MONITOR_CONTEXT(a5)
    EXPECT  a1, 1
    li      a2, MONITOR_STRIDE
    add     a2, a2, a5
    lw      a1, 4*MONITOR_CONTEXT(a2)
    // RmRd three times, then RmWr.
    EXPECT  a1, 0xab
    CHECK   41
    csrr    a1, mip
    EXPECT  a1, 0
2:  ONLY_HART_0
    j       pass

    .bss
    .balign 64
lines:
    .skip   LINES * 64
