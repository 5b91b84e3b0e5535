// Reset and traps: the way into M mode and out of it.
//
// mscratch holds the hart's block (struct hart in hart.h) while the program runs and while the firmware
// does. Traps never nest: interrupts stay off in M mode, and a fault of the firmware itself ends the run.

#include <machine_numbers.h>

#define PC 0
#define STACK 140
#define HART_BYTES 256

    .section .text.crosstalk_entry, "ax"
    .globl _start
_start:
    csrw    mie, zero
    la      t0, crosstalk_vectors
    ori     t0, t0, 1               // vectored
    csrw    mtvec, t0
    csrr    a0, mhartid
    li      t1, MAX_HARTS
    bgeu    a0, t1, surplus         // more harts than this firmware was made for
    li      t1, HART_BYTES
    mul     t1, t1, a0
    la      t2, crosstalk_harts
    add     t2, t2, t1
    csrw    mscratch, t2
    la      sp, crosstalk_stacks
    addi    t1, a0, 1
    slli    t1, t1, 11              // 2 KiB a hart
    add     sp, sp, t1
    sw      sp, STACK(t2)
    mv      a1, t2
    bnez    a0, 1f
    tail    crosstalk_boot          // hart 0, with its number and block
1:  tail    crosstalk_boot_other
surplus:
    wfi
    j       surplus

    // Interrupts come in at 4 times their number. The table's is the last: its handler (drain/fast.S)
    // follows this section in the linker script.
    .section .text.crosstalk_vectors, "ax"
    .balign 64
    .globl crosstalk_vectors
crosstalk_vectors:
    .rept INTERRUPT_NUMBER_TABLE
    j       crosstalk_trap_general
    .endr

    // Everything but the table's interrupt, and that one too when its buffer is full.
    .section .text.crosstalk_entry
    .balign 4
    .globl crosstalk_trap_general
crosstalk_trap_general:
    csrrw   x31, mscratch, x31
    sw      x1, 4(x31)
    sw      x2, 8(x31)
    sw      x3, 12(x31)
    sw      x4, 16(x31)
    sw      x5, 20(x31)
    sw      x6, 24(x31)
    sw      x7, 28(x31)
    sw      x8, 32(x31)
    sw      x9, 36(x31)
    sw      x10, 40(x31)
    sw      x11, 44(x31)
    sw      x12, 48(x31)
    sw      x13, 52(x31)
    sw      x14, 56(x31)
    sw      x15, 60(x31)
    sw      x16, 64(x31)
    sw      x17, 68(x31)
    sw      x18, 72(x31)
    sw      x19, 76(x31)
    sw      x20, 80(x31)
    sw      x21, 84(x31)
    sw      x22, 88(x31)
    sw      x23, 92(x31)
    sw      x24, 96(x31)
    sw      x25, 100(x31)
    sw      x26, 104(x31)
    sw      x27, 108(x31)
    sw      x28, 112(x31)
    sw      x29, 116(x31)
    sw      x30, 120(x31)
    mv      a0, x31
    csrrw   x31, mscratch, x31
    sw      x31, 124(a0)
    csrr    t0, mepc
    sw      t0, PC(a0)
    lw      sp, STACK(a0)
    call    crosstalk_trap
    csrr    a0, mscratch

    // Leaves for the program with what the block says.
    .globl crosstalk_enter
crosstalk_enter:
    lw      t0, PC(a0)
    csrw    mepc, t0
    mv      x31, a0
    lw      x1, 4(x31)
    lw      x2, 8(x31)
    lw      x3, 12(x31)
    lw      x4, 16(x31)
    lw      x5, 20(x31)
    lw      x6, 24(x31)
    lw      x7, 28(x31)
    lw      x8, 32(x31)
    lw      x9, 36(x31)
    lw      x10, 40(x31)
    lw      x11, 44(x31)
    lw      x12, 48(x31)
    lw      x13, 52(x31)
    lw      x14, 56(x31)
    lw      x15, 60(x31)
    lw      x16, 64(x31)
    lw      x17, 68(x31)
    lw      x18, 72(x31)
    lw      x19, 76(x31)
    lw      x20, 80(x31)
    lw      x21, 84(x31)
    lw      x22, 88(x31)
    lw      x23, 92(x31)
    lw      x24, 96(x31)
    lw      x25, 100(x31)
    lw      x26, 104(x31)
    lw      x27, 108(x31)
    lw      x28, 112(x31)
    lw      x29, 116(x31)
    lw      x30, 120(x31)
    lw      x31, 124(x31)
    mret

    // bool crosstalk_probe(address): a load that may fault.
    .globl crosstalk_probe
crosstalk_probe:
    la      t0, absent
    csrrw   t0, mtvec, t0
    lw      zero, 0(a0)
    li      a0, 1
    csrw    mtvec, t0
    ret
    .balign 4
absent:
    csrw    mtvec, t0
    li      a0, 0
    csrw    mepc, ra
    li      t0, MSTATUS_MPP         // back to M mode
    csrs    mstatus, t0
    mret

    .section .bss.crosstalk_stacks, "aw", @nobits
    .balign 64
crosstalk_stacks:
    .space  MAX_HARTS * 2048
