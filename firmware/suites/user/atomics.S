// Atomic operations and reservations on one hart. A reservation is one line.
#include "suite.h"

    PROGRAM

// The old value comes back, the new one is in memory: on a line just written, on one just read, and
// with the result thrown away.
.macro AMO op, memory, operand, result
    NEXT
    la      a1, word
    li      a2, \operand
    li      a3, \memory
    sw      a3, 0(a1)
    \op    a0, a2, (a1)
    EXPECT  a0, \memory
    lw      a4, 0(a1)
    EXPECT  a4, \result
    sw      a3, 0(a1)
    \op    zero, a2, (a1)
    lw      a4, 0(a1)
    EXPECT  a4, \result
    // Over its own operand and its own address.
    sw      a3, 0(a1)
    mv      a5, a2
    \op    a5, a5, (a1)
    EXPECT  a5, \memory
    sw      a3, 0(a1)
    mv      a5, a1
    \op    a5, a2, (a5)
    EXPECT  a5, \memory
.endm

main:
    CHECK   1
    AMO     amoswap.w, MIN, 0xfffff800, 0xfffff800
    AMO     amoswap.w, 0x7fffffff, 0x00000001, 0x00000001
    AMO     amoswap.w, 0xffffffff, 0x12345678, 0x12345678
    AMO     amoswap.w, 0x00ff00ff, 0x0ff00ff0, 0x0ff00ff0
    AMO     amoadd.w, MIN, 0xfffff800, 0x7ffff800
    AMO     amoadd.w, 0x7fffffff, 0x00000001, MIN
    AMO     amoadd.w, 0xffffffff, 0x12345678, 0x12345677
    AMO     amoadd.w, 0x00ff00ff, 0x0ff00ff0, 0x10ef10ef
    AMO     amoxor.w, MIN, 0xfffff800, 0x7ffff800
    AMO     amoxor.w, 0x7fffffff, 0x00000001, 0x7ffffffe
    AMO     amoxor.w, 0xffffffff, 0x12345678, 0xedcba987
    AMO     amoxor.w, 0x00ff00ff, 0x0ff00ff0, 0x0f0f0f0f
    AMO     amoand.w, MIN, 0xfffff800, MIN
    AMO     amoand.w, 0x7fffffff, 0x00000001, 0x00000001
    AMO     amoand.w, 0xffffffff, 0x12345678, 0x12345678
    AMO     amoand.w, 0x00ff00ff, 0x0ff00ff0, 0x00f000f0
    AMO     amoor.w, MIN, 0xfffff800, 0xfffff800
    AMO     amoor.w, 0x7fffffff, 0x00000001, 0x7fffffff
    AMO     amoor.w, 0xffffffff, 0x12345678, 0xffffffff
    AMO     amoor.w, 0x00ff00ff, 0x0ff00ff0, 0x0fff0fff
    AMO     amomin.w, MIN, 0xfffff800, MIN
    AMO     amomin.w, 0x7fffffff, 0x00000001, 0x00000001
    AMO     amomin.w, 0xffffffff, 0x12345678, 0xffffffff
    AMO     amomin.w, 0x00ff00ff, 0x0ff00ff0, 0x00ff00ff
    AMO     amomax.w, MIN, 0xfffff800, 0xfffff800
    AMO     amomax.w, 0x7fffffff, 0x00000001, 0x7fffffff
    AMO     amomax.w, 0xffffffff, 0x12345678, 0x12345678
    AMO     amomax.w, 0x00ff00ff, 0x0ff00ff0, 0x0ff00ff0
    AMO     amominu.w, MIN, 0xfffff800, MIN
    AMO     amominu.w, 0x7fffffff, 0x00000001, 0x00000001
    AMO     amominu.w, 0xffffffff, 0x12345678, 0x12345678
    AMO     amominu.w, 0x00ff00ff, 0x0ff00ff0, 0x00ff00ff
    AMO     amomaxu.w, MIN, 0xfffff800, 0xfffff800
    AMO     amomaxu.w, 0x7fffffff, 0x00000001, 0x7fffffff
    AMO     amomaxu.w, 0xffffffff, 0x12345678, 0xffffffff
    AMO     amomaxu.w, 0x00ff00ff, 0x0ff00ff0, 0x0ff00ff0

    // Acquire and release change nothing.
    CHECK   60
    la      a1, word
    sw      zero, 0(a1)
    li      a2, 1
    amoadd.w.aqrl a0, a2, (a1)
    amoadd.w.aq a0, a2, (a1)
    amoadd.w.rl a0, a2, (a1)
    lw      a0, 0(a1)
    EXPECT  a0, 3

    // Reservations.
    CHECK   70
    la      a1, word
    la      a5, elsewhere
    li      a2, 17
    sw      a2, 0(a1)
    // None: fails, and writes nothing.
    sc.w    a0, zero, (a1)
    sc.w    a0, zero, (a1)
    beqz    a0, fail
    EXPECT  a0, 1
    lw      a3, 0(a1)
    EXPECT_SAME a3, a2
    NEXT
    lr.w    a0, (a1)
    EXPECT_SAME a0, a2
    addi    a0, a0, 1
    sc.w    a3, a0, (a1)
    bnez    a3, fail
    lw      a3, 0(a1)
    EXPECT  a3, 18
    NEXT
    // It is spent.
    sc.w    a3, zero, (a1)
    EXPECT  a3, 1
    NEXT
    // An SC to another line fails and ends it.
    lr.w    a0, (a1)
    sc.w    a3, zero, (a5)
    EXPECT  a3, 1
    sc.w    a3, zero, (a1)
    EXPECT  a3, 1
    NEXT
    // An SC to another word of the line succeeds.
    lr.w    a0, (a1)
    addi    a4, a1, 8
    li      a2, 0x77
    sc.w    a3, a2, (a4)
    EXPECT  a3, 0
    lw      a3, 8(a1)
    EXPECT  a3, 0x77
    NEXT
    // The hart's own stores and loads leave it.
    lr.w    a0, (a1)
    li      a2, 5
    sw      a2, 0(a1)
    lw      a4, 0(a5)
    sw      a4, 0(a5)
    sc.w    a3, zero, (a1)
    EXPECT  a3, 0
    NEXT
    // A later LR takes its place.
    lr.w    a0, (a1)
    lr.w    a0, (a5)
    sc.w    a3, zero, (a1)
    EXPECT  a3, 1
    NEXT
    // A trap leaves it.
    lr.w    a0, (a1)
    ecall
    sc.w    a3, zero, (a1)
    EXPECT  a3, 0
    NEXT
    // It leaves with its line: enough other lines of the set push that out.
    lr.w    a0, (a1)
    la      a4, ways
    li      a2, 16
    li      a3, 0x1000
1:  lw      a0, 0(a4)
    add     a4, a4, a3
    addi    a2, a2, -1
    bnez    a2, 1b
    sc.w    a3, zero, (a1)
    EXPECT  a3, 1
    NEXT
    lr.w.aqrl a0, (a1)
    sc.w.aqrl a3, a0, (a1)
    EXPECT  a3, 0
    NEXT
    // A loop that counts to a hundred.
    sw      zero, 0(a1)
    li      a4, 100
1:  lr.w    a0, (a1)
    addi    a0, a0, 1
    sc.w    a3, a0, (a1)
    bnez    a3, 1b
    addi    a4, a4, -1
    bnez    a4, 1b
    lw      a0, 0(a1)
    EXPECT  a0, 100
    j       pass

    .data
    .balign 4096
word:
    .word   0, 0, 0, 0
    .balign 64
elsewhere:
    .word   0
    .bss
    .balign 4096
ways:
    .skip   65536
