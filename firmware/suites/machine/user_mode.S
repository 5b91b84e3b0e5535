// U mode: going there and back, what is forbidden there, mstatus on the way, MPRV, counters.
#include "suite.h"

    PROGRAM

main:
    OPEN_MEMORY
    CHECK   1
    // An exception stacks MIE and the mode; mret restores them.
    csrw    mstatus, zero
    ecall
    csrr    a0, mstatus
    EXPECT  a0, MSTATUS_MPIE
    NEXT
    li      a1, MSTATUS_MPIE
    csrw    mstatus, a1
    TO_USER
    EXPECT_TRAP_AT CAUSE_ECALL_FROM_USER, 0, ecall
    EXPECT_TRAP CAUSE_BREAKPOINT, ebreak
    // M mode's instructions and registers are illegal.
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, mret
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrr a0, mstatus
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrr a0, mhartid
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrw mscratch, a0
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrr a0, mcycle
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrr a0, pmpcfg0
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrr a0, tselect
    // The counters are closed.
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrr a0, cycle
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrr a0, time
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrr a0, instret
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrr a0, cycleh
    // Devices are M mode's, whatever PMP says; fetches from them fault for everybody.
    NEXT
    li      a2, CLINT_MTIME
    EXPECT_TRAP_AT CAUSE_LOAD_ACCESS, CLINT_MTIME, lw a0, 0(a2)
    li      a2, UART
    EXPECT_TRAP_AT CAUSE_STORE_ACCESS, UART, sb a0, 0(a2)
    li      a2, MONITORS
    EXPECT_TRAP_AT CAUSE_LOAD_ACCESS, MONITORS, lw a0, 0(a2)
    // Fences are for everybody.
    fence
    fence.i
    // Memory works.
    NEXT
    la      a2, word
    li      a0, 12
    sw      a0, 0(a2)
    amoadd.w a1, a0, (a2)
    lw      a1, 0(a2)
    EXPECT  a1, 24

    CHECK   40
    TO_MACHINE
    // mepc, MPP of the ecall: MPP was user before the handler changed it. MPRV.
    csrr    a0, mstatus
    li      a1, MSTATUS_MPP | MSTATUS_MPRV
    and     a0, a0, a1
    EXPECT  a0, 0
    // The counters opened one by one.
    NEXT
    csrwi   mcounteren, 1
    TO_USER
    csrr    a0, cycle
    csrr    a0, cycleh
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrr a0, time
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrr a0, instreth
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrw cycle, zero
    TO_MACHINE
    csrwi   mcounteren, 6
    TO_USER
    csrr    a0, time
    csrr    a0, instret
    csrr    a0, timeh
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrr a0, cycle
    TO_MACHINE

    // MPRV: loads and stores with the rights of MPP; fetches are not touched.
    CHECK   60
    csrw    pmpcfg0, zero
    la      a2, word
    li      t5, MSTATUS_MPP
    csrc    mstatus, t5
    li      a3, MSTATUS_MPRV
    csrs    mstatus, a3
    li      s10, -1
    la      a3, mprv_handler
    csrr    a4, mtvec
    csrw    mtvec, a3
    lw      a0, 0(a2)
    csrw    mtvec, a4
    EXPECT  s10, CAUSE_LOAD_ACCESS
    EXPECT_SAME s11, a2
    NEXT
    // The handler found MPP = M: M mode was the mode that trapped, and MPRV stayed.
    li      a1, MSTATUS_MPP | MSTATUS_MPRV
    and     s9, s9, a1
    EXPECT_SAME s9, a1
    NEXT
    // With MPP = M it does nothing; devices too.
    li      a3, MSTATUS_MPP | MSTATUS_MPRV
    csrs    mstatus, a3
    lw      a0, 0(a2)
    EXPECT  a0, 24
    NEXT
    // mret to U clears it, mret to M keeps it.
    la      a3, 1f
    csrw    mepc, a3
    mret
1:  csrr    a0, mstatus
    li      a1, MSTATUS_MPP | MSTATUS_MPRV
    and     a0, a0, a1
    EXPECT  a0, MSTATUS_MPRV
    NEXT
    OPEN_MEMORY
    TO_USER
    TO_MACHINE
    csrr    a0, mstatus
    li      a1, MSTATUS_MPRV
    and     a0, a0, a1
    EXPECT  a0, 0

    // Fetch faults of U mode: jump to a device.
    CHECK   70
    la      t6, jump_handler
    csrw    mtvec, t6
    la      a3, 1f
    li      a2, UART
    TO_USER
    li      s10, -1
    jr      a2
1:  la      t6, trap_handler
    csrw    mtvec, t6
    EXPECT  s10, CAUSE_FETCH_ACCESS
    EXPECT  s11, UART
    j       pass

    // Back after the instruction, MPRV off, mstatus in s9.
    .balign 128
mprv_handler:
    csrr    s9, mstatus
    csrr    s10, mcause
    csrr    s11, mtval
    li      t6, MSTATUS_MPRV
    csrc    mstatus, t6
    csrr    t6, mepc
    addi    t6, t6, 4
    csrw    mepc, t6
    mret

    // For a jump into nothing: continues at a3 in M mode.
    .balign 128
jump_handler:
    csrr    s11, mtval
    csrr    s10, mcause
    csrr    s9, mepc
    csrw    mepc, a3
    li      t6, MSTATUS_MPP
    csrs    mstatus, t6
    mret

    .data
    .balign 64
word:
    .word   0
