// Every hart passes words to the next one round the ring, through a flag, with no atomics.
#include "multi.h"

    PROGRAM main
#define ROUNDS 40

    TOGETHER
    CHECK   2
    BARRIER
    // a0: my box, which I fill; a1: the box of the one before, which I empty.
    la      a0, boxes
    slli    t0, tp, 7
    add     a1, tp, s0
    addi    a1, a1, -1
    remu    a1, a1, s0
    slli    a1, a1, 7
    add     a1, a1, a0
    add     a0, a0, t0
    li      a2, 1
1:  add     a3, a2, tp
    sw      a3, 64(a0)
    sw      a2, 0(a0)
2:  lw      a3, 0(a1)
    bne     a3, a2, 2b
    lw      a4, 64(a1)
    // The sender added its own number.
    add     a5, tp, s0
    addi    a5, a5, -1
    remu    a5, a5, s0
    add     a5, a5, a2
    bne     a4, a5, fail
    BARRIER
    addi    a2, a2, 1
    li      t0, ROUNDS + 1
    bne     a2, t0, 1b
    ONLY_HART_0
    j       pass

    .bss
    .balign 128
boxes:
    .skip   16 * 128
