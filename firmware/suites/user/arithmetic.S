// Register and immediate arithmetic: results at the edges, forwarding from every distance, x0.
#include "suite.h"

    PROGRAM

// result = op(a, b), with the operands made just before, one and two instructions before; written
// over either operand; and thrown away.
.macro RR op, result, a, b
    NEXT
    li      a1, \a
    li      a2, \b
    \op     a0, a1, a2
    EXPECT  a0, \result
    li      a2, \b
    li      a1, \a
    nop
    \op     a1, a1, a2
    EXPECT  a1, \result
    li      a1, \a
    li      a2, \b
    nop
    nop
    \op     a2, a1, a2
    mv      a3, a2
    EXPECT  a3, \result
    li      a1, \a
    li      a2, \b
    \op     zero, a1, a2
    EXPECT  zero, 0
.endm

.macro RI op, result, a, b
    NEXT
    li      a1, \a
    \op     a0, a1, \b
    EXPECT  a0, \result
    li      a1, \a
    nop
    \op     a1, a1, \b
    addi    a3, a1, 0
    EXPECT  a3, \result
    \op     zero, a1, \b
    EXPECT  zero, 0
.endm

main:
    CHECK   1
    RR      add, 0, 0, 0
    RR      add, 2, 1, 1
    RR      add, MIN, 0x7fffffff, 1
    RR      add, 0x7fffffff, MIN, -1
    RR      add, 0xfffffffe, -1, -1
    RR      sub, 0, 5, 5
    RR      sub, 0x80000001, 0, 0x7fffffff
    RR      sub, 0x7fffffff, MIN, 1
    RR      sub, 1, 0, -1
    RR      sll, MIN, 1, 31
    RR      sll, 1, 1, 32
    RR      sll, 0x42424280, 0x21212140, 33
    RR      srl, 1, MIN, 31
    RR      srl, 0x7fffffff, -1, 1
    RR      srl, MIN, MIN, 0xffffffe0
    RR      sra, -1, MIN, 31
    RR      sra, 0xc0000000, MIN, 1
    RR      sra, 0x3fffffff, 0x7fffffff, 0x41
    RR      slt, 1, -1, 0
    RR      slt, 0, 0, -1
    RR      slt, 1, MIN, 0x7fffffff
    RR      slt, 0, 7, 7
    RR      sltu, 0, -1, 0
    RR      sltu, 1, 0, -1
    RR      sltu, 0, MIN, 0x7fffffff
    RR      xor, 0xff00ff00, 0xf0f0f0f0, 0x0ff00ff0
    RR      or, 0xfff0fff0, 0xf0f0f0f0, 0x0ff00ff0
    RR      and, 0x00f000f0, 0xf0f0f0f0, 0x0ff00ff0

    CHECK   50
    RI      addi, 0, 1, -1
    RI      addi, 0x7ffff7ff, 0x7fffffff, -2048
    RI      addi, 0x800007fe, 0x7fffffff, 2047
    RI      slti, 1, -2, -1
    RI      slti, 0, -1, -2
    RI      slti, 1, MIN, 2047
    RI      sltiu, 1, 0, -1
    RI      sltiu, 0, 0xfffff800, -2048
    RI      sltiu, 1, 0xfffff7ff, -2048
    RI      xori, 0xffffff0f, 0x000000f0, -1
    RI      ori, 0xffffffff, 0x0f0f0f0f, -1
    RI      ori, 0x0f0f07ff, 0x0f0f0000, 0x7ff
    RI      andi, 0x0000000f, 0xff0f, 0x0ff
    RI      andi, 0xfffff800, -1, -2048
    RI      slli, MIN, 1, 31
    RI      slli, 0x12345678, 0x12345678, 0
    RI      srli, 1, MIN, 31
    RI      srli, 0x01234567, 0x12345678, 4
    RI      srai, -1, MIN, 31
    RI      srai, 0xf8000000, MIN, 4

    CHECK   90
    lui     a0, 0xfffff
    EXPECT  a0, 0xfffff000
    lui     a0, 0x7ffff
    EXPECT  a0, 0x7ffff000
    lui     zero, 0x12345
    EXPECT  zero, 0
    NEXT
1:  auipc   a0, 0
    la      a1, 1b
    EXPECT_SAME a0, a1
    NEXT
1:  auipc   a0, 0xfffff
    la      a1, 1b
    li      a2, 0x1000
    sub     a1, a1, a2
    EXPECT_SAME a0, a1

    // A chain in which every instruction needs the one before.
    NEXT
    li      a0, 1
    .rept   31
    add     a0, a0, a0
    .endr
    EXPECT  a0, MIN
    // All registers at once: none is another.
    NEXT
    .irp    n, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    li      x\n, 0x1000 + \n
    .endr
    lui     x3, 1
    addi    x3, x3, 31
    bne     x31, x3, fail
    CHECK   95
    .irp    n, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
    li      x31, 0x1000 + \n
    bne     x\n, x31, fail
    .endr
    j       pass
