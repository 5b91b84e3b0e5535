//! What surrounds a hart that runs alone: memory, instructions, interrupts and clocks.

use super::accessed::Accessed;
use super::lines::InstructionLines;
use super::waiting::Waits;
use crate::isa::{
    Answer, DataAccess, Environment, Fetched, Half, TakenInterrupt, interrupt_of_highest_priority,
};
use crate::memory::{Memory, Ordered, Region, Tap};

/// The surroundings of a hart that runs alone.
pub(super) struct Alone<'a> {
    pub hart: usize,
    /// It waited in a WFI, which retires before an interrupt is taken.
    pub sleeps: bool,
    pub now: u64,
    pub memory: &'a mut Memory,
    pub lines: &'a mut InstructionLines,
    pub taps: &'a mut Vec<Tap>,
    pub accesses: Option<&'a mut Vec<Accessed>>,
    pub waits: &'a mut Option<Waits>,
}

impl Environment for Alone<'_> {
    fn now(&self) -> u64 {
        self.now
    }

    #[inline]
    fn fetch(&mut self, pc: u32) -> Fetched {
        if let Some(decoded) = self.lines.newest(pc) {
            return Fetched::Instruction(decoded);
        }
        if self.memory.map().region(pc) != Region::Ram {
            return Fetched::Fault;
        }
        self.lines.fill(pc, self.memory.current_line(pc), self.now, 0);
        self.lines.newest(pc).map_or(Fetched::Fault, Fetched::Instruction)
    }

    #[inline]
    fn access(&mut self, access: &DataAccess) -> Answer {
        let Some(region) = self.memory.map().answering(access) else { return Answer::Fault };
        let done = match self.memory.order(self.hart, access, region, self.now) {
            Ordered::Device { done, .. } => return Answer::Done(done),
            Ordered::Hit { done, .. } => done,
            Ordered::Granted { tap, done, .. } => {
                self.taps.extend(tap);
                done
            }
            Ordered::Stalled => {
                *self.waits = Some(Waits::Table);
                return Answer::Later;
            }
        };
        if let Some(accesses) = &mut self.accesses {
            accesses.extend(Accessed::of(self.hart, access, done.wrote));
        }
        Answer::Done(done)
    }

    fn forget_instructions(&mut self) {
        // The next instruction is fetched in the next cycle.
        self.lines.forget(self.now + 1);
    }

    #[inline]
    fn interrupt(&mut self, enabled: u32) -> Option<TakenInterrupt> {
        if self.sleeps {
            return None;
        }
        let ready = self.memory.pending(self.hart, self.now) & enabled;
        let interrupt = interrupt_of_highest_priority(ready)?;
        Some(TakenInterrupt { interrupt, certain: true })
    }

    fn wakes(&mut self, enabled: u32) -> bool {
        let wakes = self.pending() & enabled != 0;
        if !wakes {
            *self.waits = Some(Waits::Interrupt);
        }
        wakes
    }

    fn pending(&mut self) -> u32 {
        self.memory.pending(self.hart, self.now)
    }

    fn cycle(&mut self, half: Half, value: u64) -> u32 {
        half.of(value)
    }

    fn events(&mut self, half: Half, least: u64, _: u64) -> u32 {
        half.of(least)
    }

    fn time(&mut self, half: Half) -> u32 {
        half.of(self.memory.clint().time(self.now))
    }

    fn cause(&mut self, value: u32) -> u32 {
        value
    }
}
