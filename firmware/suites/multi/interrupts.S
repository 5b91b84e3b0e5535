// Software interrupts from hart to hart: WFI wakes, the ring goes round, timers are each hart's own.
#include "multi.h"

    PROGRAM main

    TOGETHER
    CHECK   2
    csrci   mstatus, MSTATUS_MIE
    csrwi   mie, MIE_SOFTWARE
    BARRIER
    // The token goes round three times.
    li      a5, 3
    li      a1, CLINT_MSIP
    slli    a2, tp, 2
    add     a2, a2, a1
    addi    a3, tp, 1
    remu    a3, a3, s0
    slli    a3, a3, 2
    add     a3, a3, a1
    li      a4, 1
    la      a0, token
    bnez    tp, 2f
1:  sw      a4, 0(a3)
2:  wfi
    csrr    t0, mip
    andi    t0, t0, MIE_SOFTWARE
    beqz    t0, 2b
    sw      zero, 0(a2)
3:  csrr    t0, mip
    andi    t0, t0, MIE_SOFTWARE
    bnez    t0, 3b
    lw      t0, 0(a0)
    addi    t0, t0, 1
    sw      t0, 0(a0)
    addi    a5, a5, -1
    beqz    a5, 4f
    j       1b
4:  beqz    tp, 5f
    sw      a4, 0(a3)
5:  BARRIER
    li      t0, 3
    mul     t0, t0, s0
    lw      t1, 0(a0)
    EXPECT_SAME t0, t1

    // Timers: each its own; the handler runs once on every hart.
    CHECK   3
    csrw    mie, zero
    li      s8, 0
    csrr    a1, time
    addi    a1, a1, 600
    slli    a2, tp, 5
    add     a1, a1, a2
    li      a2, CLINT_MTIMECMP
    slli    a3, tp, 3
    add     a2, a2, a3
    sw      zero, 4(a2)
    sw      a1, 0(a2)
    li      a3, MIE_TIMER
    csrw    mie, a3
    csrsi   mstatus, MSTATUS_MIE
1:  beqz    s8, 1b
    csrr    a3, time
    bltu    a3, a1, fail
    EXPECT  s8, 1
    EXPECT  s10, INTERRUPT_TIMER
    ONLY_HART_0
    j       pass

    .bss
    .balign 64
token:
    .skip   64
