//! What happens in each cycle: made beforehand, once, and the same for every side.

use border::map::RAM;
use border::monitor::{EDGE_WORDS, Word};
use golden::{
    Access, AccessKind, CodePoint, Ctx, Fields, HartId, LineMeta, Mode, MonitorInputs, Pc,
    RegisterAccess, Snoop, Time,
};

/// Cycles in a round. Every round begins with a reset, so that all rounds show the same.
pub const CYCLES: usize = 4096;

/// One cycle.
#[derive(Clone, Copy, Debug)]
pub struct Cycle {
    pub reset: bool,
    pub inputs: MonitorInputs,
}

/// The program's text; a third of the accesses are from outside.
const TEXT: (u32, u32) = (RAM.base, RAM.base + 0x3000);
const PCS: u64 = 0x4800;

/// A round: reset, the registers that say what is monitored, then traffic. Every second cycle has an
/// access, most of which communicate, every fourth a snoop; a trap handler drains the table now and
/// then, so that it is at all levels.
pub fn round(fields: Fields) -> Vec<Cycle> {
    let mut noise = Noise(0x9e37_79b9_7f4a_7c15);
    let write = |word: Word, data| Some(RegisterAccess::Write { word: word.into(), data });
    let mut program =
        [write(Word::RangeLow, TEXT.0), write(Word::RangeHigh, TEXT.1), write(Word::Control, 7)]
            .into_iter();
    (0..CYCLES)
        .map(|number| {
            if number == 0 {
                return Cycle { reset: true, inputs: MonitorInputs::default() };
            }
            if let Some(register) = program.next() {
                let inputs = MonitorInputs { register, ..MonitorInputs::default() };
                return Cycle { reset: false, inputs };
            }
            let draining = number / 512 % 2 == 1;
            // The words of an entry in turn; the last removes it.
            let word = Word::ALL[(number % 8).min(EDGE_WORDS as usize - 1)].into();
            let register = draining.then_some(RegisterAccess::Read { word });
            let inputs = MonitorInputs { register, ..traffic(&mut noise, fields, number) };
            Cycle { reset: false, inputs }
        })
        .collect()
}

fn traffic(noise: &mut Noise, fields: Fields, number: usize) -> MonitorInputs {
    let dice = noise.next();
    let kind = AccessKind::ALL[(dice >> 8) as usize % 3];
    let communicating = dice & 3 != 0;
    let meta = LineMeta {
        pc: CodePoint(u64::from(TEXT.0) + noise.next() % PCS),
        ctx: Ctx(noise.next() as u32),
        hart: HartId(noise.next() as u32),
        time: Time(noise.next()),
    };
    let snoop = match dice >> 16 & 7 {
        0 => Some(Snoop::Read),
        1 => Some(Snoop::Write),
        _ => None,
    };
    let access = Access {
        valid: snoop.is_none() && dice >> 20 & 3 < 2,
        kind,
        pc: Pc(u64::from(TEXT.0) + noise.next() % PCS),
        mode: if dice >> 24 & 7 == 0 { Mode::Machine } else { Mode::User },
        communicating,
        from_memory: !communicating && kind == AccessKind::Read,
        meta: fields.keep(meta),
        time: Time(number as u64),
    };
    MonitorInputs { access, snoop, register: None }
}

/// xorshift64: any bits will do, but the same ones every time.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}
