// Every exception: its cause, its mtval, its mepc, and that nothing else happened.
#include "suite.h"

    PROGRAM

main:
    CHECK   1
    EXPECT_TRAP_AT CAUSE_ECALL_FROM_MACHINE, 0, ecall
    EXPECT_TRAP CAUSE_BREAKPOINT, ebreak
    EXPECT_SAME s11, s9

    // Illegal instructions; mtval is the instruction.
    CHECK   10
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0, .word 0
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, -1, .word 0xffffffff
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0x0000007f, .word 0x0000007f
    // A compressed one, and one that would be 48 bits long.
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0x00010001, .word 0x00010001
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0x0000001f, .word 0x0000001f
    // funct7 of an addition, of a shift, of a subtraction that is an xor.
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0x80b50533, .word 0x80b50533
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0x82051513, .word 0x82051513
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0x40b54533, .word 0x40b54533
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0x42055513, .word 0x42055513
    // Loads of 64 bits, stores of 64 bits, branches that do not exist.
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0x00053503, .word 0x00053503
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0x00056503, .word 0x00056503
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0x00a53023, .word 0x00a53023
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0x00052063, .word 0x00052063
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0x00053063, .word 0x00053063
    // jalr and fence with other funct3.
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0x00051067, .word 0x00051067
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0x0000200f, .word 0x0000200f
    // Atomics of 64 bits; LR with rs2; an atomic that does not exist.
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0x00b5352f, .word 0x00b5352f
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0x1015252f, .word 0x1015252f
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0x28b5252f, .word 0x28b5252f
    // Floating point, 64-bit arithmetic, sret, uret, hints of ecall and mret with other fields.
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0x00052507, .word 0x00052507
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0x00b5053b, .word 0x00b5053b
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0x10200073, .word 0x10200073
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0x00200073, .word 0x00200073
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0x00008073, .word 0x00008073
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0x000000f3, .word 0x000000f3
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0x302000f3, .word 0x302000f3
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0x12000073, .word 0x12000073
    EXPECT_TRAP_AT CAUSE_ILLEGAL_INSTRUCTION, 0x00004073, .word 0x00004073
    // An illegal load leaves its register alone.
    NEXT
    li      a0, 99
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, .word 0x00053503
    EXPECT  a0, 99

    // Misaligned: before anything is read or written.
    CHECK   60
    la      a1, words
    EXPECT_TRAP CAUSE_MISALIGNED_LOAD, lw a0, 1(a1)
    addi    t5, a1, 1
    EXPECT_SAME s11, t5
    EXPECT_TRAP CAUSE_MISALIGNED_LOAD, lw a0, 2(a1)
    EXPECT_TRAP CAUSE_MISALIGNED_LOAD, lw a0, 3(a1)
    EXPECT_TRAP CAUSE_MISALIGNED_LOAD, lh a0, 1(a1)
    EXPECT_TRAP CAUSE_MISALIGNED_LOAD, lhu a0, 3(a1)
    addi    t5, a1, 3
    EXPECT_SAME s11, t5
    EXPECT_TRAP CAUSE_MISALIGNED_STORE, sw a0, 2(a1)
    EXPECT_TRAP CAUSE_MISALIGNED_STORE, sh a0, 1(a1)
    addi    t5, a1, 1
    EXPECT_SAME s11, t5
    addi    a2, a1, 2
    EXPECT_TRAP CAUSE_MISALIGNED_LOAD, lr.w a0, (a2)
    EXPECT_SAME s11, a2
    EXPECT_TRAP CAUSE_MISALIGNED_STORE, sc.w a0, a0, (a2)
    EXPECT_SAME s11, a2
    EXPECT_TRAP CAUSE_MISALIGNED_STORE, amoadd.w a0, a0, (a2)
    EXPECT_SAME s11, a2
    lw      a0, 0(a1)
    EXPECT  a0, 0x01020304
    lw      a0, 4(a1)
    EXPECT  a0, 0x05060708
    // Misaligned comes before the access fault.
    li      a2, 0x40000001
    EXPECT_TRAP_AT CAUSE_MISALIGNED_LOAD, 0x40000001, lw a0, 0(a2)
    EXPECT_TRAP_AT CAUSE_MISALIGNED_STORE, 0x40000001, sw a0, 0(a2)

    // Access faults: where nothing is, past the end of memory, the wrong size for a device.
    CHECK   80
    li      a0, 7
    .irp    address, 0x0, 0x40000000, RAM-4, CLINT_END, UART_END, MONITORS_END, -4
    li      a2, \address
    EXPECT_TRAP_AT CAUSE_LOAD_ACCESS, \address, lw a0, 0(a2)
    EXPECT_TRAP_AT CAUSE_LOAD_ACCESS, \address, lb a0, 0(a2)
    EXPECT_TRAP_AT CAUSE_LOAD_ACCESS, \address, lr.w a0, (a2)
    EXPECT_TRAP_AT CAUSE_STORE_ACCESS, \address, sw a0, 0(a2)
    EXPECT_TRAP_AT CAUSE_STORE_ACCESS, \address, sc.w a0, a0, (a2)
    EXPECT_TRAP_AT CAUSE_STORE_ACCESS, \address, amoor.w a0, a0, (a2)
    .endr
    EXPECT  a0, 7
    li      a2, CLINT_MSIP
    EXPECT_TRAP_AT CAUSE_LOAD_ACCESS, CLINT_MSIP, lb a0, 0(a2)
    EXPECT_TRAP_AT CAUSE_LOAD_ACCESS, CLINT_MSIP, lhu a0, 0(a2)
    EXPECT_TRAP_AT CAUSE_STORE_ACCESS, CLINT_MSIP, sb a0, 0(a2)
    EXPECT_TRAP_AT CAUSE_STORE_ACCESS, CLINT_MSIP, amoadd.w a0, a0, (a2)
    EXPECT_TRAP_AT CAUSE_LOAD_ACCESS, CLINT_MSIP, lr.w a0, (a2)
    li      a2, UART
    EXPECT_TRAP_AT CAUSE_LOAD_ACCESS, UART, lhu a0, 0(a2)
    EXPECT_TRAP_AT CAUSE_STORE_ACCESS, UART, sh a0, 0(a2)
    li      a2, MONITORS
    EXPECT_TRAP_AT CAUSE_LOAD_ACCESS, MONITORS, lbu a0, 0(a2)
    EXPECT_TRAP_AT CAUSE_STORE_ACCESS, MONITORS, sc.w a0, a0, (a2)

    // Jumps to where nothing is: the fetch faults there, and mepc and mtval say so.
    CHECK   150
    .irp    address, 0x0, 0x40000000, CLINT, UART, MONITORS, RAM-4, -4
    NEXT
    li      a2, \address
    la      a3, 1f
    li      s10, -1
    la      t6, jump_handler
    csrw    mtvec, t6
    jalr    a4, a2
