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
    /// The operation: load (0), store (1), LR (2), SC (3), AMO (4).
    pub op: Enum<AccessOp>,
    /// What an AMO computes: swap (0), add (1), xor (2), and (3), or (4), signed min (5), max (6),
    /// unsigned min (7), max (8). Not used by other operations.
    pub amo: Enum<AmoOp>,
    /// The bytes of the aligned word that are accessed, a bit each.
    pub mask: Sig,
    /// The size of a load and its extension, as `funct3` of the instruction: LB (0), LH (1), LW
    /// (2), LBU (4), LHU (5).
    pub load: Sig,
    /// The data that a store or SC writes, each byte in its lane of the aligned word; the operand
    /// of an AMO.
    pub data: Sig,
    /// The pc of the instruction.
    pub pc: Option<Sig>,
    /// The instruction runs in M mode (1) or U mode (0); MPRV does not change it.
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
    /// The next access, offered in the cycle in which the hart computes its address. The payload
    /// may change until it is taken. `request_ready` depends on the operation and the low bits of
    /// the address. A request taken in the cycle in which an earlier access turns out to wait is
    /// dropped.
    pub request: Stream<DataRequest>,
    /// The request is taken in this cycle, and is not dropped. Known late in the cycle.
    pub taken: Sig,
    /// The request taken in the cycle before is cancelled: it has no effect at all. Comes from a
    /// register.
    pub cancel: Sig,
    /// Withdraws the waiting access if `withdrawable` is 1; else it has no effect. May be 1 in any
    /// cycle.
    pub withdraw: Sig,
    /// An access waits, and is not ordered by the end of this cycle: `withdraw` drops it. Does not
    /// depend on `withdraw`.
    pub withdrawable: Sig,
    /// An access completes in this cycle: in its first one, or with `late_valid`. Known late in the
    /// cycle.
    pub response_valid: Sig,
    /// The aligned word read by the load that was taken in the previous cycle; valid if that load
    /// completes in this cycle.
    pub response_data: Sig,
    /// The value of the load that was taken in the previous cycle: its bytes of `response_data`,
    /// extended to a word. Valid with `response_data`.
    pub response_value: Sig,
    /// An access waits: it was taken two or more cycles before and is not complete. Comes from a
    /// register.
    pub late: Sig,
    /// The waiting access completes in this cycle.
    pub late_valid: Sig,
    /// The aligned word that the waiting access read, if it is a load, LR or AMO; valid with
    /// `late_valid`.
    pub late_data: Sig,
    /// The aligned word that the waiting access wrote, if it is an AMO; valid with `late_valid`.
    pub late_written: Sig,
    /// The waiting access is an SC that failed and wrote nothing; valid with `late_valid`.
    pub late_failed: Sig,
    /// What the waiting access waits for: nothing (0), the bus (1), a device (2), room in the
    /// communication table (3), or the perturbation holds it (4).
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
