// Physical memory protection: the four ways to match, rights of each kind, priority, locks, both modes.
#include "suite.h"

    PROGRAM

#define R 1
#define W 2
#define X 4
#define TOR 0x08
#define NA4 0x10
#define NAPOT 0x18
#define LOCK 0x80

// pmpaddr of entry n from an address; NAPOT with a size.
.macro ADDRESS entry, symbol, offset=0
    la      t6, \symbol
    addi    t6, t6, \offset
    srli    t6, t6, 2
    csrw    pmpaddr\entry, t6
.endm

.macro REGION entry, symbol, size
    la      t6, \symbol
    srli    t6, t6, 2
    addi    t6, t6, \size/8-1
    csrw    pmpaddr\entry, t6
.endm

// The four configurations at once; entry 3 lets U mode have all that the others leave.
.macro ENTRIES zero_, one, two, three
    li      t6, ((\three) << 24) | ((\two) << 16) | ((\one) << 8) | (\zero_)
    csrw    pmpcfg0, t6
.endm

.macro EVERYTHING entry
    li      t6, -1
    csrw    pmpaddr\entry, t6
.endm

// What U mode may do with the word at `data + offset`.
.macro USER_MAY_READ offset
    NEXT
    lw      a0, \offset(a2)
.endm

.macro USER_MAY_WRITE offset
    NEXT
    sw      a0, \offset(a2)
.endm

.macro USER_MAY_NOT_READ offset
    EXPECT_TRAP CAUSE_LOAD_ACCESS, lw a0, \offset(a2)
    addi    t5, a2, \offset
    EXPECT_SAME s11, t5
.endm

.macro USER_MAY_NOT_WRITE offset
    EXPECT_TRAP CAUSE_STORE_ACCESS, sw a0, \offset(a2)
    addi    t5, a2, \offset
    EXPECT_SAME s11, t5
.endm

main:
    la      a2, data
    // Which bits exist; a reserved combination leaves R, W and X.
    CHECK   1
    li      a0, -1
    csrw    pmpaddr1, a0
    csrr    a1, pmpaddr1
    EXPECT_SAME a0, a1
    NEXT
    li      a0, 0x60
    csrw    pmpcfg0, a0
    csrr    a0, pmpcfg0
    EXPECT  a0, 0
    li      a0, NAPOT | R | X
    csrw    pmpcfg0, a0
    li      a0, NA4 | W
    csrw    pmpcfg0, a0
    csrr    a0, pmpcfg0
    EXPECT  a0, NA4 | R | X
    csrw    pmpcfg0, zero

    // Nothing matches: U mode may not even fetch.
    NEXT
    la      t6, fetch_handler
    csrw    mtvec, t6
    la      a3, 1f
    TO_USER
    j       fail
