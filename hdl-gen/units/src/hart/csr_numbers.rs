//! The numbers of the CSRs.

use std::ops::RangeInclusive;

pub const MSTATUS: u64 = 0x300;
pub const MISA: u64 = 0x301;
pub const MIE: u64 = 0x304;
pub const MTVEC: u64 = 0x305;
pub const MCOUNTEREN: u64 = 0x306;
pub const MCOUNTINHIBIT: u64 = 0x320;
pub const MSCRATCH: u64 = 0x340;
pub const MEPC: u64 = 0x341;
pub const MCAUSE: u64 = 0x342;
pub const MTVAL: u64 = 0x343;
pub const MIP: u64 = 0x344;
pub const PMPCFG0: u64 = 0x3a0;
/// The first of as many as there are entries.
pub const PMPADDR0: u64 = 0x3b0;
pub const MCYCLE: u64 = 0xb00;
pub const MINSTRET: u64 = 0xb02;
pub const MCYCLEH: u64 = 0xb80;
pub const MINSTRETH: u64 = 0xb82;
pub const CYCLE: u64 = 0xc00;
pub const TIME: u64 = 0xc01;
pub const INSTRET: u64 = 0xc02;
pub const CYCLEH: u64 = 0xc80;
pub const TIMEH: u64 = 0xc81;
pub const INSTRETH: u64 = 0xc82;
pub const MHARTID: u64 = 0xf14;

/// CSRs that exist, read as zero and ignore writes.
pub const ZERO: &[RangeInclusive<u64>] = &[
    0x30a..=0x30a, // menvcfg
    0x310..=0x310, // mstatush
    0x31a..=0x31a, // menvcfgh
    0x323..=0x33f, // mhpmevent3-31
    0x3a1..=0x3a3, // pmpcfg1-3
    0x3b4..=0x3bf, // pmpaddr4-15
    0x7a0..=0x7a3, // tselect, tdata1-3
    0xb03..=0xb1f, // mhpmcounter3-31
    0xb83..=0xb9f, // mhpmcounter3h-31h
    0xf11..=0xf13, // mvendorid, marchid, mimpid
    0xf15..=0xf15, // mconfigptr
];

/// Whether a CSR is one that a unit beside the hart may have: one that the RISC-V manual leaves to implementations, for
/// M mode, or one of the counters of events.
pub fn is_for_units(number: u64) -> bool {
    let custom = matches!(number, 0x7c0..=0x7ff | 0xbc0..=0xbff | 0xfc0..=0xfff);
    let of_events = matches!(number, 0x323..=0x33f | 0xb03..=0xb1f | 0xb83..=0xb9f);
    custom | of_events
}
