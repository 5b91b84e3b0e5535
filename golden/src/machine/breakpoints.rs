//! Breakpoints of a machine that runs alone: who may execute its next instruction (docs/machine.md §12).

use super::alone::{Machine, Running};
use crate::Mode;
use crate::breakpoint::{Breakpoints, Next};
use crate::isa::{Decoded, Hart, Op, Retired};

/// The next instruction of a hart, as breakpoints see it.
pub(super) fn next(hart: &Hart, decoded: Option<&Decoded>) -> Next {
    let pc = hart.pc();
    let Some(decoded) = decoded else { return Next { pc, ..Next::default() } };
    let (first, second) = (hart.register(decoded.rs1), hart.register(decoded.rs2));
    let offset = match decoded.op {
        Op::Load { .. } | Op::Store(_) => decoded.imm,
        _ => 0,
    };
    Next { pc, first, second, address: first.wrapping_add(offset) }
}

impl Running {
    fn next(&self) -> Next {
        next(&self.hart, self.lines.newest(self.hart.pc()).as_ref())
    }
}

impl Machine {
    /// The breakpoint unit, if there is one.
    pub fn breakpoints(&self) -> Option<&Breakpoints> {
        self.memory.breakpoints()
    }

    /// Keeps what happens at breakpoints from now on.
    pub fn keep_happened(&mut self) {
        self.memory.breakpoints_mut().into_iter().for_each(Breakpoints::keep_happened);
    }

    /// Whether a hart waits at a breakpoint.
    pub(super) fn waits_at_breakpoint(&self, hart: usize) -> bool {
        self.breakpoints().is_some_and(|breakpoints| breakpoints.waits(hart))
    }

    /// Whether a hart takes an interrupt in place of its next instruction.
    pub(super) fn is_interrupted(&self, hart: usize) -> bool {
        self.memory.pending(hart, self.now) & self.harts[hart].hart.csrs().takeable() != 0
    }

    /// Whether a hart may execute its next instruction, or take an interrupt.
    #[inline]
    pub(super) fn is_admitted(&mut self, hart: usize) -> bool {
        self.memory.breakpoints().is_none() || self.asks_breakpoints(hart)
    }

    fn asks_breakpoints(&mut self, hart: usize) -> bool {
        let interrupted = self.is_interrupted(hart);
        let running = &mut self.harts[hart];
        if running.hart.csrs().mode != Mode::User {
            return true;
        }
        running.fetch(&self.memory, self.now);
        let next = running.next();
        let Some(breakpoints) = self.memory.breakpoints_mut() else { return true };
        if interrupted {
            breakpoints.interrupted(hart);
            return true;
        }
        breakpoints.admits(hart, &next)
    }

    /// A hart's instruction is not the next one any more.
    pub(super) fn leave_breakpoint(&mut self, hart: usize) {
        if let Some(breakpoints) = self.memory.breakpoints_mut() {
            breakpoints.leave(hart);
        }
    }

    /// A hart has executed an instruction.
    #[inline]
    pub(super) fn tell_breakpoints(&mut self, hart: usize, retired: &Retired) {
        if let Some(breakpoints) = self.memory.breakpoints_mut() {
            let of_user = (retired.mode == Mode::User).then_some((hart, retired.pc_rdata));
            breakpoints.executed(of_user, retired.trap);
        }
    }

    /// Nobody can go on: time passes until a timer or a breakpoint lets a hart go. `None` if nothing will.
    pub(super) fn pass_time(&mut self) -> Option<()> {
        let waiting = self.breakpoints().and_then(Breakpoints::soonest);
        let time = self.next_timer().into_iter().chain(waiting.map(u64::from)).min()?;
        self.now += time;
        if let Some(breakpoints) = self.memory.breakpoints_mut() {
            breakpoints.pass_time(time.try_into().unwrap_or(u32::MAX));
        }
        Some(())
    }
}
