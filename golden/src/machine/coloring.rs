//! Transactions of a machine that runs alone: checkpoints, commits and rollbacks (docs/machine.md §14.5).

use super::alone::Machine;
use super::waiting::Waits;
use crate::Mode;
use crate::coloring::Coloring;
use crate::isa::{Op, Retired, decode};
use crate::memory::bits;
use border::color::Commit;

/// How long a hart pauses after an abort, in cycles (docs/machine.md §14.5, rule 22).
const PAUSE: u64 = 64;

impl Machine {
    /// The colors, if the machine has any.
    pub fn coloring(&self) -> Option<&Coloring> {
        self.memory.coloring()
    }

    /// Begins transactions at random from now on: with this chance out of 2^24 at each tracked access.
    pub fn start_at_random(&mut self, seed: u64, chance: u32) {
        if let Some(coloring) = self.memory.coloring_mut() {
            coloring.start_at_random(seed, chance);
        }
    }

    /// Executes one instruction of a hart of a machine with colors.
    pub(super) fn step_colored(&mut self, hart: usize) -> Option<Retired> {
        let was_open = self.memory.in_transaction(hart);
        if was_open && self.is_interrupted(hart) {
            self.memory.commit(hart, Commit::Interrupt);
        }
        let core = &self.harts[hart].hart;
        let checkpoint = (core.csrs().mode == Mode::User).then(|| core.checkpoint());
        let starts = self.starts(hart);
        let retired = self.execute(hart);
        // The transaction that this instruction began, perhaps after another committed.
        if self.starts(hart) != starts {
            self.harts[hart].checkpoint = checkpoint;
        }
        self.roll_back();
        match &retired {
            Some(retired) => self.ended(hart, retired),
            None if self.harts[hart].waits == Some(Waits::Interrupt) => {
                self.memory.commit(hart, Commit::Wfi);
            }
            None => {}
        }
        retired
    }

    /// Transactions that a hart has begun.
    fn starts(&self, hart: usize) -> u32 {
        self.coloring().map_or(0, |coloring| coloring.hart(hart).counters().starts)
    }

    /// An instruction of a hart retired or trapped.
    fn ended(&mut self, hart: usize, retired: &Retired) {
        if self.memory.in_transaction(hart) {
            let commits = match decode(retired.insn).op {
                _ if retired.trap => Some(Commit::Trap),
                Op::Csr(_) => Some(Commit::Csr),
                Op::Wfi => Some(Commit::Wfi),
                Op::FenceI => Some(Commit::FenceI),
                _ => None,
            };
            match commits {
                Some(cause) => self.memory.commit(hart, cause),
                None => self.member_retired(hart),
            }
        }
        if retired.mode == Mode::User
            && !retired.trap
            && let Some(colors) =
                self.memory.coloring_mut().and_then(|coloring| coloring.hart_mut(hart))
        {
            colors.retires();
        }
    }

    fn member_retired(&mut self, hart: usize) {
        let colors = self.memory.coloring_mut().and_then(|coloring| coloring.hart_mut(hart));
        if colors.is_some_and(|colors| colors.attempts_mut().retire()) {
            self.memory.commit(hart, Commit::Length);
        }
    }

    /// Whether a hart pauses after an abort.
    pub(super) fn pauses(&self, hart: usize) -> bool {
        self.harts[hart].paused_until > self.now
    }

    /// Nobody can go on: time passes for those that pause.
    pub(super) fn end_pauses(&mut self) {
        let longest = self.harts.iter().map(|running| running.paused_until).max();
        self.now = self.now.max(longest.unwrap_or(0));
    }

    /// Harts whose transactions aborted go back to before them.
    pub(super) fn roll_back(&mut self) {
        let Some(coloring) = self.memory.coloring_mut() else { return };
        for hart in bits(coloring.take_aborted()) {
            let running = &mut self.harts[hart];
            if let Some(checkpoint) = running.checkpoint.take() {
                running.hart.roll_back(&checkpoint);
            }
            running.waits = None;
            running.paused_until = self.now + PAUSE;
            self.leave_breakpoint(hart);
        }
    }
}
