// Interrupts from the CLINT: pending and enabled bits, masking, priority, vectors, WFI, both modes.
#include "suite.h"

    PROGRAM

// Waits until mip has this value; the CLINT needs a moment.
.macro AWAIT_PENDING value
    li      t6, \value
1:  csrr    t5, mip
    bne     t5, t6, 1b
.endm

.macro SOFTWARE value
    li      t6, CLINT_MSIP
    li      t5, \value
    sw      t5, 0(t6)
.endm

// The timer is due now, or never.
.macro TIMER_DUE
    li      t6, CLINT_MTIMECMP
    sw      zero, 4(t6)
    sw      zero, 0(t6)
.endm

.macro TIMER_OFF
    li      t6, CLINT_MTIMECMP
    li      t5, -1
    sw      t5, 0(t6)
    sw      t5, 4(t6)
.endm

// The handler ran `count` times since `s8` was cleared, last for `cause`.
.macro EXPECT_INTERRUPT cause, count=1
    EXPECT  s8, \count
    EXPECT  s10, \cause
    li      s8, 0
    li      s10, -1
.endm

main:
    csrci   mstatus, MSTATUS_MIE
    // Registers of the CLINT.
    CHECK   1
    li      a0, CLINT_MTIMECMP
    lw      a1, 0(a0)
    EXPECT  a1, -1
    lw      a1, 4(a0)
    EXPECT  a1, -1
    NEXT
    li      a0, CLINT_MSIP
    li      a1, -2
    sw      a1, 0(a0)
    lw      a1, 0(a0)
    EXPECT  a1, 0
    NEXT
    // Words that mean nothing.
    li      a0, CLINT_MSIP + 0x100
    li      a1, -1
    sw      a1, 0(a0)
    lw      a1, 0(a0)
    EXPECT  a1, 0
    NEXT
    // Time runs and can be set.
    li      a0, CLINT_MTIME
    lw      a1, 0(a0)
    lw      a2, 0(a0)
    bgeu    a1, a2, fail
    li      a1, 5
    sw      a1, 4(a0)
    lw      a2, 4(a0)
    EXPECT_SAME a1, a2
    csrr    a2, timeh
    EXPECT_SAME a1, a2
    sw      zero, 4(a0)
    csrr    a1, time
    csrr    a2, time
    bgeu    a1, a2, fail

    // Pending, not enabled: nothing happens.
    CHECK   20
    csrsi   mstatus, MSTATUS_MIE
    SOFTWARE 1
    AWAIT_PENDING MIE_SOFTWARE
    EXPECT  s8, 0
    NEXT
    // Enabled: at once.
    csrwi   mie, MIE_SOFTWARE
    nop
    EXPECT_INTERRUPT INTERRUPT_SOFTWARE
    EXPECT  s11, 0
    NEXT
    // Enabled but MIE off: waits for MIE.
    csrci   mstatus, MSTATUS_MIE
    csrwi   mie, MIE_SOFTWARE
    nop
    nop
    EXPECT  s8, 0
1:  csrsi   mstatus, MSTATUS_MIE
    nop
    EXPECT_INTERRUPT INTERRUPT_SOFTWARE
    la      a0, 1b
    addi    a0, a0, 4
    EXPECT_SAME s9, a0
    NEXT
    // After mret MIE is as it was; during the handler it was off.
    csrr    a0, mstatus
    andi    a0, a0, MSTATUS_MIE
    EXPECT  a0, MSTATUS_MIE
    SOFTWARE 0
    AWAIT_PENDING 0

    // The timer.
    CHECK   30
    li      a1, MIE_TIMER
    csrw    mie, a1
    TIMER_DUE
    AWAIT_PENDING MIE_TIMER
    EXPECT_INTERRUPT INTERRUPT_TIMER
    TIMER_OFF
    AWAIT_PENDING 0
    NEXT
    // In the future: the loop is interrupted.
    li      a0, CLINT_MTIME
    lw      a1, 0(a0)
    addi    a1, a1, 300
    li      a0, CLINT_MTIMECMP
    sw      zero, 4(a0)
    sw      a1, 0(a0)
    li      a2, MIE_TIMER
    csrw    mie, a2
