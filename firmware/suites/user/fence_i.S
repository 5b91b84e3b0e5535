// Code that writes code: FENCE.I makes the next fetch see it, from every distance.
#include "suite.h"

    PROGRAM

// Puts the instruction `addi a0, a0, n` where `target` is and calls it.
.macro PATCH n
    NEXT
    li      a1, 0x00050513 | (\n << 20)
    la      a2, target
    sw      a1, 0(a2)
    fence.i
    li      a0, 0
    call    target
    EXPECT  a0, \n
.endm

main:
    CHECK   1
    li      a0, 0
    call    target
    EXPECT  a0, 1
    PATCH   2
    PATCH   3
    PATCH   100
    PATCH   2047

    // The patched instruction is the very next one, and sits in the same line.
    CHECK   20
    li      a0, 0
    li      a1, 0x00750513
    la      a2, 1f
    sw      a1, 0(a2)
    fence.i
1:  addi    a0, a0, 1
    EXPECT  a0, 7

    // A whole routine, copied to data and run there.
    NEXT
    la      a1, routine
    la      a2, copy
    la      a3, routine_end
1:  lw      a4, 0(a1)
    sw      a4, 0(a2)
    addi    a1, a1, 4
    addi    a2, a2, 4
    bne     a1, a3, 1b
    fence.i
    la      a2, copy
    li      a0, 10
    jalr    a2
    EXPECT  a0, 55

    // A loop that changes its own body every time round.
    NEXT
    li      a0, 0
    li      a3, 1
    la      a2, 2f
1:  slli    a1, a3, 20
    li      a4, 0x00050513
    or      a1, a1, a4
    sw      a1, 0(a2)
    fence.i
2:  addi    a0, a0, 0
    addi    a3, a3, 1
    li      a4, 33
    bne     a3, a4, 1b
    EXPECT  a0, 528
    j       pass

routine:
    li      a1, 0
1:  add     a1, a1, a0
    addi    a0, a0, -1
    bnez    a0, 1b
    mv      a0, a1
    ret
routine_end:

    .balign 32
target:
    addi    a0, a0, 1
    ret

    .bss
    .balign 64
copy:
    .skip   256
