// The host's side of `tohost`: the write system call, one character at a time, and the answer.
#include "suite.h"

    PROGRAM

// Hands the block of words at a0 to the host and waits until it is done.
.macro CALL_HOST
    la      t6, tohost
    sw      a0, 0(t6)
    sw      zero, 4(t6)
    la      t6, fromhost
7:  lw      t5, 0(t6)
    beqz    t5, 7b
    sw      zero, 0(t6)
.endm

main:
    CHECK   1
    la      a0, block
    CALL_HOST
    la      a0, block
    lw      a1, 0(a0)
    EXPECT  a1, 6
    NEXT
    // A call that does not exist: an error, and the program goes on.
    la      a0, unknown
    CALL_HOST
    la      a0, unknown
    lw      a1, 0(a0)
    bgez    a1, fail

    // The console device, character by character.
    CHECK   10
    la      a1, text
1:  lbu     a0, 0(a1)
    beqz    a0, 2f
    la      t6, tohost
    sw      a0, 0(t6)
    li      t5, HOST_WRITE_CHARACTER
    sw      t5, 4(t6)
3:  lw      t5, 0(t6)
    bnez    t5, 3b
    addi    a1, a1, 1
    j       1b
2:  j       pass

    .data
    .balign 64
block:
    .dword  HOST_WRITE, DESCRIPTOR_CONSOLE, hello, 6
    .balign 64
unknown:
    .dword  4095, 0, 0, 0
hello:
    .ascii  "hello\n"
text:
    .asciz  "hart\n"