1:  la      t6, trap_handler
    csrw    mtvec, t6
    EXPECT  s10, CAUSE_FETCH_ACCESS
    EXPECT_SAME s9, s11

    // NA4 in the middle of a region that is open: just those four bytes.
    CHECK   10
    EVERYTHING 3
    ADDRESS 0, data, 8
    ENTRIES NA4, 0, 0, NAPOT|R|W|X
    TO_USER
    USER_MAY_READ 4
    USER_MAY_NOT_READ 8
    USER_MAY_NOT_WRITE 8
    EXPECT_TRAP CAUSE_LOAD_ACCESS, lbu a0, 11(a2)
    EXPECT_TRAP CAUSE_LOAD_ACCESS, lh a0, 10(a2)
    addi    a4, a2, 8
    EXPECT_TRAP CAUSE_LOAD_ACCESS, lr.w a0, (a4)
    EXPECT_TRAP CAUSE_STORE_ACCESS, sc.w a0, a0, (a4)
    EXPECT_TRAP CAUSE_STORE_ACCESS, amoadd.w a0, a0, (a4)
    USER_MAY_READ 12
    USER_MAY_WRITE 12
    TO_MACHINE
    // M mode is not bound.
    NEXT
    lw      a0, 8(a2)
    sw      a0, 8(a2)

    // Read only: an atomic needs both rights.
    CHECK   30
    ENTRIES NA4|R, 0, 0, NAPOT|R|W|X
    TO_USER
    USER_MAY_READ 8
    USER_MAY_NOT_WRITE 8
    addi    a4, a2, 8
    lr.w    a0, (a4)
    EXPECT_TRAP CAUSE_STORE_ACCESS, sc.w a0, a0, (a4)
    EXPECT_TRAP CAUSE_STORE_ACCESS, amoadd.w a0, a0, (a4)
    TO_MACHINE

    // NAPOT of 64 bytes.
    CHECK   40
    REGION  0, data, 64
    ENTRIES NAPOT|R, 0, 0, NAPOT|R|W|X
    TO_USER
    USER_MAY_NOT_WRITE 0
    USER_MAY_NOT_WRITE 60
    USER_MAY_READ 60
    USER_MAY_WRITE 64
    USER_MAY_WRITE -4
    TO_MACHINE

    // TOR: from the address before up to its own, not included; entry 0 starts at 0.
    CHECK   50
    ADDRESS 0, data, 16
    ADDRESS 1, data, 32
    ENTRIES 0, TOR|R, 0, NAPOT|R|W|X
    TO_USER
    USER_MAY_WRITE 12
    USER_MAY_NOT_WRITE 16
    USER_MAY_READ 16
    USER_MAY_NOT_WRITE 28
    USER_MAY_WRITE 32
    TO_MACHINE
    NEXT
    ENTRIES TOR|R|X, 0, 0, NAPOT|R|W|X
    TO_USER
    USER_MAY_NOT_WRITE 12
    USER_MAY_WRITE 16
    TO_MACHINE
    // An empty range matches nothing.
    NEXT
    ADDRESS 0, data, 32
    ADDRESS 1, data, 16
    ENTRIES 0, TOR, 0, NAPOT|R|W|X
    TO_USER
    USER_MAY_WRITE 16
    USER_MAY_WRITE 24
    TO_MACHINE

    // The lowest entry decides.
    CHECK   70
    REGION  0, data, 64
    REGION  1, data, 64
    ENTRIES NAPOT|R|W|X, NAPOT, 0, NAPOT|R|W|X
    TO_USER
    USER_MAY_WRITE 0
    TO_MACHINE
    NEXT
    ENTRIES NAPOT, NAPOT|R|W|X, 0, NAPOT|R|W|X
    TO_USER
    USER_MAY_NOT_READ 0
    TO_MACHINE

    // Execution: the routine may be read but not run.
    CHECK   80
    REGION  0, routine, 64
    ENTRIES NAPOT|R, 0, 0, NAPOT|R|W|X
    la      t6, fetch_handler
    csrw    mtvec, t6
    la      a3, 1f
    la      a4, routine
    TO_USER
    lw      a0, 0(a4)
    jalr    a4
    j       fail
1:  la      t6, trap_handler
    csrw    mtvec, t6
    EXPECT  s10, CAUSE_FETCH_ACCESS
    EXPECT_SAME s9, a4
    NEXT
    // It may be run but not read.
    ENTRIES NAPOT|X, 0, 0, NAPOT|R|W|X
    TO_USER
    jalr    a4
    EXPECT_TRAP CAUSE_LOAD_ACCESS, lw a0, 0(a4)
    TO_MACHINE

    // Locks bind M mode too, and hold until reset.
    CHECK   90
    REGION  0, data, 64
    ENTRIES NAPOT|R|LOCK, 0, 0, NAPOT|R|W|X
    USER_MAY_READ 0
    USER_MAY_NOT_WRITE 0
    csrr    a0, pmpaddr0
    csrw    pmpaddr0, zero
    csrr    a1, pmpaddr0
    EXPECT_SAME a0, a1
    NEXT
    ENTRIES NAPOT|R|W|X, 0, 0, NAPOT|R|W|X
    csrr    a0, pmpcfg0
    andi    a0, a0, 0xff
    EXPECT  a0, NAPOT | R | LOCK
    USER_MAY_NOT_WRITE 0
    NEXT
    // A locked TOR entry also protects the address before it.
    ADDRESS 1, data, 128
    ADDRESS 2, data, 192
    ENTRIES 0, 0, TOR|R|LOCK, NAPOT|R|W|X
    csrr    a0, pmpaddr1
    csrw    pmpaddr1, zero
    csrr    a1, pmpaddr1
    EXPECT_SAME a0, a1
    USER_MAY_WRITE 124
    USER_MAY_NOT_WRITE 128
    USER_MAY_NOT_WRITE 188
    USER_MAY_WRITE 192
    // Its own configuration stays, entry 1's can be written.
    NEXT
    ENTRIES 0, TOR|R|W, 0, NAPOT|R|W|X
    csrr    a0, pmpcfg0
    EXPECT  a0, ((NAPOT|R|W|X) << 24) | ((TOR|R|LOCK) << 16) | ((TOR|R|W) << 8) | NAPOT | R | LOCK
    j       pass

    // For a fetch that faults: continues at a3 in M mode.
    .balign 128
fetch_handler:
    csrr    s11, mtval
    csrr    s10, mcause
    csrr    s9, mepc
    csrw    mepc, a3
    li      t6, MSTATUS_MPP
    csrs    mstatus, t6
    mret

    .balign 64
routine:
    ret
    .balign 64

    .data
    .balign 4096
    .skip   64
    .balign 1024
data:
    .fill   256, 1, 0
