// A spin lock around two plain variables: no update is lost, and nobody sees them differ.
#include "multi.h"

    PROGRAM main
#define ROUNDS 50

    TOGETHER
    CHECK   2
    BARRIER
    la      a0, lock
    la      a1, first
    la      a2, second
    li      a3, ROUNDS
    li      a4, 1
1:  lw      a5, 0(a0)
    bnez    a5, 1b
    amoswap.w.aq a5, a4, (a0)
    bnez    a5, 1b
    lw      a5, 0(a1)
    lw      a6, 0(a2)
    bne     a5, a6, fail
    addi    a5, a5, 1
    sw      a5, 0(a1)
    addi    a6, a6, 1
    sw      a6, 0(a2)
    amoswap.w.rl zero, zero, (a0)
    addi    a3, a3, -1
    bnez    a3, 1b
    ONLY_HART_0
    CHECK   3
    li      a3, ROUNDS
    mul     a3, a3, s0
    lw      a5, 0(a1)
    EXPECT_SAME a5, a3
    lw      a5, 0(a2)
    EXPECT_SAME a5, a3
    j       pass

    .bss
    .balign 64
lock:
    .skip   64
first:
    .skip   64
second:
    .skip   64
