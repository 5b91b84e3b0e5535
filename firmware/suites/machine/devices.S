// Devices as a program sees them: the UART's registers, the monitor's window with and without monitor.
#include "suite.h"

    PROGRAM

main:
    li      a1, UART
    // The line status: room for a byte, nothing received.
    CHECK   1
    lbu     a0, UART_LINE_STATUS(a1)
    EXPECT  a0, UART_LINE_STATUS_ROOM|UART_LINE_STATUS_IDLE
    lb      a0, UART_LINE_STATUS(a1)
    EXPECT  a0, UART_LINE_STATUS_ROOM|UART_LINE_STATUS_IDLE
    NEXT
    // Scratch, as byte and as the low byte of a word.
    li      a0, 0xa5
    sb      a0, UART_SCRATCH(a1)
    lbu     a2, UART_SCRATCH(a1)
    EXPECT  a2, 0xa5
    lb      a2, UART_SCRATCH(a1)
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
    li      a0, UART_LINE_CONTROL_DIVISOR_ACCESS|3
    sb      a0, UART_LINE_CONTROL(a1)
    lbu     a2, UART_LINE_CONTROL(a1)
    EXPECT  a2, UART_LINE_CONTROL_DIVISOR_ACCESS|3
    li      a0, '!'
    sb      a0, UART_DATA(a1)
    lbu     a2, UART_DATA(a1)
    EXPECT  a2, 0
    li      a0, 3
    sb      a0, UART_LINE_CONTROL(a1)
    NEXT
    // A line of text, waiting for room before each byte.
    la      a3, text
1:  lbu     a0, 0(a3)
    beqz    a0, 2f
3:  lbu     a2, UART_LINE_STATUS(a1)
    andi    a2, a2, UART_LINE_STATUS_ROOM
    beqz    a2, 3b
    sb      a0, UART_DATA(a1)
    addi    a3, a3, 1
    j       1b
2:
    // The monitor's window: words that mean nothing, and the windows of harts that do not exist.
    CHECK   20
    li      a1, MONITORS
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
    sw      a0, 4*MONITOR_CONTEXT(a1)
    lw      a2, 4*MONITOR_CONTEXT(a1)
    lw      a3, 4*MONITOR_TABLE_WATERMARK(a1)
    bnez    a3, 1f
    EXPECT  a2, 0
    j       pass
1:  sw      zero, 4*MONITOR_CONTEXT(a1)
    NEXT
    li      a0, 0x80001234
    sw      a0, 4*MONITOR_RANGE_LOW(a1)
    lw      a2, 4*MONITOR_RANGE_LOW(a1)
    EXPECT_SAME a0, a2
    sw      zero, 4*MONITOR_RANGE_LOW(a1)
    NEXT
    // An empty table.
    lw      a0, 4*MONITOR_TABLE_COUNT(a1)
    EXPECT  a0, 0
    lw      a0, 4*MONITOR_TABLE_LOST(a1)
    EXPECT  a0, 0
    lw      a0, 4*MONITOR_KIND_AND_HARTS(a1)
    EXPECT  a0, 0
    lw      a0, 4*MONITOR_TABLE_COUNT(a1)
    EXPECT  a0, 0
    j       pass

    .data
text:
    .asciz  "devices answer\n"
