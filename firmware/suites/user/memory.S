// Loads and stores of every size and sign, load-use at every distance, and more lines than a set has
// ways.
#include "suite.h"

    PROGRAM

.macro LOAD op, result, offset
    NEXT
    la      a1, bytes
    \op     a0, \offset(a1)
    EXPECT  a0, \result
    la      a1, bytes + 64
    nop
    \op     a0, \offset-64(a1)
    addi    a2, a0, 0
    EXPECT  a2, \result
.endm

// Stores to a word of ones and of zeros: the other bytes stay.
.macro STORE op, value, offset, over_zeros, over_ones
    NEXT
    la      a1, scratch
    li      a2, \value
    sw      zero, 0(a1)
    \op     a2, \offset(a1)
    lw      a0, 0(a1)
    EXPECT  a0, \over_zeros
    li      a3, -1
    sw      a3, 0(a1)
    \op     a2, \offset(a1)
    lw      a0, 0(a1)
    EXPECT  a0, \over_ones
.endm

main:
    CHECK   1
    LOAD    lw, 0x8070f00f, 0
    LOAD    lw, 0x7fff0180, 4
    LOAD    lh, 0xfffff00f, 0
    LOAD    lh, 0xffff8070, 2
    LOAD    lh, 0x00000180, 4
    LOAD    lh, 0x00007fff, 6
    LOAD    lhu, 0x0000f00f, 0
    LOAD    lhu, 0x00008070, 2
    LOAD    lb, 0x0000000f, 0
    LOAD    lb, 0xfffffff0, 1
    LOAD    lb, 0x00000070, 2
    LOAD    lb, 0xffffff80, 3
    LOAD    lb, 0xffffff80, 4
    LOAD    lbu, 0x0000000f, 0
    LOAD    lbu, 0x000000f0, 1
    LOAD    lbu, 0x00000080, 3

    CHECK   30
    STORE   sw, 0x12345678, 0, 0x12345678, 0x12345678
    STORE   sh, 0x1234abcd, 0, 0x0000abcd, 0xffffabcd
    STORE   sh, 0x1234abcd, 2, 0xabcd0000, 0xabcdffff
    STORE   sb, 0x12345678, 0, 0x00000078, 0xffffff78
    STORE   sb, 0x12345678, 1, 0x00007800, 0xffff78ff
    STORE   sb, 0x12345678, 2, 0x00780000, 0xff78ffff
    STORE   sb, 0x12345678, 3, 0x78000000, 0x78ffffff

    // Load to store, store to load, load to address, to x0.
    CHECK   40
    la      a1, scratch
    la      a2, bytes
    lw      a0, 0(a2)
    sw      a0, 8(a1)
    lw      a3, 8(a1)
    EXPECT  a3, 0x8070f00f
    NEXT
    sw      a1, 12(a1)
    lw      a4, 12(a1)
    lw      a4, 12(a4)
    EXPECT_SAME a4, a1
    NEXT
    lw      zero, 0(a2)
    EXPECT  zero, 0
    NEXT
    // The load's own base.
    lw      a2, 0(a2)
    EXPECT  a2, 0x8070f00f

    // 64 KiB of lines written, then read back: every set holds more than it can.
    CHECK   50
    la      a0, large
    li      a1, 2048
    mv      a2, a0
1:  xori    a3, a2, 0x55
    sw      a3, 0(a2)
    sb      a1, 31(a2)
    addi    a2, a2, 32
    addi    a1, a1, -1
    bnez    a1, 1b
    li      a1, 2048
    mv      a2, a0
1:  xori    a3, a2, 0x55
    lw      a4, 0(a2)
    bne     a3, a4, fail
    lbu     a4, 31(a2)
    andi    a3, a1, 0xff
    bne     a3, a4, fail
    addi    a2, a2, 32
    addi    a1, a1, -1
    bnez    a1, 1b

    // Five lines of one set, over and over.
    NEXT
    la      a0, large
    li      a1, 20
    li      a5, 0x2000
1:  mv      a2, a0
    li      a3, 5
2:  lw      a4, 4(a2)
    addi    a4, a4, 1
    sw      a4, 4(a2)
    add     a2, a2, a5
    addi    a3, a3, -1
    bnez    a3, 2b
    addi    a1, a1, -1
    bnez    a1, 1b
    mv      a2, a0
    li      a3, 5
2:  lw      a4, 4(a2)
    EXPECT  a4, 20
    add     a2, a2, a5
    addi    a3, a3, -1
    bnez    a3, 2b
    j       pass

    .data
    .balign 64
bytes:
    .word   0x8070f00f, 0x7fff0180
    .balign 64
scratch:
    .fill   16, 4, 0
    .bss
    .balign 4096
large:
    .skip   65536
