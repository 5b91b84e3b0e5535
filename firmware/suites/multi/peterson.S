// Peterson's lock: loads and stores only. It works on a sequentially consistent machine and on no
// weaker one.
#include "multi.h"

    PROGRAM main
#define ROUNDS 100

    TOGETHER 2
    CHECK   2
    BARRIER
    // a0 my flag, a1 the other's, a2 whose turn, a3 the counter.
    la      a0, flags
    slli    t0, tp, 6
    xori    a1, t0, 64
    add     a1, a1, a0
    add     a0, a0, t0
    la      a2, turn
    la      a3, counter
    xori    a4, tp, 1
    li      a5, ROUNDS
    li      a6, 1
1:  sw      a6, 0(a0)
    sw      a4, 0(a2)
2:  lw      t0, 0(a1)
    beqz    t0, 3f
    lw      t0, 0(a2)
    beq     t0, a4, 2b
3:  lw      t0, 0(a3)
    addi    t0, t0, 1
    sw      t0, 0(a3)
    sw      zero, 0(a0)
    addi    a5, a5, -1
    bnez    a5, 1b
    ONLY_HART_0
    lw      t0, 0(a3)
    EXPECT  t0, 2 * ROUNDS
    j       pass

    .bss
    .balign 64
flags:
    .skip   128
turn:
    .skip   64
counter:
    .skip   64
