//! The port between a hart and its data cache.
//!
//! The hart offers an access while it computes the address and holds its place while the cache works.
//! From the cycle after the request was taken the cache answers once, with `response_valid`, unless the
//! hart withdraws first. An access that is *ordered* (docs/machine.md §3) can no longer be withdrawn.

use hdl::{Bundle, Enum, HwEnum, Sig, Stream, bits, input, output};

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum AccessOp {
    /// Reads.
    Load,
    /// Writes.
    Store,
    /// Reads, and reserves the line.
    LoadReserved,
    /// Writes if the reservation still holds.
    StoreConditional,
    /// Reads, computes and writes in one.
    Amo,
}

/// What an atomic operation computes from the word in memory and the operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum AmoOp {
    /// The operand.
    Swap,
    /// The sum.
    Add,
    /// Exclusive or.
    Xor,
    /// And.
    And,
    /// Or.
    Or,
    /// The smaller, signed.
    Min,
    /// The larger, signed.
    Max,
    /// The smaller, unsigned.
    MinUnsigned,
    /// The larger, unsigned.
    MaxUnsigned,
}

/// One data access, aligned and allowed: the hart has checked both.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct DataRequest {
    /// The byte address, aligned to the size of the access.
    pub address: Sig,
    /// The operation.
    pub op: Enum<AccessOp>,
    /// What an Amo computes; not used by other operations.
    pub amo: Enum<AmoOp>,
    /// The bytes written, or read by a load: a bit for each byte of the aligned word.
    pub mask: Sig,
    /// The data that a store writes, each byte in its lane of the aligned word; the operand of an Amo.
    pub data: Sig,
    /// The pc of the instruction. Only where an observer of coherence needs it.
    pub pc: Option<Sig>,
    /// The instruction runs in M mode; else in U mode. MPRV does not change it. Only where an observer
    /// of coherence needs it.
    pub machine_mode: Option<Sig>,
}

impl DataRequest {
    /// Its shape, with or without the origin: pc and mode of the instruction.
    pub fn shape(origin: bool) -> DataRequest {
        DataRequest {
            address: bits(32),
            op: AccessOp::shape(),
            amo: AmoOp::shape(),
            mask: bits(4),
            data: bits(32),
            pc: origin.then(|| bits(32)),
            machine_mode: origin.then(|| bits(1)),
        }
    }
}

/// The data port, as the cache has it.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct DataPort {
    /// The next access. Taken in the cycle in which the hart computes the address; the array is read at
    /// the end of that cycle. The payload may change until it is taken.
    pub request: Stream<DataRequest>,
    /// Withdraws the access that was taken earlier, if `withdrawable` is 1. May be 1 in any cycle, also
    /// without an access.
    pub withdraw: Sig,
    /// There is an access that was not ordered before this cycle and is not in it: `withdraw` drops it.
    /// Does not depend on `withdraw`.
    pub withdrawable: Sig,
    /// The access completes in this cycle. A new request may be taken in the same cycle.
    pub response_valid: Sig,
    /// The aligned word that a load, LR or Amo read, 0 for other operations; valid with `response_valid`.
    pub response_data: Sig,
    /// The aligned word that an Amo wrote, 0 for other operations; valid with `response_valid`.
    pub response_written: Sig,
    /// The access is a StoreConditional that wrote nothing; valid with `response_valid`.
    pub response_failed: Sig,
    /// What the access waits for in this cycle: 0 nothing, 1 the bus, 2 a device, 3 room in the table.
    pub waiting: Sig,
}

impl DataPort {
    /// The port as the cache has it, or a module around the cache; the hart has it flipped.
    #[track_caller]
    pub(crate) fn answering(origin: bool) -> DataPort {
        DataPort {
            request: Stream::input(DataRequest::shape(origin)),
            withdraw: input(1),
            withdrawable: output(1),
            response_valid: output(1),
            response_data: output(32),
            response_written: output(32),
            response_failed: output(1),
            waiting: output(2),
        }
    }
}
