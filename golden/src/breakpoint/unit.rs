//! The breakpoint unit of a machine whose harts execute whole instructions, one after the other.

use super::comparator::Next;
use super::rendezvous::{Events, Heard, Rendezvous};
use super::table::Table;

/// Something that happened at a breakpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Happened {
    /// The hart.
    pub hart: usize,
    /// The location.
    pub pc: u32,
    /// What, where and with which value.
    pub events: Events,
}

/// A write to the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Number of the word.
    pub number: u32,
    /// What was written.
    pub data: u32,
}

/// What a hart has to do with breakpoints.
#[derive(Clone, Copy, Debug, Default)]
struct Visit {
    /// The location at which it is in a visit.
    pc: Option<u32>,
    /// The entries in whose region it is, a bit each.
    regions: u32,
}

/// Comparators and rendezvous.
#[derive(Clone, Debug)]
pub struct Breakpoints {
    rendezvous: Rendezvous,
    visits: Vec<Visit>,
    /// Bytes of a line.
    line: u32,
    happened: Option<Vec<Happened>>,
    written: Option<Vec<Written>>,
}

impl Breakpoints {
    /// A unit without entries in use.
    pub fn new(harts: usize, entries: usize, line: u32) -> Self {
        let rendezvous = Rendezvous::new(harts, entries);
        Self {
            rendezvous,
            visits: vec![Visit::default(); harts],
            line,
            happened: None,
            written: None,
        }
    }

    /// The entries.
    pub fn table(&self) -> &Table {
        self.rendezvous.table()
    }

    /// Reads a word of the window.
    pub fn read(&self, number: u32) -> u32 {
        self.table().read(number)
    }

    /// Writes a word of the window.
    pub fn write(&mut self, number: u32, data: u32) {
        if let Some(written) = &mut self.written {
            written.push(Written { number, data });
        }
        if let Some(entry) = self.rendezvous.write(number, data) {
            self.visits.iter_mut().for_each(|visit| visit.regions &= !(1 << entry));
        }
    }

    /// Keeps what is written from now on.
    pub fn keep_written(&mut self) {
        self.written.get_or_insert_default();
    }

    /// What was written since it was last asked.
    pub fn take_written(&mut self) -> impl Iterator<Item = Written> + '_ {
        self.written.iter_mut().flat_map(|written| written.drain(..))
    }

    /// Keeps what happens from now on.
    pub fn keep_happened(&mut self) {
        self.happened.get_or_insert_default();
    }

    /// What happened since then, in order.
    pub fn happened(&self) -> &[Happened] {
        self.happened.as_deref().unwrap_or_default()
    }

    /// Whether a hart waits at a breakpoint.
    pub fn waits(&self, hart: usize) -> bool {
        self.rendezvous.waits(hart)
    }

    /// Instructions until a hart goes because its time is over.
    pub fn soonest(&self) -> Option<u32> {
        self.rendezvous.soonest()
    }

    /// Before a hart executes an instruction in U mode, with no interrupt in its place. False: it must wait.
    pub fn admits(&mut self, hart: usize, next: &Next) -> bool {
        let Visit { pc, regions } = self.visits[hart];
        if pc.is_some_and(|pc| pc != next.pc) {
            self.leave(hart);
        }
        if self.rendezvous.is_free(hart)
            && let Some(at) = next.at(self.table(), regions, self.line)
        {
            self.visits[hart].pc = Some(next.pc);
            self.rendezvous.arrive(hart, &at);
        }
        self.note();
        !self.waits(hart)
    }

    /// A hart takes an interrupt.
    pub fn interrupted(&mut self, hart: usize) {
        self.rendezvous.pause(hart);
        self.note();
    }

    /// A hart's visit, if it is in one, ends without its instruction.
    pub fn leave(&mut self, hart: usize) {
        if self.visits[hart].pc.take().is_some() {
            self.hear(hart, Heard { ended: true, ..Heard::default() });
            self.note();
        }
    }

    /// An instruction was executed: of U mode by this hart at this pc, retired or trapped; or any other.
    pub fn executed(&mut self, of_user: Option<(usize, u32)>, trapped: bool) {
        let (hart, pc) = of_user.unwrap_or_default();
        let mut heard = Heard::default();
        if of_user.is_some() {
            heard.ended = self.visits[hart].pc == Some(pc);
            if !trapped {
                heard.passed = self.retires(hart, pc);
            }
        }
        if self.rendezvous.is_quiet() {
            return;
        }
        self.hear(hart, heard);
        if heard.ended {
            self.visits[hart].pc = None;
        }
        self.rendezvous.count_down(1);
        self.note();
    }

    /// Nobody can go on: time passes.
    pub fn pass_time(&mut self, time: u32) {
        self.hear(0, Heard::default());
        self.rendezvous.count_down(time);
        self.note();
    }

    /// One hart does something.
    fn hear(&mut self, hart: usize, heard: Heard) {
        let mut all = vec![Heard::default(); self.visits.len()];
        all[hart] = heard;
        self.rendezvous.settle(&all);
        self.note();
    }

    /// A hart retires the instruction at a pc: it may begin or end regions. The entries whose `until` it is.
    fn retires(&mut self, hart: usize, pc: u32) -> u32 {
        let mut passed = 0;
        for entry in 0..self.table().len() {
            passed |= u32::from(self.table().entry(entry).until() == Some(pc)) << entry;
            if let Some((begin, end)) = self.table().entry(entry).region() {
                let regions = &mut self.visits[hart].regions;
                *regions |= u32::from(pc == begin) << entry;
                *regions &= !(u32::from(pc == end) << entry);
            }
        }
        passed
    }

    /// Keeps the events since the last time.
    fn note(&mut self) {
        let events = self.rendezvous.take_events();
        let Some(happened) = &mut self.happened else { return };
        for (hart, events) in
            events.into_iter().enumerate().filter(|(_, events)| events.events != 0)
        {
            let pc = self.visits[hart].pc.unwrap_or_default();
            happened.push(Happened { hart, pc, events });
        }
    }
}
