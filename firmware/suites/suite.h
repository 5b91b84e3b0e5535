// What every suite shares: the entry, the verdict, the trap handler and the checks.
//
// Registers that belong to these macros: gp holds the number of the running check; t5 and t6 are
// scratch; s7 to s11 tell what the trap handler saw:
//   s7   set before an ecall from U mode: return to M mode
//   s8   how many traps there were
//   s9   mepc, s10 mcause, s11 mtval of the last one
#pragma once

#include <machine_numbers.h>

// The most negative number, as a pattern of bits.
#define MIN (1<<31)

// The start of a program. Hart 0 goes to `main`, with all checks ahead of it; what the others do is
// the program's choice: `others` is a label of its own or `park`.
.macro PROGRAM others=park
    .section .text.start, "ax"
    .globl _start
_start:
    la      t6, trap_handler
    csrw    mtvec, t6
    li      gp, 0
    li      s7, 0
    li      s8, 0
    li      s10, -1
    csrr    a0, mhartid
    bnez    a0, \others
    j       main

    // A hart that has nothing to do.
park:
    csrw    mie, zero
1:  wfi
    j       1b

    // The verdict: 1, or the number of the failed check and a set low bit.
pass:
    fence
    li      gp, 1
    j       report
fail:
    fence
    slli    gp, gp, 1
    ori     gp, gp, 1
report:
    la      t6, tohost
    sw      gp, 0(t6)
    sw      zero, 4(t6)
    j       report

    // Notes what happened. Exceptions return after the instruction, interrupts where they came, with
    // all interrupts off.
    .balign 128
trap_handler:
    csrr    s11, mtval
    csrr    s10, mcause
    csrr    s9, mepc
    addi    s8, s8, 1
    bltz    s10, 2f
    addi    t6, s9, 4
    csrw    mepc, t6
    beqz    s7, 1f
    li      t6, MSTATUS_MPP
    csrs    mstatus, t6
1:  mret
2:  csrw    mie, zero
    mret

    .section .tohost, "aw"
    .balign 64
    .globl tohost
    .type tohost, @object
    .size tohost, 8
tohost:
    .dword  0
    .balign 64
    .globl fromhost
    .type fromhost, @object
    .size fromhost, 8
fromhost:
    .dword  0
    .balign 64

    .text
.endm

// The next check has this number.
.macro CHECK number
    li      gp, \number
.endm

// The next check has the next number.
.macro NEXT
    addi    gp, gp, 1
.endm

.macro EXPECT register, value
    li      t6, \value
    bne     \register, t6, fail
.endm

.macro EXPECT_SAME register, other
    bne     \register, \other, fail
.endm

// Runs one instruction that must trap; afterwards s11 holds mtval.
.macro EXPECT_TRAP cause, instruction:vararg
    NEXT
    li      s10, -1
9:  \instruction
    EXPECT  s10, \cause
    la      t6, 9b
    bne     s9, t6, fail
.endm

// The same, and mtval.
.macro EXPECT_TRAP_AT cause, value, instruction:vararg
    EXPECT_TRAP \cause, \instruction
    EXPECT  s11, \value
.endm

// Lets U mode reach all of memory.
.macro OPEN_MEMORY
    li      t6, -1
    csrw    pmpaddr0, t6
    li      t6, 0x1f
    csrw    pmpcfg0, t6
.endm

.macro TO_USER
    li      t6, MSTATUS_MPP
    csrc    mstatus, t6
    la      t6, 8f
    csrw    mepc, t6
    mret
8:
.endm

.macro TO_MACHINE
    li      s7, 1
    ecall
    li      s7, 0
.endm

// How many harts there are: a hart that exists starts with its timer at all ones, the words of one
// that does not exist read zero. Before any timer is set. Clobbers t5 and t6.
.macro COUNT_HARTS register
    li      \register, 0
    li      t6, CLINT_MTIMECMP
7:  lw      t5, 0(t6)
    beqz    t5, 8f
    addi    t6, t6, 8
    addi    \register, \register, 1
    j       7b
8:
.endm

// Fails with this check's number if there are fewer harts.
.macro NEED_HARTS count
    COUNT_HARTS a0
    li      t6, \count
    bltu    a0, t6, fail
.endm
