// Control and status registers: reset values, which bits exist, the six instructions, what is illegal.
#include "suite.h"

    PROGRAM

// All ones and all zeros are written; these bits stay.
.macro BITS csr, ones, zeros=0
    NEXT
    li      a1, -1
    csrw    \csr, a1
    csrr    a0, \csr
    EXPECT  a0, \ones
    csrw    \csr, zero
    csrr    a0, \csr
    EXPECT  a0, \zeros
.endm

.macro READS csr, value
    NEXT
    csrr    a0, \csr
    EXPECT  a0, \value
.endm

main:
    // As reset leaves them; `PROGRAM` has set mtvec only.
    CHECK   1
    READS   mstatus, 0
    READS   mstatush, 0
    READS   misa, 0x40101101
    READS   mie, 0
    READS   mip, 0
    READS   mscratch, 0
    READS   mepc, 0
    READS   mcause, 0
    READS   mtval, 0
    READS   mcounteren, 0
    READS   mcountinhibit, 0
    READS   mvendorid, 0
    READS   marchid, 0
    READS   mimpid, 0
    READS   mhartid, 0
    READS   mconfigptr, 0
    READS   pmpcfg0, 0
    READS   pmpaddr0, 0
    READS   pmpaddr3, 0

    // Bits that exist.
    CHECK   30
    BITS    mscratch, -1
    BITS    mepc, 0xfffffffc
    BITS    mcause, 0x8000003f
    BITS    mtval, -1
    // Bit 16, the table's, is there only with a monitor.
    NEXT
    li      a1, -1
    csrw    mie, a1
    csrr    a0, mie
    li      a1, ~(1 << 16)
    and     a0, a0, a1
    EXPECT  a0, 0x00000088
    csrw    mie, zero
    READS   mie, 0
    BITS    mcounteren, 7
    BITS    mcountinhibit, 5
    BITS    menvcfg, 0
    BITS    menvcfgh, 0
    BITS    misa, 0x40101101, 0x40101101
    BITS    mstatush, 0
    BITS    mip, 0
    BITS    mhpmcounter3, 0
    BITS    mhpmcounter31, 0
    BITS    mhpmcounter3h, 0
    BITS    mhpmevent3, 0
    BITS    mhpmevent31, 0
    BITS    pmpcfg1, 0
    BITS    pmpcfg3, 0
    BITS    pmpaddr4, 0
    BITS    pmpaddr15, 0
    BITS    tselect, 0
    BITS    tdata1, 0
    BITS    tdata2, 0
    BITS    tdata3, 0
    // mtvec: mode 0 or 1. Nothing traps meanwhile.
    NEXT
    csrr    a3, mtvec
    li      a1, -1
    csrw    mtvec, a1
    csrr    a0, mtvec
    csrw    mtvec, a3
    EXPECT  a0, 0xfffffffd
    // mstatus: MIE stays off, or the timer could come; MPP takes 00 and 11 only.
    NEXT
    li      a1, ~MSTATUS_MIE
    csrw    mstatus, a1
    csrr    a0, mstatus
    EXPECT  a0, MSTATUS_MPIE | MSTATUS_MPP | MSTATUS_MPRV
    li      a1, 0x0800
    csrw    mstatus, a1
    csrr    a0, mstatus
    EXPECT  a0, MSTATUS_MPP
    li      a1, 0x1000
    csrw    mstatus, a1
    csrr    a0, mstatus
    EXPECT  a0, MSTATUS_MPP
    csrw    mstatus, zero
    li      a1, 0x1000
    csrw    mstatus, a1
    csrr    a0, mstatus
    EXPECT  a0, 0

    // The six instructions.
    CHECK   70
    li      a1, 0x0f0f0f0f
    csrw    mscratch, a1
    li      a2, 0x00ff00ff
    csrrw   a0, mscratch, a2
    EXPECT  a0, 0x0f0f0f0f
    NEXT
    li      a3, 0xff000000
    csrrs   a0, mscratch, a3
    EXPECT  a0, 0x00ff00ff
    csrr    a0, mscratch
    EXPECT  a0, 0xffff00ff
    NEXT
    li      a3, 0x0f0f0f0f
    csrrc   a0, mscratch, a3
    csrr    a0, mscratch
    EXPECT  a0, 0xf0f000f0
    NEXT
    csrrwi  a0, mscratch, 31
    EXPECT  a0, 0xf0f000f0
    csrrsi  a0, mscratch, 0
    EXPECT  a0, 31
    csrrci  a0, mscratch, 5
    EXPECT  a0, 31
    csrrsi  a0, mscratch, 1
    EXPECT  a0, 26
    csrr    a0, mscratch
    EXPECT  a0, 27
    NEXT
    // The register that is read is also written.
    li      a0, 77
    csrrw   a0, mscratch, a0
    EXPECT  a0, 27
    csrr    a0, mscratch
    EXPECT  a0, 77
    NEXT
    // To x0.
    li      a1, 78
    csrrw   zero, mscratch, a1
    EXPECT  zero, 0
    csrr    a0, mscratch
    EXPECT  a0, 78

    // Read-only ones may be read by instructions that do not write.
    CHECK   90
    csrrs   a0, mhartid, zero
    csrrc   a0, mhartid, zero
    csrrsi  a0, mhartid, 0
    csrrci  a0, mhartid, 0
    li      a1, 0
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrrw zero, mhartid, zero
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrrwi zero, mhartid, 0
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrrs zero, mhartid, a1
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrrci zero, mvendorid, 1
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrrw a0, cycle, zero
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrrw a0, instreth, zero
    // What does not exist.
    li      a0, 33
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrr a0, 0x100
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrr a0, 0x180
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrr a0, 0x302
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrr a0, 0x303
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrr a0, 0x307
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrr a0, 0x3a4
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrr a0, 0x3c0
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrr a0, 0x7a4
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrr a0, 0x7b0
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrr a0, 0xb01
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrr a0, 0xc03
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrr a0, 0xf10
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrr a0, 0xf16
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrr a0, 0x001
    EXPECT_TRAP CAUSE_ILLEGAL_INSTRUCTION, csrw 0x7c0, a0
    EXPECT  a0, 33
    j       pass
