// What another hart does to a reservation: its stores and atomics end it, its loads do not.
#include "multi.h"

    PROGRAM main

// Hart 0 reserves, hart 1 acts, hart 0 tries; the SC answers `failed`.
.macro WHILE_RESERVED failed, action:vararg
    NEXT
    BARRIER
    bnez    tp, 1f
    lr.w    a1, (a0)
1:  BARRIER
    beqz    tp, 2f
    \action
2:  BARRIER
    bnez    tp, 3f
    sc.w    a1, zero, (a0)
    EXPECT  a1, \failed
3:
.endm

    TOGETHER 2
    la      a0, word
    addi    a4, a0, 12
    la      a5, elsewhere
    CHECK   10
    WHILE_RESERVED 0, nop
    WHILE_RESERVED 0, lw a2, 0(a0)
    WHILE_RESERVED 1, sw zero, 0(a0)
    // The same line is enough, a byte is enough.
    WHILE_RESERVED 1, sw zero, 12(a0)
    WHILE_RESERVED 1, sb zero, 31(a0)
    WHILE_RESERVED 0, sw zero, 0(a5)
    WHILE_RESERVED 1, amoadd.w a2, zero, (a0)
    WHILE_RESERVED 1, amoor.w a2, zero, (a4)
    WHILE_RESERVED 0, lr.w a2, (a0)
    // An SC that fails is no store.
    WHILE_RESERVED 0, sc.w a2, zero, (a5)
    ONLY_HART_0
    j       pass

    .bss
    .balign 4096
word:
    .skip   64
elsewhere:
    .skip   64
