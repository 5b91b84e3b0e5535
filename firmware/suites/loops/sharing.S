// Harts that work mostly alone and now and then on shared lines, without end: what simulation speed is
// measured on.
#include "multi.h"

    PROGRAM main

    TOGETHER
    la      a0, rows
    slli    t0, tp, 8
    add     a0, a0, t0
    la      s1, shared
1:  mv      a1, a0
    addi    a2, a0, 256
    li      a3, 1
2:  lw      a5, 0(a1)
    add     a3, a3, a5
    mul     a5, a3, a3
    xor     a3, a3, a5
    sw      a3, 0(a1)
    addi    a1, a1, 4
    bne     a1, a2, 2b
    andi    t0, a3, 0x1c0
    add     t0, t0, s1
    amoadd.w zero, a3, (t0)
    j       1b

    .bss
    .balign 256
rows:
    .skip   16 * 256
shared:
    .skip   512
