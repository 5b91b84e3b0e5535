//! Breakpoints of the hardware, cycle by cycle (docs/machine.md §12).
//!
//! What harts tell the rendezvous is found out from the exports and from the harts' own registers; the golden
//! rendezvous then says what must happen in each cycle. An instruction may be known some time after its cycle, so
//! cycles wait in a queue. Cycles in which nothing is exported and no instruction of U mode retires are not kept.

mod moments;

use self::moments::{Executed, Moment, Seen};
use super::{Follower, LONGEST_ACCESS};
use crate::Mode;
use crate::breakpoint::{At, Events, Heard, Rendezvous, Written};
use crate::isa::{Decoded, Hart, Retired};
use crate::machine::disagreement::{Disagreement, Problem, Who};
use crate::machine::exports::CycleExports;
use border::breakpoint::{Event, Word};
use std::collections::VecDeque;

/// More instructions than are in the pipeline: one that retires has left X after the last but this one retired.
const PIPELINE: usize = 4;

/// A hart, as breakpoints know it.
#[derive(Clone, Debug, Default)]
struct Visitor {
    /// The location of its visit.
    pc: Option<u32>,
    /// The entries in whose region it is, a bit each.
    regions: u32,
    /// What it executed in U mode, from the first moment in the queue on.
    executed: VecDeque<Executed>,
    /// For each moment in the queue that looks at it, the number of its records by then.
    looked_at: VecDeque<u64>,
    /// The cycles of its last records.
    ended: [u64; PIPELINE],
    /// It was paused: its next record is of an interrupt's handler.
    paused: bool,
    /// The entries whose `until` it retired in the cycle before, a bit each.
    passed: u32,
    /// It retired the instruction of its visit in the cycle before.
    over: bool,
}

/// The rendezvous of the golden machine, behind the hardware's.
#[derive(Clone, Debug)]
pub(super) struct Breakpoints {
    rendezvous: Rendezvous,
    visitors: Vec<Visitor>,
    moments: VecDeque<Moment>,
    /// What was written to the window, and has not arrived there.
    writes: VecDeque<Written>,
    /// Bytes of a line.
    line: u32,
    /// The next cycle.
    now: u64,
    /// The entries that were armed in the cycle before, a bit each.
    armed_before: u32,
    /// For each entry, the cycle since which it is armed without a gap; the last number if it is not.
    armed_since: Vec<u64>,
}

/// What is wrong, and with which hart.
type Wrong = (Who, Option<u32>, Problem);

fn field(field: &'static str, expected: impl Into<u64>, actual: impl Into<u64>) -> Problem {
    Problem::Field { field, expected: expected.into(), actual: actual.into() }
}

impl Breakpoints {
    pub fn new(harts: usize, entries: usize, line: u32) -> Self {
        Self {
            rendezvous: Rendezvous::new(harts, entries),
            visitors: vec![Visitor::default(); harts],
            moments: VecDeque::new(),
            writes: VecDeque::new(),
            line,
            now: 0,
            armed_before: 0,
            armed_since: vec![u64::MAX; entries],
        }
    }

    /// Queues what was exported in a cycle. `records`: of each hart the number up to this cycle.
    pub fn queue(&mut self, exports: &CycleExports, records: impl Iterator<Item = u64>) {
        let of_user =
            |record: &Option<Retired>| matches!(record, Some(record) if record.mode == Mode::User);
        let users = exports.retired.iter().rev();
        let users = users.fold(0, |users, record| users << 1 | u32::from(of_user(record)));
        let (events, ended, cleared) = match &exports.breakpoints {
            Some(of) => (of.events.to_vec(), of.ended, of.cleared),
            None => (Vec::new(), 0, 0),
        };
        let something = users | ended | cleared != 0 || !events.is_empty();
        if !something {
            return;
        }
        let records = records.collect();
        let moment = Moment { cycle: exports.cycle, events, ended, cleared, users, records };
        for (hart, visitor) in self.visitors.iter_mut().enumerate() {
            if moment.looks_at(hart) {
                visitor.looked_at.push_back(moment.records[hart]);
            }
        }
        self.moments.push_back(moment);
    }

