// One hart writes code that another one runs: after FENCE.I it runs the new code.
#include "multi.h"

    PROGRAM main
#define ROUNDS 16

    TOGETHER 2
    CHECK   2
    li      a5, 0
    la      a3, target
1:  BARRIER
    bnez    tp, 2f
    // Hart 0 writes `addi a0, zero, round`.
    slli    a1, a5, 20
    ori     a1, a1, 0x513
    sw      a1, 0(a3)
2:  BARRIER
    fence.i
    call    target
    bne     a0, a5, fail
    addi    a5, a5, 1
    li      t0, ROUNDS
    bne     a5, t0, 1b
    ONLY_HART_0
    j       pass

    .balign 64
target:
    li      a0, -1
    ret
