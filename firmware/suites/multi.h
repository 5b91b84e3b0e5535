// What programs on several harts share. tp holds the hart's number, s0 how many take part; t0 to t2
// are scratch of these macros.
#pragma once
#include "suite.h"

// Every hart comes here; those below `harts` go on, or all if it is 0.
.macro TOGETHER harts=0
main:
    csrr    tp, mhartid
    COUNT_HARTS s0
    .if     \harts
    CHECK   1
    li      t0, \harts
    bltu    s0, t0, fail
    bgeu    tp, t0, park
    mv      s0, t0
    .endif
.endm

// Waits until all harts are here.
.macro BARRIER
    la      t0, barrier
    lw      t2, 4(t0)
    li      t1, 1
    amoadd.w t1, t1, (t0)
    addi    t1, t1, 1
    bne     t1, s0, 7f
    sw      zero, 0(t0)
    addi    t2, t2, 1
    sw      t2, 4(t0)
    j       8f
7:  lw      t1, 4(t0)
    beq     t1, t2, 7b
8:
.endm

// The end for all harts but hart 0.
.macro ONLY_HART_0
    BARRIER
    bnez    tp, park
.endm

    .bss
    .balign 64
barrier:
    .skip   64
    .text
