// All harts hit the same words with atomic operations; every one of them counts.
#include "multi.h"

    PROGRAM main
#define ROUNDS 100

    TOGETHER
    BARRIER
    la      a0, words
    li      a1, ROUNDS
1:  li      a2, 1
    amoadd.w a3, a2, (a0)
    // The sum of all old values is fixed, whoever got which.
    addi    a4, a0, 64
    amoadd.w zero, a3, (a4)
    // The largest number ever seen.
    addi    a4, a0, 4
    amomaxu.w zero, a3, (a4)
    // A bit for each hart, toggled an even number of times.
    sll     a2, a2, tp
    addi    a4, a0, 8
    amoxor.w zero, a2, (a4)
    amoxor.w zero, a2, (a4)
    addi    a4, a0, 12
    amoor.w zero, a2, (a4)
    addi    a1, a1, -1
    bnez    a1, 1b
    ONLY_HART_0
    CHECK   2
    li      a1, ROUNDS
    mul     a1, a1, s0
    lw      a2, 0(a0)
    EXPECT_SAME a1, a2
    CHECK   3
    addi    a3, a1, -1
    lw      a2, 4(a0)
    EXPECT_SAME a2, a3
    CHECK   4
    mul     a2, a1, a3
    srli    a2, a2, 1
    lw      a4, 64(a0)
    EXPECT_SAME a2, a4
    CHECK   5
    lw      a2, 8(a0)
    EXPECT  a2, 0
    CHECK   6
    li      a2, 1
    sll     a2, a2, s0
    addi    a2, a2, -1
    lw      a3, 12(a0)
    EXPECT_SAME a2, a3
    j       pass

    .bss
    .balign 64
words:
    .skip   128
