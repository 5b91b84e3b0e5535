//! A requester in place of a hart, for boards without room for one: it repeats a fixed
//! list of accesses.
//!
//! Two of them pass data to each other as a producer and a consumer would, so that the caches, the bus and the
//! monitors have real work.

use hdl::{
    Bits, Bundle, HwEnum, Module, Sig, bits, cat, hardware, index_width, lit, memory, reg,
    set_when, when,
};
use units::data_port::{AccessOp, AmoOp};
use units::observer::Observers;
use units::soc::{Core, CoreIo, CoreShape, WAIT_REASON_BITS};

/// The first address of RAM; the first code point.
const RAM: u64 = border::map::RAM.base as u64;
/// Bits of a word address in the shared memory.
const PLACE_BITS: usize = 8;
/// Distance between the code points of consecutive requesters.
const PC_STEP: u64 = 0x100;
/// Bits of the pause between two accesses.
const PAUSE_BITS: usize = 4;

/// One access: its operation and word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Operation: load, store, or an atomic add of one.
    pub op: AccessOp,
    /// Word address in the shared memory.
    pub place: u8,
}

/// A requester.
#[derive(Clone, Debug, PartialEq)]
pub struct Talker {
    /// Each requester's accesses; the same number for each.
    pub scripts: Vec<Vec<Step>>,
    /// Number of times each repeats them.
    pub rounds: usize,
    /// Bits of a line.
    pub line_bits: usize,
    /// The observers of the machine it is part of.
    pub observers: Observers,
}

/// Status of a requester.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Talked {
    /// The requester has made all its accesses.
    pub done: Sig,
}

/// Makes one access after the other, with pauses that differ from requester to requester.
#[hardware]
impl Module for Talker {
    type Io = CoreIo<Talked>;

    fn name(&self) -> String {
        format!("talker_{}x{}", self.scripts[0].len(), self.rounds)
    }

    fn build(&self) -> CoreIo<Talked> {
        let io = CoreIo::ports(&CoreShape::new(self.line_bits, &self.observers), self.rvfi());
        let steps = self.scripts[0].len();
        let step_bits = index_width(steps);
        let hart_bits = index_width(self.scripts.len());
        let script = memory(self.scripts.len() << step_bits, 3 + PLACE_BITS).init(self.rows());

        let step = reg(step_bits).reset(0);
        let round = reg(index_width(self.rounds + 1)).reset(0);
        let done = round.eq(self.rounds);
        io.rvfi.done.set(done);
        let row = script.read_async(cat([io.hart.trunc(hart_bits), step]));
        let op = row.bits(PLACE_BITS..);
        let place = row.trunc(PLACE_BITS);

        /// LFSR for the lengths of the pauses.
        let dice = reg(16).reset(0xace1);
        let feedback = dice.bit(0) ^ dice.bit(2) ^ dice.bit(3) ^ dice.bit(5);
        /// Cycles before the next access.
        let pause = reg(PAUSE_BITS).reset(0);
        /// An access is in progress.
        let waits = reg(1).reset(0);
        let request = io.data.request;
        request.valid.set(io.run & !done & !waits & pause.eq(0));
        set_when(pause.ne(0), pause, pause - 1);
        when(io.data.taken, || waits.set(1));
        when(io.data.response_valid, || {
            waits.set(0);
            dice.set(cat([feedback, dice.bits(1..)]));
            // The requesters' numbers keep them apart.
            pause.set(dice.trunc(PAUSE_BITS) ^ cat([io.hart.trunc(2), lit(2, 0)]));
            step.set(step + 1);
            when(step.eq(steps - 1), || {
                step.set(0);
                round.set(round + 1);
            });
        });

        request.payload.address.set(lit(32, RAM) | cat([place, lit(2, 0)]).zext(32));
        request.payload.op.set_from(hdl::Enum::from_sig(op));
        request.payload.amo.set(AmoOp::Add);
        request.payload.mask.set(15);
        request.payload.load.set(2);
        request.payload.data.set(1);
        let code_point = cat([io.hart.trunc(4), step.zext(6), lit(2, 0)]).zext(32);
        request.payload.pc.iter().for_each(|pc| pc.set(lit(32, RAM) | code_point));
        request.payload.machine_mode.iter().for_each(|mode| mode.set(0));
        io.data.cancel.set(0);
        io.data.withdraw.set(0);
        io.fetch.request.valid.set(0);
        io.fetch.request.payload.set(0);
        io.wait.pc.set(0);
        io.wait.reason.set(io.data.waiting.zext(WAIT_REASON_BITS));
        assert_eq!(PC_STEP, 1 << 8, "six bits of a step and two below them");
        io
    }
}

impl Talker {
    fn rows(&self) -> Vec<Bits> {
        let steps = self.scripts[0].len();
        let width = 3 + PLACE_BITS as u32;
        let mut rows = Vec::new();
        for script in &self.scripts {
            assert_eq!(script.len(), steps, "every requester has as many steps");
            let padded = steps.next_power_of_two();
            let coded = script.iter().map(|step| {
                Bits::truncated(
                    width,
                    u128::from(step.op.code() << PLACE_BITS | u64::from(step.place)),
                )
            });
            rows.extend(coded);
            rows.extend((steps..padded).map(|_| Bits::zero(width)));
        }
        rows
    }
}

impl Core for Talker {
    type Rvfi = Talked;

    fn rvfi(&self) -> Talked {
        Talked { done: bits(1) }
    }
}