1:  la      t6, trap_handler
    csrw    mtvec, t6
    EXPECT  s10, CAUSE_FETCH_ACCESS
    EXPECT  s11, \address
    EXPECT_SAME s9, a2
    .endr

    // Misaligned targets: the jump itself traps, writes no link, and the branch only if taken.
    CHECK   170
    la      a2, words
    addi    a2, a2, 2
    li      ra, 5
    EXPECT_TRAP CAUSE_MISALIGNED_FETCH, jalr ra, 0(a2)
    EXPECT_SAME s11, a2
    EXPECT  ra, 5
    EXPECT_TRAP CAUSE_MISALIGNED_FETCH, jalr ra, 1(a2)
    EXPECT_SAME s11, a2
    // jal and branches of 6 bytes forward.
    EXPECT_TRAP CAUSE_MISALIGNED_FETCH, .word 0x006000ef
    addi    t5, s9, 6
    EXPECT_SAME s11, t5
    EXPECT  ra, 5
    EXPECT_TRAP CAUSE_MISALIGNED_FETCH, .word 0x00000363
    addi    t5, s9, 6
    EXPECT_SAME s11, t5
    NEXT
    li      s10, -1
    .word   0x00001363
    EXPECT  s10, -1

    // After all of it, mcause holds what was last written there, and only bits that exist.
    CHECK   180
    li      a0, -1
    csrw    mcause, a0
    csrr    a0, mcause
    EXPECT  a0, 0x8000003f
    j       pass

    // For a jump into nothing: continues at a3.
    .balign 128
jump_handler:
    csrr    s11, mtval
    csrr    s10, mcause
    csrr    s9, mepc
    csrw    mepc, a3
    mret

    .data
    .balign 64
words:
    .word   0x01020304, 0x05060708
