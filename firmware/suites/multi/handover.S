// Two harts hand a number back and forth on two lines. Which edges that makes does not depend on time,
// so they are counted by hand, and every simulator must show the same.
//
// Both lines are shared before the first round. A round is then a store of each hart to a line that the
// other one holds (WAW) and a load of each that finds the other's store (RAW): two edges a round in each
// hart's table. Waiting makes none: it hits until the line is taken away.
#include "multi.h"

    PROGRAM main
#define ROUNDS 8
#define M_SELECTED (MONITOR_CONTROL_ENABLE | MONITOR_CONTROL_SELECT_MACHINE)

main:
    // The others rest from the start: a slow simulator has less to do.
    csrr    tp, mhartid
    li      s0, 2
    bgeu    tp, s0, park
    li      a5, MONITORS
    slli    t0, tp, MONITOR_STRIDE_BITS
    add     a5, a5, t0
    la      t0, begin
    sw      t0, 4*MONITOR_RANGE_LOW(a5)
    la      t0, end
    sw      t0, 4*MONITOR_RANGE_HIGH(a5)
    li      t0, M_SELECTED
    sw      t0, 4*MONITOR_CONTROL(a5)
    li      t0, MONITOR_TABLE_CONTROL_CLEAR
    sw      t0, 4*MONITOR_TABLE_CONTROL(a5) // nothing that was there before counts
    // Each hart writes one line, `mine`, and waits for the other, `other`.
    la      a0, lines
    slli    t0, tp, 7
    add     a1, a0, t0          // mine
    xori    t0, t0, 128
    add     a2, a0, t0          // other
    lw      zero, 0(a2)
    BARRIER

    li      a3, 1
    li      a4, ROUNDS
begin:
    bnez    tp, 1f
    sw      a3, 0(a1)
1:  lw      a6, 0(a2)
    bne     a6, a3, 1b
    beqz    tp, 2f
    sw      a3, 0(a1)
2:  addi    a3, a3, 1
    bleu    a3, a4, begin
end:
    BARRIER
    bnez    tp, park

    // What the tables say: the watermark starts at the depth, and there is none without a monitor.
    li      a5, MONITORS
    li      a7, 2
3:  CHECK   10
    li      a3, 2 * ROUNDS
    lw      a4, 4*MONITOR_TABLE_WATERMARK(a5)
    bnez    a4, 4f
    li      a3, 0
4:  bgeu    a4, a3, 5f
    mv      a3, a4
5:  lw      a6, 4*MONITOR_TABLE_COUNT(a5)
    EXPECT_SAME a6, a3
    NEXT
    beqz    a4, 6f
    lw      a6, 4*MONITOR_TABLE_LOST(a5)
    add     a6, a6, a3
    EXPECT  a6, 2 * ROUNDS
6:  li      t0, MONITOR_STRIDE
    add     a5, a5, t0
    addi    a7, a7, -1
    bnez    a7, 3b

    la      a1, text
    li      a2, UART
7:  lbu     a0, 0(a1)
    beqz    a0, pass
8:  lbu     t0, UART_LINE_STATUS(a2)
    andi    t0, t0, UART_LINE_STATUS_ROOM
    beqz    t0, 8b
    sb      a0, UART_DATA(a2)
    addi    a1, a1, 1
    j       7b

    .data
text:
    .asciz  "8 rounds\n"
    .bss
    .balign 128
lines:
    .skip   256
