//! Harts that trap for ever: at the first instruction of their own trap handler.

use border::Doing;
use border::interrupt::{Cause, Exception};
use golden::Mode;
use golden::isa::Retired;

/// A trap whose handler is the instruction that trapped.
#[derive(Clone, Copy, Debug)]
struct Trap {
    pc: u32,
    cause: u32,
    instruction: u32,
    /// How often in a row. One may be the end of something else; two are a loop: nothing changes from one to
    /// the next but what the first has changed already.
    times: u32,
}

/// What each hart's last instructions were, as far as they trapped.
#[derive(Clone, Debug)]
pub(super) struct Traps {
    harts: Vec<Option<Trap>>,
}

impl Traps {
    pub fn new(harts: usize) -> Self {
        Self { harts: vec![None; harts] }
    }

    /// Forgets all it has seen.
    pub fn clear(&mut self) {
        self.harts.fill(None);
    }

    /// A hart ended an instruction.
    pub fn ended(&mut self, hart: usize, record: &Retired) {
        let is_loop =
            record.trap && record.pc_wdata == record.pc_rdata && record.mode == Mode::Machine;
        let times = match self.harts[hart] {
            Some(Trap { pc, cause, times, .. })
                if (pc, cause) == (record.pc_rdata, record.cause) =>
            {
                times.saturating_add(1)
            }
            _ => 1,
        };
        self.harts[hart] = is_loop.then(|| Trap {
            pc: record.pc_rdata,
            cause: record.cause,
            instruction: record.insn,
            times,
        });
    }

    /// Where a hart traps for ever, and why, if it does.
    pub fn of(&self, hart: usize) -> Option<(u32, Doing)> {
        let trap = self.harts[hart].filter(|trap| trap.times > 1)?;
        let cause = Cause::of_mcause(trap.cause);
        // The exports do not have `mtval`; of these causes it is known.
        let value = match cause {
            Cause::Exception(Exception::FetchAccess | Exception::Breakpoint) => Some(trap.pc),
            Cause::Exception(Exception::IllegalInstruction) => Some(trap.instruction),
            _ => None,
        };
        Some((trap.pc, Doing::Trapping { cause, value }))
    }
}
