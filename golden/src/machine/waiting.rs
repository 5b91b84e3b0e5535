//! Which harts of a machine that runs alone can go on, and what the others wait for.

use super::alone::Machine;
use crate::memory::bits;
use border::interrupt::Interrupt;

/// Why a hart does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waits {
    /// It executes WFI.
    Interrupt,
    /// Its access makes an edge and its table is full.
    Table,
}

impl Machine {
    /// Why a hart does not go on, if it does not.
    pub(super) fn waits(&self, hart: usize) -> Option<Waits> {
        self.harts[hart].waits
    }

    /// Who is next and for how long; time passes if everybody waits for it.
    pub(super) fn choose(&mut self) -> Option<(usize, u64)> {
        let can_go = |machine: &Self| {
            let harts = 0..machine.harts.len();
            harts.filter(|hart| machine.can_go(*hart)).fold(0u64, |set, hart| set | 1 << hart)
        };
        let mut ready = can_go(self);
        if bits(ready as u32).all(|hart| self.harts[hart].hart.traps_for_ever()) {
            self.end_pauses();
            ready = can_go(self);
        }
        let traps = |hart: usize| self.harts[hart].hart.traps_for_ever();
        let waiting = (0..self.harts.len()).any(|hart| self.waits_at_breakpoint(hart));
        if ready != 0 && bits(ready as u32).all(traps) && self.next_timer().is_none() && !waiting {
            return None;
        }
        if ready == 0 {
            self.pass_time()?;
            ready = can_go(self);
        }
        let Self { scheduler, harts, points, .. } = self;
        (ready != 0).then(|| scheduler.choose(ready, |hart| harts[hart].pending(points)))
    }

    /// The interrupts that would let a waiting hart go on.
    fn awaited(&self, hart: usize) -> u32 {
        let csrs = self.harts[hart].hart.csrs();
        match self.harts[hart].waits {
            Some(Waits::Interrupt) => csrs.enabled,
            Some(Waits::Table) => csrs.takeable(),
            None if self.waits_at_breakpoint(hart) => csrs.takeable(),
            None => 0,
        }
    }

    /// Whether a hart can execute an instruction.
    fn can_go(&self, hart: usize) -> bool {
        if self.pauses(hart) {
            return false;
        }
        let table_has_room = || {
            let monitor = self.memory.monitor(hart);
            monitor.is_none_or(|monitor| !monitor.table().is_full())
        };
        match self.harts[hart].waits {
            None => !self.waits_at_breakpoint(hart) || self.is_interrupted(hart),
            Some(Waits::Table) if table_has_room() => true,
            Some(_) => self.memory.pending(hart, self.now) & self.awaited(hart) != 0,
        }
    }

    /// Cycles until a timer lets some hart go on.
    pub(super) fn next_timer(&self) -> Option<u64> {
        let clint = self.memory.clint();
        let waits = |hart: &usize| self.awaited(*hart) & Interrupt::Timer.bit() != 0;
        let to_go = |hart: usize| clint.compare(hart).checked_sub(clint.time(self.now));
        let timers = (0..self.harts.len()).filter(waits).filter_map(to_go);
        // All ones is a timer that was never set.
        timers.min().filter(|cycles| self.now.checked_add(*cycles).is_some_and(|at| at < u64::MAX))
    }
}