1:  beqz    s8, 1b
    csrr    a2, time
    bltu    a2, a1, fail
    EXPECT_INTERRUPT INTERRUPT_TIMER
    TIMER_OFF
    AWAIT_PENDING 0

    // Both: software first.
    CHECK   40
    csrci   mstatus, MSTATUS_MIE
    TIMER_DUE
    SOFTWARE 1
    AWAIT_PENDING (MIE_SOFTWARE | MIE_TIMER)
    li      a1, MIE_SOFTWARE | MIE_TIMER
    csrw    mie, a1
    csrsi   mstatus, MSTATUS_MIE
    nop
    EXPECT_INTERRUPT INTERRUPT_SOFTWARE
    NEXT
    li      a1, MIE_TIMER
    csrw    mie, a1
    nop
    EXPECT_INTERRUPT INTERRUPT_TIMER

    // Vectored: interrupts to their own entries, exceptions to the base.
    CHECK   50
    la      a0, vectors + 1
    csrw    mtvec, a0
    csrr    a1, mtvec
    EXPECT_SAME a0, a1
    li      s10, 0
    csrwi   mie, MIE_SOFTWARE
    nop
    EXPECT  s10, 3
    NEXT
    li      a1, MIE_TIMER
    csrw    mie, a1
    nop
    EXPECT  s10, 7
    NEXT
    ecall
    EXPECT  s10, 100
    la      a0, trap_handler
    csrw    mtvec, a0
    li      s8, 0

    // WFI: with something pending it goes on, whatever MIE.
    CHECK   60
    csrci   mstatus, MSTATUS_MIE
    csrwi   mie, MIE_SOFTWARE
    wfi
    EXPECT  s8, 0
    SOFTWARE 0
    TIMER_OFF
    AWAIT_PENDING 0
    NEXT
    // It waits for the timer, and MIE decides whether that interrupts.
    li      a0, CLINT_MTIME
    lw      a1, 0(a0)
    addi    a1, a1, 400
    li      a0, CLINT_MTIMECMP
    sw      zero, 4(a0)
    sw      a1, 0(a0)
    li      a2, MIE_TIMER
    csrw    mie, a2
    wfi
    csrr    a2, time
    bltu    a2, a1, fail
    EXPECT  s8, 0
    NEXT
    lw      a1, 0(a0)
    TIMER_OFF
    li      a0, CLINT_MTIME
    lw      a1, 0(a0)
    addi    a1, a1, 400
    li      a0, CLINT_MTIMECMP
    sw      zero, 4(a0)
    sw      a1, 0(a0)
    li      a2, MIE_TIMER
    csrw    mie, a2
    csrsi   mstatus, MSTATUS_MIE
    wfi
    EXPECT_INTERRUPT INTERRUPT_TIMER
    csrr    a2, time
    bltu    a2, a1, fail
    csrci   mstatus, MSTATUS_MIE

    // In U mode MIE does not matter: what is enabled interrupts.
    CHECK   70
    OPEN_MEMORY
    csrw    mie, zero
    TIMER_DUE
    AWAIT_PENDING MIE_TIMER
    li      t6, MSTATUS_MIE | MSTATUS_MPIE
    csrc    mstatus, t6
    li      a1, MIE_TIMER
    csrw    mie, a1
    nop
    EXPECT  s8, 0
    TO_USER
1:  beqz    s8, 1b
    EXPECT_INTERRUPT INTERRUPT_TIMER
    NEXT
    // WFI in U mode.
    li      s8, 0
    TO_MACHINE
    li      s8, 0
    TIMER_OFF
    AWAIT_PENDING 0
    li      a0, CLINT_MTIME
    lw      a1, 0(a0)
    addi    a1, a1, 500
    li      a0, CLINT_MTIMECMP
    sw      zero, 4(a0)
    sw      a1, 0(a0)
    li      a2, MIE_TIMER
    csrw    mie, a2
    TO_USER
    wfi
    EXPECT_INTERRUPT INTERRUPT_TIMER
    TO_MACHINE

    // Through all of a division, a miss and an atomic: no instruction is lost or done twice.
    CHECK   80
    TIMER_OFF
    li      s8, 0
    la      a3, counted
    li      a4, 200
    li      a5, 0
    csrsi   mstatus, MSTATUS_MIE
1:  li      a0, CLINT_MTIME
    lw      a1, 0(a0)
    andi    a2, a4, 31
    add     a1, a1, a2
    li      a0, CLINT_MTIMECMP
    sw      zero, 4(a0)
    sw      a1, 0(a0)
    li      a2, MIE_TIMER
    csrw    mie, a2
    li      a2, 1
    amoadd.w zero, a2, (a3)
    div     a2, a4, a2
    add     a5, a5, a2
    lw      a1, 32(a3)
    addi    a1, a1, 1
    sw      a1, 32(a3)
    csrw    mie, zero
    addi    a4, a4, -1
    bnez    a4, 1b
    lw      a0, 0(a3)
    EXPECT  a0, 200
    lw      a0, 32(a3)
    EXPECT  a0, 200
    EXPECT  a5, 20100
    beqz    s8, fail
    j       pass

    .balign 128
vectors:
    j       vector_exception
    .rept   2
    j       fail
    .endr
    j       vector_software
    .rept   3
    j       fail
    .endr
    j       vector_timer
    .rept   24
    j       fail
    .endr
vector_exception:
    li      s10, 100
    csrr    t6, mepc
    addi    t6, t6, 4
    csrw    mepc, t6
    mret
vector_software:
    li      s10, 3
    csrw    mie, zero
    mret
vector_timer:
    li      s10, 7
    csrw    mie, zero
    mret

    .data
    .balign 64
counted:
    .fill   16, 4, 0
