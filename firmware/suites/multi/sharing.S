// Harts write bytes and words of their own in lines that all share, while others read them; then all
// write to more lines than the caches hold. No neighbor is disturbed.
#include "multi.h"

    PROGRAM main
#define ROUNDS 40
#define LINES 192

    TOGETHER
    CHECK   2
    BARRIER
    la      a0, bytes
    add     a0, a0, tp
    la      a1, words
    slli    t0, tp, 2
    add     a1, a1, t0
    li      a2, ROUNDS
1:  lbu     a3, 0(a0)
    addi    a3, a3, 1
    sb      a3, 0(a0)
    lw      a3, 0(a1)
    addi    a3, a3, 3
    sw      a3, 0(a1)
    addi    a2, a2, -1
    bnez    a2, 1b
    lbu     a3, 0(a0)
    EXPECT  a3, ROUNDS
    NEXT
    lw      a3, 0(a1)
    EXPECT  a3, 3 * ROUNDS

    // Every hart adds its own byte to many lines, each from another start.
    NEXT
    la      a0, many
    li      a1, LINES
    slli    a2, tp, 4
1:  slli    a3, a2, 5
    add     a3, a3, a0
    add     a3, a3, tp
    lbu     a4, 0(a3)
    addi    a4, a4, 1
    add     a4, a4, tp
    sb      a4, 0(a3)
    addi    a2, a2, 1
    li      a4, LINES
    bltu    a2, a4, 2f
    li      a2, 0
2:  addi    a1, a1, -1
    bnez    a1, 1b
    BARRIER
    // Each checks all: byte h of every line is h + 1.
    NEXT
    li      a1, LINES
1:  mv      a2, a0
    li      a3, 0
2:  lbu     a4, 0(a2)
    addi    a3, a3, 1
    bne     a4, a3, fail
    addi    a2, a2, 1
    bne     a3, s0, 2b
    addi    a0, a0, 32
    addi    a1, a1, -1
    bnez    a1, 1b
    ONLY_HART_0
    j       pass

    .bss
    .balign 64
bytes:
    .skip   64
words:
    .skip   64
    .balign 4096
many:
    .skip   LINES * 32
