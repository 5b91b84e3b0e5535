//! Detects trap loops: harts that trap at the first instruction of their own trap handler.

use border::Doing;
use border::interrupt::{Cause, Exception};
use golden::Mode;
use golden::isa::Retired;

/// A trap at the first instruction of the trap handler.
#[derive(Clone, Copy, Debug)]
struct Trap {
    pc: u32,
    cause: Cause,
    instruction: u32,
    /// Consecutive traps. One may have another cause; two are a loop: the second changes no state that the
    /// first has not already changed.
    times: u32,
}

/// Each hart's last instruction, if it trapped at its handler.
#[derive(Clone, Debug)]
pub(super) struct Traps {
    harts: Vec<Option<Trap>>,
}

impl Traps {
    pub fn new(harts: usize) -> Self {
        Self { harts: vec![None; harts] }
    }

    /// Resets all harts.
    pub fn clear(&mut self) {
        self.harts.fill(None);
    }

    /// Records a retired instruction.
    pub fn ended(&mut self, hart: usize, record: &Retired) {
        let is_loop = record.pc_wdata == record.pc_rdata && record.mode == Mode::Machine;
        let cause = record.cause.filter(|_| record.trap && is_loop);
        let times = match self.harts[hart] {
            Some(Trap { pc, cause: before, times, .. })
                if (pc, Some(before)) == (record.pc_rdata, cause) =>
            {
                times.saturating_add(1)
            }
            _ => 1,
        };
        self.harts[hart] =
            cause.map(|cause| Trap { pc: record.pc_rdata, cause, instruction: record.insn, times });
    }

    /// PC and cause of a hart's trap loop, if it is in one.
    pub fn of(&self, hart: usize) -> Option<(u32, Doing)> {
        let trap = self.harts[hart].filter(|trap| trap.times > 1)?;
        let cause = trap.cause;
        // `mtval` is not exported; for these causes it follows from the record.
        let value = match cause {
            Cause::Exception(Exception::FetchAccess | Exception::Breakpoint) => Some(trap.pc),
            Cause::Exception(Exception::IllegalInstruction) => Some(trap.instruction),
            _ => None,
        };
        Some((trap.pc, Doing::Trapping { cause, value }))
    }
}