    /// Something is in the queue.
    pub fn is_pending(&self) -> bool {
        !self.moments.is_empty()
    }

    /// How many cycles are in the queue.
    pub fn pending(&self) -> usize {
        self.moments.len()
    }

    /// Whether a hart must stay as it is after so many records, because a queued cycle looks at it.
    pub fn holds_back(&self, hart: usize, records: u64) -> bool {
        self.visitors[hart].looked_at.front() == Some(&records)
    }

    /// Software or host wrote to the window.
    pub fn written(&mut self, writes: impl Iterator<Item = Written>) {
        self.writes.extend(writes);
    }

    /// An instruction was executed; `before` and `decoded` are what it was.
    pub fn executed(
        &mut self,
        hart: usize,
        before: &Hart,
        decoded: Option<&Decoded>,
        record: &Retired,
        cycle: u64,
    ) -> Option<Problem> {
        let visitor = &mut self.visitors[hart];
        if record.mode == Mode::User {
            let (seen, trapped) = (Seen::of(before, decoded), record.trap);
            visitor.executed.push_back(Executed { seen, trapped, since: visitor.ended[0] });
        }
        visitor.ended.rotate_left(1);
        visitor.ended[PIPELINE - 1] = cycle;
        let was_paused = std::mem::take(&mut visitor.paused);
        (was_paused && !record.intr).then(|| field("rvfi_intr", 1u32, 0u32))
    }

    /// Whether everything is known of a moment. `records`: of each hart the number that were executed.
    fn is_known(&self, moment: &Moment, records: &[u64]) -> bool {
        let is_known = |hart: usize| {
            let behind = records[hart] < moment.records[hart];
            let missing = moment.is_user(hart) && self.visitors[hart].executed.is_empty();
            !(missing || behind && moment.looks_at(hart))
        };
        let entries = self.armed_since.len();
        let is_control = |written: &Written| {
            let place = Word::at(written.number);
            place
                .is_some_and(|(word, entry, _)| word == Word::Control && (entry as usize) < entries)
        };
        let is_written = moment.cleared == 0 || self.writes.iter().any(is_control);
        is_written && (0..self.visitors.len()).all(is_known)
    }

    /// The cycles before the next moment, in which nothing was exported.
    fn pass_to(&mut self, cycle: u64) -> Result<(), Wrong> {
        while self.now < cycle {
            let nothing = vec![Events::default(); self.visitors.len()];
            let heard = self.heard(|_, postponed| postponed.then(At::default));
            self.step(&heard, 0, &nothing)?;
            if self.rendezvous.is_quiet() {
                self.now = cycle;
            }
        }
        Ok(())
    }

    /// What the rendezvous hears if `at` says where each hart stands.
    fn heard(&self, at: impl Fn(usize, bool) -> Option<At>) -> Vec<Heard> {
        let visitors = self.visitors.iter().enumerate();
        let heard = visitors.map(|(hart, visitor)| Heard {
            at: at(hart, self.rendezvous.is_postponed(hart)),
            ended: false,
            passed: visitor.passed,
        });
        heard.collect()
    }

    /// One cycle of the rendezvous; the events must be these.
    fn step(&mut self, heard: &[Heard], ended: u32, actual: &[Events]) -> Result<(), Wrong> {
        for (hart, visitor) in self.visitors.iter_mut().enumerate() {
            let ends = ended >> hart & 1 != 0;
            if visitor.over && !ends {
                return Err((Who::Hart(hart), visitor.pc, field("breakpoint_ended", 1u32, 0u32)));
            }
            (visitor.passed, visitor.over) = (0, false);
            if ends {
                visitor.pc = None;
            }
        }
        let armed = self.rendezvous.table().armed();
        let expected = self.rendezvous.cycle(heard);
        for (hart, (e, a)) in expected.iter().zip(actual).enumerate() {
            let fields = [
                ("breakpoint_events", e.events, a.events),
                ("breakpoint_entry", e.entry as u32, a.entry as u32),
                ("breakpoint_party", e.party as u32, a.party as u32),
                ("breakpoint_first", e.value.0, a.value.0),
                ("breakpoint_second", e.value.1, a.value.1),
            ];
            if let Some((name, e, a)) = fields.into_iter().find(|(_, e, a)| e != a) {
                return Err((Who::Hart(hart), self.visitors[hart].pc, field(name, e, a)));
            }
        }
        self.armed_before = armed;
        self.now += 1;
        self.note_armed();
        Ok(())
    }

