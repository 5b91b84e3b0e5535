// A litmus test: a few threads, each on a hart of its own, a few accesses each; many rounds.
//
// A shape defines the macros THREAD_0 … (t3 and t4 are free; x is at s4, y at s5; what a thread saw goes
// to s3, each bit in its own place) and FINAL (hart 0: may add what is in memory at the end to s3), then
// says `LITMUS threads, forbidden`: the set of outcomes that sequential consistency forbids, a bit each.
// How often each outcome was seen is counted in `outcomes`.
#pragma once
#include "multi.h"

#define OUTCOMES 16

.macro LITMUS threads, forbidden
    PROGRAM main
    TOGETHER \threads
    la      s4, x
    la      s5, y
    la      s6, results
    la      t0, rounds
    lw      s2, 0(t0)
    // A small random number for each hart: where it starts, and what it has in its cache.
    li      s1, 0x2545
    addi    t0, tp, 1
    mul     s1, s1, t0
round:
    BARRIER
    slli    t0, s1, 13
    xor     s1, s1, t0
    srli    t0, s1, 17
    xor     s1, s1, t0
    slli    t0, s1, 5
    xor     s1, s1, t0
    andi    t0, s1, 0x40
    beqz    t0, 1f
    lw      zero, 0(s4)
1:  andi    t0, s1, 0x80
    beqz    t0, 1f
    lw      zero, 0(s5)
1:  andi    t0, s1, 15
1:  addi    t0, t0, -1
    bgez    t0, 1b
    li      s3, 0
    li      t1, 1
    li      t2, 2
    beq     tp, t1, thread_1
    .if     \threads > 2
    beq     tp, t2, thread_2
    .endif
    .if     \threads > 3
    li      t0, 3
    beq     tp, t0, thread_3
    .endif
thread_0:
    THREAD_0
    j       seen
thread_1:
    THREAD_1
    j       seen
    .if     \threads > 2
thread_2:
    THREAD_2
    j       seen
    .endif
    .if     \threads > 3
thread_3:
    THREAD_3
    .endif
seen:
    slli    t0, tp, 6
    add     t0, t0, s6
    sw      s3, 0(t0)
    BARRIER
    bnez    tp, 2f
    // Hart 0 puts the outcome together, counts it and clears the board.
    .irp    thread, 1, 2, 3
    .if     \thread < \threads
    lw      t0, \thread*64(s6)
    or      s3, s3, t0
    .endif
    .endr
    FINAL
    slli    t0, s3, 2
    la      t1, outcomes
    add     t0, t0, t1
    lw      t1, 0(t0)
    addi    t1, t1, 1
    sw      t1, 0(t0)
    sw      zero, 0(s4)
    sw      zero, 0(s5)
2:  addi    s2, s2, -1
    bnez    s2, round
    ONLY_HART_0
    // The verdict: check 16 + n is outcome n.
    la      t0, outcomes
    li      t1, \forbidden
    li      gp, 16
1:  andi    t2, t1, 1
    beqz    t2, 2f
    lw      t2, 0(t0)
    bnez    t2, fail
2:  addi    t0, t0, 4
    addi    gp, gp, 1
    srli    t1, t1, 1
    bnez    t1, 1b
    j       pass
.endm

    .data
    .balign 64
    .globl rounds
rounds:
    .word   40
    .balign 64
    .globl outcomes
outcomes:
    .fill   OUTCOMES, 4, 0
    .balign 64
    .globl x
x:
    .fill   16, 4, 0
    .globl y
y:
    .fill   16, 4, 0
results:
    .fill   64, 4, 0
    .text
