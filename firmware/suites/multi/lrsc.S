// All harts count with LR and SC: in one word, and in words that share a line.
#include "multi.h"

    PROGRAM main
#define ROUNDS 50

    TOGETHER
    BARRIER
    la      a0, words
    slli    a4, tp, 2
    addi    a4, a4, 4
    add     a4, a4, a0
    li      a1, ROUNDS
1:  lr.w    a2, (a0)
    addi    a2, a2, 1
    sc.w    a3, a2, (a0)
    bnez    a3, 1b
2:  lr.w    a2, (a4)
    addi    a2, a2, 1
    sc.w    a3, a2, (a4)
    bnez    a3, 2b
    addi    a1, a1, -1
    bnez    a1, 1b
    ONLY_HART_0
    CHECK   2
    li      a1, ROUNDS
    mul     a2, a1, s0
    lw      a3, 0(a0)
    EXPECT_SAME a2, a3
    CHECK   3
1:  addi    a0, a0, 4
    lw      a3, 0(a0)
    EXPECT_SAME a3, a1
    addi    s0, s0, -1
    bnez    s0, 1b
    j       pass

    .bss
    .balign 64
words:
    .skip   128
