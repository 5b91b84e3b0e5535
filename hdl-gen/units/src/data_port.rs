//! What passes between a hart and its data cache: the border of the two.
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
    /// The byte address.
    pub address: Sig,
    /// What it does.
    pub op: Enum<AccessOp>,
    /// For an Amo: what it computes.
    pub amo: Enum<AmoOp>,
    /// Bytes written, in the lanes of the aligned word; of a load, the bytes read.
    pub mask: Sig,
    /// What a store writes, in the lanes of the aligned word; an Amo's operand.
    pub data: Sig,
    /// The pc of the instruction. Only where an observer of coherence needs it.
    pub pc: Option<Sig>,
    /// The instruction is executed in M mode; else in U mode. MPRV does not count. Only where an
    /// observer of coherence needs it.
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
    /// Gives up the access that was taken earlier; in force only while `withdrawable`. May be 1 in any
    /// cycle, also when there is no access.
    pub withdraw: Sig,
    /// There is an access, and it is not ordered before or in this cycle: `withdraw` drops it now.
    /// Does not depend on `withdraw`.
    pub withdrawable: Sig,
    /// The access is complete; valid for one cycle. A new request may be taken in the same cycle.
    pub response_valid: Sig,
    /// The aligned word that was read: of a load, LR or Amo. 0 else.
    pub response_data: Sig,
    /// The aligned word as an Amo wrote it; 0 else.
    pub response_written: Sig,
    /// A StoreConditional that wrote nothing.
    pub response_failed: Sig,
    /// The access waits for the bus (1), a device (2) or room in the table (3); 0 else.
    pub waiting: Sig,
}

impl DataPort {
    /// The port of whoever answers: the cache, or what it is part of.
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

    /// The port of whoever asks: the hart, or what it is part of.
    #[track_caller]
    pub(crate) fn asking(origin: bool) -> DataPort {
        DataPort {
            request: Stream::output(DataRequest::shape(origin)),
            withdraw: output(1),
            withdrawable: input(1),
            response_valid: input(1),
            response_data: input(32),
            response_written: input(32),
            response_failed: input(1),
            waiting: input(2),
        }
    }

    /// Joins whoever answers with whoever asks: two instances, or one and the port it stands behind.
    #[track_caller]
    pub fn join(answering: &DataPort, asking: &DataPort) {
        answering.request.connect(&asking.request);
        answering.withdraw.set(asking.withdraw);
        asking.withdrawable.set(answering.withdrawable);
        asking.response_valid.set(answering.response_valid);
        asking.response_data.set(answering.response_data);
        asking.response_written.set(answering.response_written);
        asking.response_failed.set(answering.response_failed);
        asking.waiting.set(answering.waiting);
    }
}