    /// Since when each entry is armed, as of the next cycle.
    fn note_armed(&mut self) {
        let armed = self.rendezvous.table().armed();
        for (entry, since) in self.armed_since.iter_mut().enumerate() {
            *since = match armed >> entry & 1 {
                0 => u64::MAX,
                _ => self.now.min(*since),
            };
        }
    }

    /// What happened in a cycle of which everything is known.
    fn pass(&mut self, moment: &Moment, harts: &[(&Hart, Option<Decoded>)]) -> Result<(), Wrong> {
        self.pass_to(moment.cycle)?;
        let mut places = vec![None; harts.len()];
        for (hart, (now, decoded)) in harts.iter().enumerate().filter(|(h, _)| moment.looks_at(*h))
        {
            let visitor = &mut self.visitors[hart];
            visitor.looked_at.pop_front();
            let is_user = now.csrs().mode == Mode::User;
            if moment.ends(hart) && !visitor.over {
                let elsewhere = visitor.pc.is_some_and(|pc| is_user && pc != now.pc());
                if !elsewhere {
                    let problem = field("breakpoint_ended", 0u32, 1u32);
                    return Err((Who::Hart(hart), visitor.pc, problem));
                }
            }
            if moment.has(hart, Event::Arrive) && is_user {
                let seen = Seen::of(now, decoded.as_ref());
                places[hart] = self.place(hart, &seen, &moment.events[hart]);
            }
        }
        let nothing = vec![Events::default(); harts.len()];
        let actual = if moment.events.is_empty() { &nothing } else { &moment.events };
        let mut heard = self.heard(|hart, postponed| {
            let stays = postponed && !moment.has(hart, Event::Pause);
            places[hart].or(stays.then(At::default))
        });
        for (hart, heard) in heard.iter_mut().enumerate() {
            heard.ended = moment.ends(hart);
        }
        let armed_since = self.armed_since.clone();
        self.step(&heard, moment.ended, actual)?;
        for (hart, (now, _)) in harts.iter().enumerate() {
            if moment.has(hart, Event::Arrive) {
                self.visitors[hart].pc = Some(now.pc());
            }
            self.visitors[hart].paused |= moment.has(hart, Event::Pause);
            if moment.is_user(hart) {
                self.retires(hart, &armed_since)?;
            }
        }
        self.clear(moment.cleared)
    }

    /// Where a hart stands that arrives.
    fn place(&self, hart: usize, seen: &Seen, shown: &Events) -> Option<At> {
        let table = self.rendezvous.table();
        if seen.is_undefined(table) {
            let Events { entry, party, value, .. } = *shown;
            return Some(At { entry, parties: 1 << party, value });
        }
        seen.next.at_any(table, self.armed_before, self.visitors[hart].regions, self.line)
    }

