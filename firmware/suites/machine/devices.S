// Devices as a program sees them: the UART's registers, the monitor's window with and without monitor.
#include "suite.h"

    PROGRAM

main:
    li      a1, UART
    // The line status: room for a byte, nothing received.
    CHECK   1
    lbu     a0, 5(a1)
    EXPECT  a0, 0x60
    lb      a0, 5(a1)
    EXPECT  a0, 0x60
    NEXT
    // Scratch, as byte and as the low byte of a word.
    li      a0, 0xa5
    sb      a0, 7(a1)
    lbu     a2, 7(a1)
    EXPECT  a2, 0xa5
    lb      a2, 7(a1)
    EXPECT  a2, -91
    NEXT
    .irp    register, 1, 2, 4, 6
    lbu     a0, \register(a1)
    EXPECT  a0, 0
    li      a0, 0xff
    sb      a0, \register(a1)
    lbu     a0, \register(a1)
    EXPECT  a0, 0
    .endr
    NEXT
    // The divisor latch hides the data register.
    li      a0, 0x83
    sb      a0, 3(a1)
    lbu     a2, 3(a1)
    EXPECT  a2, 0x83
    li      a0, '!'
    sb      a0, 0(a1)
    lbu     a2, 0(a1)
    EXPECT  a2, 0
    li      a0, 3
    sb      a0, 3(a1)
    NEXT
    // A line of text, waiting for room before each byte.
    la      a3, text
1:  lbu     a0, 0(a3)
    beqz    a0, 2f
3:  lbu     a2, 5(a1)
    andi    a2, a2, 0x20
    beqz    a2, 3b
    sb      a0, 0(a1)
    addi    a3, a3, 1
    j       1b
2:
    // The monitor's window: words that mean nothing, and the windows of harts that do not exist.
    CHECK   20
    li      a1, MONITOR
    lw      a0, 7*4(a1)
    EXPECT  a0, 0
    sw      a1, 7*4(a1)
    lw      a0, 7*4(a1)
    EXPECT  a0, 0
    li      a2, 0xf000
    add     a2, a1, a2
    li      a3, 0x3fc
    add     a2, a2, a3
    sw      a1, 0(a2)
    lw      a0, 0(a2)
    EXPECT  a0, 0
    NEXT
    // Either there is a monitor, and its filter registers keep what they are given, or all is zero.
    li      a0, 0x2aa
    sw      a0, 37*4(a1)
    lw      a2, 37*4(a1)
    lw      a3, 18*4(a1)
    bnez    a3, 1f
    EXPECT  a2, 0
    j       pass
1:  sw      zero, 37*4(a1)
    NEXT
    li      a0, 0x80001234
    sw      a0, 33*4(a1)
    lw      a2, 33*4(a1)
    EXPECT_SAME a0, a2
    sw      zero, 33*4(a1)
    NEXT
    // An empty table.
    lw      a0, 16*4(a1)
    EXPECT  a0, 0
    lw      a0, 17*4(a1)
    EXPECT  a0, 0
    lw      a0, 6*4(a1)
    EXPECT  a0, 0
    lw      a0, 16*4(a1)
    EXPECT  a0, 0
    j       pass

    .data
text:
    .asciz  "devices answer\n"
