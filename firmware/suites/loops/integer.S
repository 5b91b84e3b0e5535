// Integer work that stays in the caches: what instructions per cycle are measured on. Every hart does the
// same, on data of its own; hart 0 ends the run.
#include "multi.h"

    PROGRAM main

    TOGETHER
    la      a0, rows
    slli    t0, tp, 8
    add     a0, a0, t0
    la      t0, rounds
    lw      s1, 0(t0)
1:  // A checksum over 64 words, two lanes, with a rotate.
    mv      a1, a0
    addi    a2, a0, 256
    li      a3, 1
    li      a4, 0
2:  lw      a5, 0(a1)
    lw      a6, 4(a1)
    addi    a1, a1, 8
    add     a3, a3, a5
    xor     a4, a4, a6
    slli    t0, a3, 5
    srli    t1, a3, 27
    or      a3, t0, t1
    add     a4, a4, a3
    sw      a4, -4(a1)
    bne     a1, a2, 2b
    addi    s1, s1, -1
    bnez    s1, 1b
    bnez    tp, park
    j       pass

    .data
    .balign 64
    .globl rounds
rounds:
    .word   100
    .bss
    .balign 256
rows:
    .skip   16 * 256
