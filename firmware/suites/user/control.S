// Branches and jumps: taken and not, both ways, from every forwarding distance, and their links.
#include "suite.h"

    PROGRAM

// The branch is taken, forward and backward, and what follows it has no effect.
.macro TAKEN op, a, b
    NEXT
    li      a1, \a
    li      a2, \b
    li      a0, 0
    \op     a1, a2, 1f
    j       fail
2:  addi    a0, a0, 1
    j       3f
1:  addi    a0, a0, 1
    \op     a1, a2, 2b
    addi    a0, a0, 8
    addi    a0, a0, 8
3:  EXPECT  a0, 2
.endm

.macro NOT_TAKEN op, a, b
    NEXT
    li      a0, 0
    j       2f
1:  addi    a0, a0, 8
2:  li      a1, \a
    li      a2, \b
    \op     a1, a2, 1b
    addi    a0, a0, 1
    \op     a1, a2, 1f
    addi    a0, a0, 1
1:  EXPECT  a0, 2
.endm

main:
    CHECK   1
    TAKEN   beq, 0, 0
    TAKEN   beq, -1, -1
    NOT_TAKEN beq, 0, 1
    NOT_TAKEN beq, MIN, 0
    TAKEN   bne, 0, 1
    TAKEN   bne, MIN, 0
    NOT_TAKEN bne, 7, 7
    TAKEN   blt, -1, 0
    TAKEN   blt, MIN, 0x7fffffff
    NOT_TAKEN blt, 0, 0
    NOT_TAKEN blt, 1, -1
    TAKEN   bge, 0, 0
    TAKEN   bge, 0, -1
    TAKEN   bge, 0x7fffffff, MIN
    NOT_TAKEN bge, -1, 0
    TAKEN   bltu, 0, -1
    NOT_TAKEN bltu, -1, 0
    NOT_TAKEN bltu, 3, 3
    TAKEN   bgeu, -1, 0
    TAKEN   bgeu, 3, 3
    NOT_TAKEN bgeu, 0, -1

    // The branch's operand comes from the instruction right before, and from a load.
    CHECK   40
    li      a0, 1
    addi    a0, a0, -1
    bnez    a0, fail
    la      a1, word
    lw      a0, 0(a1)
    beqz    a0, fail
    lw      a0, 0(a1)
    nop
    beqz    a0, fail

    CHECK   41
    jal     a0, 1f
2:  j       fail
1:  la      a1, 2b
    EXPECT_SAME a0, a1
    NEXT
    la      a0, 1f
    jalr    a0, a0, 0
2:  j       fail
1:  la      a1, 2b
    EXPECT_SAME a0, a1
    NEXT
    // The low bit of the target is dropped, the offset is signed.
    la      a0, 1f
    addi    a0, a0, 33
    jalr    a1, -32(a0)
    j       fail
1:  NEXT
    la      a0, 1f
    jr      a0
    j       fail
    j       fail
1:  // Calls and returns, nested.
    NEXT
    li      a0, 0
    call    outer
    EXPECT  a0, 3

    // A loop whose exit is mispredicted once, and a branch that alternates.
    NEXT
    li      a0, 0
    li      a1, 100
1:  addi    a0, a0, 1
    addi    a1, a1, -1
    bnez    a1, 1b
    EXPECT  a0, 100
    NEXT
    li      a0, 0
    li      a1, 64
1:  andi    a2, a1, 1
    beqz    a2, 2f
    addi    a0, a0, 3
    j       3f
2:  addi    a0, a0, 1
3:  addi    a1, a1, -1
    bnez    a1, 1b
    EXPECT  a0, 128

    // An indirect jump that goes elsewhere every time.
    NEXT
    li      a0, 0
    li      a3, 8
1:  la      a1, targets
    andi    a2, a3, 3
    slli    a2, a2, 2
    add     a1, a1, a2
    lw      a1, 0(a1)
    jr      a1
4:  addi    a0, a0, 1
    j       8f
5:  addi    a0, a0, 10
    j       8f
6:  addi    a0, a0, 100
    j       8f
7:  addi    a0, a0, 1000
8:  addi    a3, a3, -1
    bnez    a3, 1b
    EXPECT  a0, 2222
    j       pass

outer:
    mv      s0, ra
    addi    a0, a0, 1
    call    inner
    addi    a0, a0, 1
    jr      s0
inner:
    addi    a0, a0, 1
    ret

    .data
    .balign 4
word:
    .word   1
targets:
    .word   4b, 5b, 6b, 7b
