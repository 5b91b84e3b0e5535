// The counters: what is counted, what stops them, what a write does.
#include "suite.h"

    PROGRAM

main:
    // minstret counts instructions that retire.
    CHECK   1
    csrr    a0, minstret
    nop
    nop
    nop
    csrr    a1, minstret
    sub     a1, a1, a0
    EXPECT  a1, 4
    NEXT
    // Not those that trap: the handler is nine instructions, the ecall none.
    csrr    a0, minstret
    ecall
    csrr    a1, minstret
    sub     a1, a1, a0
    EXPECT  a1, 10
    NEXT
    // A taken branch and a jump are one each.
    csrr    a0, minstret
    beqz    zero, 1f
    nop
1:  j       1f
    nop
1:  csrr    a1, minstret
    sub     a1, a1, a0
    EXPECT  a1, 3
    NEXT
    // A write takes the place of its own count.
    li      a0, 1000
    csrw    minstret, a0
    csrr    a1, minstret
    EXPECT  a1, 1000
    csrr    a1, minstret
    EXPECT  a1, 1003
    NEXT
    // The high half, and the carry into it.
    csrwi   minstreth, 5
    csrr    a1, minstreth
    EXPECT  a1, 5
    csrr    a1, instreth
    EXPECT  a1, 5
    li      a0, -2
    csrw    minstret, a0
    nop
    nop
    nop
    csrr    a1, minstreth
    EXPECT  a1, 6
    csrwi   minstreth, 0
    NEXT
    // Stopped.
    csrwi   mcountinhibit, 4
    csrr    a0, minstret
    nop
    csrr    a1, minstret
    EXPECT_SAME a0, a1
    csrw    minstret, zero
    csrr    a1, minstret
    EXPECT  a1, 0
    csrwi   mcountinhibit, 0
    csrr    a1, instret
    nop
    csrr    a2, instret
    sub     a2, a2, a1
    EXPECT  a2, 2

    // Cycles: at least one an instruction; they stop too.
    CHECK   20
    csrr    a0, mcycle
    nop
    nop
    csrr    a1, mcycle
    sub     a1, a1, a0
    li      a2, 3
    bltu    a1, a2, fail
    NEXT
    csrwi   mcountinhibit, 1
    csrr    a0, mcycle
    nop
    csrr    a1, mcycle
    EXPECT_SAME a0, a1
    li      a2, 0x1234
    csrw    mcycle, a2
    csrr    a1, mcycle
    EXPECT_SAME a1, a2
    csrwi   mcycleh, 9
    csrr    a1, cycleh
    EXPECT  a1, 9
    li      a2, -1
    csrw    mcycle, a2
    csrwi   mcountinhibit, 0
    nop
    nop
    csrr    a1, mcycleh
    EXPECT  a1, 10
    NEXT
    csrr    a0, cycle
    csrr    a1, mcycle
    bgeu    a0, a1, fail
    NEXT
    // Time is the CLINT's.
    csrr    a0, time
    li      a2, CLINT_MTIME
    lw      a1, 0(a2)
    bltu    a1, a0, fail
    csrr    a2, time
    bltu    a2, a1, fail
    j       pass