    /// A hart retires an instruction of U mode, or traps.
    fn retires(&mut self, hart: usize, armed_since: &[u64]) -> Result<(), Wrong> {
        let table = self.rendezvous.table();
        let visitor = &mut self.visitors[hart];
        let Some(Executed { seen, trapped, since }) = visitor.executed.pop_front() else {
            return Ok(());
        };
        let pc = seen.next.pc;
        let is_here = visitor.pc == Some(pc);
        if visitor.pc.is_some() && !is_here {
            return Err((Who::Hart(hart), visitor.pc, field("breakpoint_ended", 1u32, 0u32)));
        }
        let may_go = is_here && self.rendezvous.has_gone(hart);
        if !may_go && !seen.is_undefined(table) {
            let long = (0..table.len()).filter(|entry| armed_since[*entry] <= since);
            let long = long.fold(0, |entries, entry| entries | 1 << entry);
            let stopped = seen.next.at_any(table, long, visitor.regions, self.line);
            let waits = is_here && self.rendezvous.waits(hart);
            if let Some(entry) =
                stopped.map(|at| at.entry).or(waits.then(|| self.rendezvous.entry_of(hart)))
            {
                return Err((Who::Hart(hart), Some(pc), Problem::NotStopped { pc, entry }));
            }
        }
        visitor.over = is_here;
        if trapped {
            return Ok(());
        }
        for entry in 0..table.len() {
            let of = table.entry(entry);
            visitor.passed |= u32::from(of.until() == Some(pc)) << entry;
            if let Some((begin, end)) = of.region() {
                visitor.regions |= u32::from(pc == begin) << entry;
                visitor.regions &= !(u32::from(pc == end) << entry);
            }
        }
        Ok(())
    }

    /// Writes to the window arrive, up to that of this `control`.
    fn clear(&mut self, cleared: u32) -> Result<(), Wrong> {
        if cleared == 0 {
            return Ok(());
        }
        while let Some(Written { number, data }) = self.writes.pop_front() {
            let Some(entry) = self.rendezvous.write(number, data) else { continue };
            if cleared != 1 << entry {
                let problem = field("breakpoint_cleared", 1u32 << entry, cleared);
                return Err((Who::Machine, None, problem));
            }
            self.visitors.iter_mut().for_each(|visitor| visitor.regions &= !(1 << entry));
            self.armed_since[entry] = u64::MAX;
            self.armed_before &= !(1 << entry);
            self.note_armed();
            break;
        }
        Ok(())
    }
}

impl Follower {
    /// Processes the next cycle of the breakpoints if everything about it is known.
    pub(super) fn next_moment(&mut self) -> Result<bool, Disagreement> {
        let Some(breakpoints) = &mut self.breakpoints else { return Ok(false) };
        let Some(moment) = breakpoints.moments.front() else { return Ok(false) };
        let executed =
            |followed: &super::Followed| followed.received - followed.records.len() as u64;
        let records: Vec<u64> = self.harts.iter().map(executed).collect();
        if !breakpoints.is_known(moment, &records) {
            let happened = moment.cycle;
            let problem = Problem::NotExplained { cycle: happened };
            let (cycle, who, instruction) = (self.cycle, Who::Machine, None);
            return match happened + LONGEST_ACCESS < cycle {
                true => Err(Disagreement { cycle, who, instruction, problem }),
                false => Ok(false),
            };
        }
        let moment = breakpoints.moments.pop_front().expect("looked at above");
        let harts = self
            .harts
            .iter()
            .map(|followed| (&followed.hart, followed.lines.newest(followed.hart.pc())));
        let harts: Vec<_> = harts.collect();
        breakpoints.pass(&moment, &harts).map_err(|wrong| told(breakpoints.now, wrong))?;
        Ok(true)
    }

    /// What software and host wrote to the window is on its way.
    pub(super) fn note_written(&mut self) {
        if let (Some(followed), Some(unit)) = (&mut self.breakpoints, self.memory.breakpoints_mut())
        {
            followed.written(unit.take_written());
        }
    }

    /// Nothing more comes: nothing was due.
    pub(super) fn finish_breakpoints(&mut self) -> Result<usize, Disagreement> {
        let cycle = self.cycle;
        let Some(breakpoints) = &mut self.breakpoints else { return Ok(0) };
        if !breakpoints.is_pending() {
            breakpoints.pass_to(cycle).map_err(|wrong| told(breakpoints.now, wrong))?;
        }
        Ok(breakpoints.pending())
    }
}

fn told(cycle: u64, (who, pc, problem): Wrong) -> Disagreement {
    let instruction = pc.map(|pc| (pc, 0));
    Disagreement { cycle, who, instruction, problem }
}
