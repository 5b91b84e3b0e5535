// Multiplication and division: all eight instructions, at the edges, with results used at once.
#include "suite.h"

    PROGRAM

.macro RR op, result, a, b
    NEXT
    li      a1, \a
    li      a2, \b
    \op    a0, a1, a2
    EXPECT  a0, \result
    li      a1, \a
    li      a2, \b
    \op    a1, a1, a2
    xor     a3, a1, zero
    EXPECT  a3, \result
    li      a2, \b
    li      a1, \a
    nop
    \op    a2, a1, a2
    EXPECT  a2, \result
    \op    zero, a1, a2
    EXPECT  zero, 0
.endm

main:
    CHECK   1
    RR      mul, 0x00000000, 0x00000000, 0x00000000
    RR      mul, 0x00000001, 0x00000001, 0x00000001
    RR      mul, 0x00000015, 0x00000003, 0x00000007
    RR      mul, 0x00000001, 0x7fffffff, 0x7fffffff
    RR      mul, 0x00000000, MIN, MIN
    RR      mul, MIN, MIN, 0xffffffff
    RR      mul, 0x00000001, 0xffffffff, 0xffffffff
    RR      mul, 0xffffffff, 0xffffffff, 0x00000001
    RR      mul, 0x00000000, 0x00000000, 0xffffffff
    RR      mul, 0x0000ff7f, 0xaaaaaaab, 0x0002fe7d
    RR      mul, 0x0000ff7f, 0x0002fe7d, 0xaaaaaaab
    RR      mul, 0x00000000, 0xffff8000, MIN
    RR      mul, 0x242d2080, 0x12345678, 0x9abcdef0
    RR      mulh, 0x00000000, 0x00000000, 0x00000000
    RR      mulh, 0x00000000, 0x00000001, 0x00000001
    RR      mulh, 0x00000000, 0x00000003, 0x00000007
    RR      mulh, 0x3fffffff, 0x7fffffff, 0x7fffffff
    RR      mulh, 0x40000000, MIN, MIN
    RR      mulh, 0x00000000, MIN, 0xffffffff
    RR      mulh, 0x00000000, 0xffffffff, 0xffffffff
    RR      mulh, 0xffffffff, 0xffffffff, 0x00000001
    RR      mulh, 0x00000000, 0x00000000, 0xffffffff
    RR      mulh, 0xffff0081, 0xaaaaaaab, 0x0002fe7d
    RR      mulh, 0xffff0081, 0x0002fe7d, 0xaaaaaaab
    RR      mulh, 0x00004000, 0xffff8000, MIN
    RR      mulh, 0xf8cc93d6, 0x12345678, 0x9abcdef0
    RR      mulhsu, 0x00000000, 0x00000000, 0x00000000
    RR      mulhsu, 0x00000000, 0x00000001, 0x00000001
    RR      mulhsu, 0x00000000, 0x00000003, 0x00000007
    RR      mulhsu, 0x3fffffff, 0x7fffffff, 0x7fffffff
    RR      mulhsu, 0xc0000000, MIN, MIN
    RR      mulhsu, MIN, MIN, 0xffffffff
    RR      mulhsu, 0xffffffff, 0xffffffff, 0xffffffff
    RR      mulhsu, 0xffffffff, 0xffffffff, 0x00000001
    RR      mulhsu, 0x00000000, 0x00000000, 0xffffffff
    RR      mulhsu, 0xffff0081, 0xaaaaaaab, 0x0002fe7d
    RR      mulhsu, 0x0001fefe, 0x0002fe7d, 0xaaaaaaab
    RR      mulhsu, 0xffffc000, 0xffff8000, MIN
    RR      mulhsu, 0x0b00ea4e, 0x12345678, 0x9abcdef0
    RR      mulhu, 0x00000000, 0x00000000, 0x00000000
    RR      mulhu, 0x00000000, 0x00000001, 0x00000001
    RR      mulhu, 0x00000000, 0x00000003, 0x00000007
    RR      mulhu, 0x3fffffff, 0x7fffffff, 0x7fffffff
    RR      mulhu, 0x40000000, MIN, MIN
    RR      mulhu, 0x7fffffff, MIN, 0xffffffff
    RR      mulhu, 0xfffffffe, 0xffffffff, 0xffffffff
    RR      mulhu, 0x00000000, 0xffffffff, 0x00000001
    RR      mulhu, 0x00000000, 0x00000000, 0xffffffff
    RR      mulhu, 0x0001fefe, 0xaaaaaaab, 0x0002fe7d
    RR      mulhu, 0x0001fefe, 0x0002fe7d, 0xaaaaaaab
    RR      mulhu, 0x7fffc000, 0xffff8000, MIN
    RR      mulhu, 0x0b00ea4e, 0x12345678, 0x9abcdef0

    CHECK   100
    RR      div, 0x00000003, 0x00000014, 0x00000006
    RR      div, 0xfffffffd, 0xffffffec, 0x00000006
    RR      div, 0xfffffffd, 0x00000014, 0xfffffffa
    RR      div, 0x00000003, 0xffffffec, 0xfffffffa
    RR      div, 0xffffffff, 0x00000001, 0x00000000
    RR      div, 0xffffffff, 0xffffffff, 0x00000000
    RR      div, 0xffffffff, 0x00000000, 0x00000000
    RR      div, MIN, MIN, 0xffffffff
    RR      div, MIN, MIN, 0x00000001
    RR      div, 0xffffffff, MIN, 0x00000000
    RR      div, 0x80000001, 0x7fffffff, 0xffffffff
    RR      div, 0x00000000, 0x00000000, 0x00000005
    RR      div, 0x00000000, 0x00000005, 0x00000007
    RR      div, 0x00000001, MIN, MIN
    RR      div, 0x00010004, 0x12345678, 0x00001234
    RR      div, 0xfffffbaa, 0xfedcba98, 0x00004321
    RR      div, 0x00000000, 0xffffffff, 0x00000002
    RR      rem, 0x00000002, 0x00000014, 0x00000006
    RR      rem, 0xfffffffe, 0xffffffec, 0x00000006
    RR      rem, 0x00000002, 0x00000014, 0xfffffffa
    RR      rem, 0xfffffffe, 0xffffffec, 0xfffffffa
    RR      rem, 0x00000001, 0x00000001, 0x00000000
    RR      rem, 0xffffffff, 0xffffffff, 0x00000000
    RR      rem, 0x00000000, 0x00000000, 0x00000000
    RR      rem, 0x00000000, MIN, 0xffffffff
    RR      rem, 0x00000000, MIN, 0x00000001
    RR      rem, MIN, MIN, 0x00000000
    RR      rem, 0x00000000, 0x7fffffff, 0xffffffff
    RR      rem, 0x00000000, 0x00000000, 0x00000005
    RR      rem, 0x00000005, 0x00000005, 0x00000007
    RR      rem, 0x00000000, MIN, MIN
    RR      rem, 0x00000da8, 0x12345678, 0x00001234
    RR      rem, 0xffffcbae, 0xfedcba98, 0x00004321
    RR      rem, 0xffffffff, 0xffffffff, 0x00000002
    RR      divu, 0x00000003, 0x00000014, 0x00000006
    RR      divu, 0x2aaaaaa7, 0xffffffec, 0x00000006
    RR      divu, 0x00000000, 0x00000014, 0xfffffffa
    RR      divu, 0x00000000, 0xffffffec, 0xfffffffa
    RR      divu, 0xffffffff, 0x00000001, 0x00000000
    RR      divu, 0xffffffff, 0xffffffff, 0x00000000
    RR      divu, 0xffffffff, 0x00000000, 0x00000000
    RR      divu, 0x00000000, MIN, 0xffffffff
    RR      divu, MIN, MIN, 0x00000001
    RR      divu, 0xffffffff, MIN, 0x00000000
    RR      divu, 0x00000000, 0x7fffffff, 0xffffffff
    RR      divu, 0x00000000, 0x00000000, 0x00000005
    RR      divu, 0x00000000, 0x00000005, 0x00000007
    RR      divu, 0x00000001, MIN, MIN
    RR      divu, 0x00010004, 0x12345678, 0x00001234
    RR      divu, 0x0003cbee, 0xfedcba98, 0x00004321
    RR      divu, 0x7fffffff, 0xffffffff, 0x00000002
    RR      remu, 0x00000002, 0x00000014, 0x00000006
    RR      remu, 0x00000002, 0xffffffec, 0x00000006
    RR      remu, 0x00000014, 0x00000014, 0xfffffffa
    RR      remu, 0xffffffec, 0xffffffec, 0xfffffffa
    RR      remu, 0x00000001, 0x00000001, 0x00000000
    RR      remu, 0xffffffff, 0xffffffff, 0x00000000
    RR      remu, 0x00000000, 0x00000000, 0x00000000
    RR      remu, MIN, MIN, 0xffffffff
    RR      remu, 0x00000000, MIN, 0x00000001
    RR      remu, MIN, MIN, 0x00000000
    RR      remu, 0x7fffffff, 0x7fffffff, 0xffffffff
    RR      remu, 0x00000000, 0x00000000, 0x00000005
    RR      remu, 0x00000005, 0x00000005, 0x00000007
    RR      remu, 0x00000000, MIN, MIN
    RR      remu, 0x00000da8, 0x12345678, 0x00001234
    RR      remu, 0x000026ea, 0xfedcba98, 0x00004321
    RR      remu, 0x00000001, 0xffffffff, 0x00000002

    // Two in a row, and one that waits for a load.
    CHECK   200
    li      a0, 1000
    li      a1, 7
    div     a2, a0, a1
    rem     a3, a0, a1
    mul     a4, a2, a1
    add     a4, a4, a3
    EXPECT_SAME a4, a0
    NEXT
    la      a5, divisor
    lw      a1, 0(a5)
    divu    a2, a0, a1
    sw      a2, 4(a5)
    lw      a3, 4(a5)
    EXPECT  a3, 76
    // Back to back, each needing the one before.
    NEXT
    li      a0, 3
    .rept   10
    mul     a0, a0, a0
    .endr
    EXPECT  a0, 0x9023d001
    j       pass

    .data
    .balign 8
divisor:
    .word   13, 0
