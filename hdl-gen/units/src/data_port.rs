//! The port between a hart and its data cache.
//!
//! The hart offers an access while it computes the address. A load or store that hits is complete in the
//! next cycle, and the hart need not look: it goes on as if every access were. In the cycle after that `late` tells, from a
//! register, that the access waits; a request that was taken behind it is dropped, and none is taken until the
//! access is complete, with `late_valid`, or the hart withdraws it. An access that is *ordered*
//! (docs/machine.md §3) can no longer be withdrawn.

use hdl::{Bundle, Enum, HwEnum, Sig, Stream, bits, cat, hardware, input, output, select};

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
    /// The size of a load and whether it has a sign: `funct3` of its instruction.
    pub load: Sig,
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
            load: bits(3),
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
    /// the end of that cycle. The payload may change until it is taken. `ready` depends on the operation and
    /// the low bits of the address. What is taken while an access is looked up that then waits is dropped.
    pub request: Stream<DataRequest>,
    /// The request is taken, and will not be dropped. Known late in the cycle.
    pub taken: Sig,
    /// The request that was taken in the cycle before was a mistake: it does nothing at all. Comes from a register.
    pub cancel: Sig,
    /// Withdraws the access that was taken earlier, if `withdrawable` is 1. May be 1 in any cycle, also
    /// without an access.
    pub withdraw: Sig,
    /// An access waits that was not ordered before this cycle and is not in it: `withdraw` drops it.
    /// Does not depend on `withdraw`.
    pub withdrawable: Sig,
    /// An access completes in this cycle: in its first one, or with `late_valid`. Known late in the cycle.
    pub response_valid: Sig,
    /// The aligned word at the address of the request that was taken in the cycle before; valid if that is a load
    /// and completes in this cycle.
    pub response_data: Sig,
    /// What the load makes of that word; valid with it.
    pub response_value: Sig,
    /// The access waits: it was taken two or more cycles before and is not complete. From a register.
    pub late: Sig,
    /// The access that waits completes in this cycle.
    pub late_valid: Sig,
    /// The aligned word that it read if it is a load, LR or Amo; valid with `late_valid`.
    pub late_data: Sig,
    /// The aligned word that it wrote if it is an Amo; valid with `late_valid`.
    pub late_written: Sig,
    /// It is a StoreConditional that wrote nothing; valid with `late_valid`.
    pub late_failed: Sig,
    /// What the access that waits does so for: 0 nothing, 1 the bus, 2 a device, 3 room in the table, 4 it is held
    /// back.
    pub waiting: Sig,
}

impl DataPort {
    /// The port as the cache has it, or a module around the cache; the hart has it flipped.
    #[track_caller]
    pub(crate) fn answering(origin: bool) -> DataPort {
        DataPort {
            request: Stream::input(DataRequest::shape(origin)),
            taken: output(1),
            cancel: input(1),
            withdraw: input(1),
            withdrawable: output(1),
            response_valid: output(1),
            response_data: output(32),
            response_value: output(32),
            late: output(1),
            late_valid: output(1),
            late_data: output(32),
            late_written: output(32),
            late_failed: output(1),
            waiting: output(3),
        }
    }
}

/// The size of a data access: the low two bits of `funct3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum Size {
    /// One byte.
    Byte,
    /// Two bytes.
    Half,
    /// Four bytes.
    Word,
    /// No instruction has this size.
    Reserved,
}

/// The value that a load makes of an aligned word: its lane is where the address begins in it, and `funct3` tells its
/// size and whether it has a sign. The access is aligned. The sign is found beside the bytes that it fills, not behind them.
#[hardware]
pub(crate) fn load_value(word: Sig, lane: Sig, funct3: Sig) -> Sig {
    let size = Enum::<Size>::from_sig(funct3.trunc(2));
    let (is_byte, is_half) = (size.is(Size::Byte), size.is(Size::Half));
    let has_sign = !funct3.bit(2);
    let bytes: Vec<Sig> = (0..4).map(|place| word.bits(8 * place..8 * place + 8)).collect();
    let high = lane.bit(1);
    let first = select(lane, &bytes);
    let second = high.mux(bytes[3], bytes[1]);
    let signs = bytes.iter().enumerate().map(|(place, byte)| {
        let ends_half = is_half & high.eq(place / 2);
        let ends = is_byte & lane.eq(place);
        let ends = if place % 2 == 1 { ends | ends_half } else { ends };
        byte.bit(7) & ends & has_sign
    });
    let sign = cat(signs).any();
    let upper = word.bits(16..) & (!is_byte & !is_half).repeat(16) | sign.repeat(16);
    cat([upper, is_byte.mux(sign.repeat(8), second), first])
}
