//! The order log of one run, and the state it left.

mod depends;
mod ending;
mod frames;
mod instruction;
mod memory;
mod recorder;
mod sources;
mod stacks;
mod thread;

pub use depends::Depends;
pub use ending::{Condition, Ending, Failure};
pub use memory::{Bytes, Memory, Write};
pub use recorder::Recorder;
pub use sources::Sources;
pub use stacks::{Frame, Stacks};
pub use thread::ThreadInfo;

use crate::code::Code;
use crate::event::{Access, Call, Event, Site, StackId, Thread};
use crate::state::State;
use golden::machine::Turn;
use std::sync::Arc;

/// The most events that are kept; of longer runs the older ones are dropped, half of them at a time.
const MOST_EVENTS: usize = 1_000_000;

/// Why the machine stopped, as far as the instructions do not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The firmware ended the run: if no thread did, because all of them wait.
    Ended,
    /// It was stopped at the limit.
    Limit,
}

/// What one run did.
#[derive(Debug)]
pub struct Log {
    /// The program.
    pub code: Arc<Code>,
    /// The threads, by number.
    pub threads: Vec<ThreadInfo>,
    /// The call stacks that events name.
    pub stacks: Stacks,
    /// Memory at the end.
    pub memory: Memory,
    /// Threads, locks and blocks at the end.
    pub state: State,
    /// What writes depended on.
    pub depends: Depends,
    /// The statement that ended the run, if one did.
    pub failure: Option<Failure>,
    ending: Option<Ending>,
    /// By thread.
    conditions: Vec<Vec<Condition>>,
    events: Vec<Event>,
    dropped: u64,
    /// By hart: of each scheduling point that it performed, the number of the event.
    points: Vec<Vec<u64>>,
    /// The same in the order of all harts.
    turns: Vec<Turn>,
}

impl Log {
    fn new(code: Arc<Code>) -> Self {
        Self {
            code,
            threads: Vec::new(),
            stacks: Stacks::default(),
            memory: Memory::default(),
            state: State::default(),
            depends: Depends::default(),
            failure: None,
            ending: None,
            conditions: Vec::new(),
            events: Vec::new(),
            dropped: 0,
            points: Vec::new(),
            turns: Vec::new(),
        }
    }

    /// How the run ended.
    pub fn ending(&self) -> &Ending {
        self.ending.as_ref().unwrap_or(&Ending::Limit)
    }

    /// The events with their numbers, oldest first.
    pub fn events(&self) -> impl DoubleEndedIterator<Item = (u64, &Event)> + ExactSizeIterator {
        let dropped = self.dropped;
        self.events.iter().enumerate().map(move |(index, event)| (dropped + index as u64, event))
    }

    /// How many events were dropped: more than are kept came after them.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// The number of the next event.
    pub fn next(&self) -> u64 {
        self.dropped + self.events.len() as u64
    }

    /// An event by its number, if it is still there.
    pub fn event(&self, number: u64) -> Option<&Event> {
        self.events.get(usize::try_from(number.checked_sub(self.dropped)?).ok()?)
    }

    /// An access by its number.
    pub fn access(&self, number: u64) -> Option<&Access> {
        match self.event(number)? {
            Event::Access(access) => Some(access),
            _ => None,
        }
    }

    /// The event of the scheduling point that a hart performed as its `count`th, from 1.
    pub fn point(&self, hart: usize, count: u64) -> Option<u64> {
        let index = usize::try_from(count.checked_sub(1)?).ok()?;
        self.points.get(hart)?.get(index).copied()
    }

    /// How many scheduling points a hart performed.
    pub fn points(&self, hart: usize) -> u64 {
        self.points.get(hart).map_or(0, |points| points.len() as u64)
    }

    /// Which hart performed scheduling points when: a script for the same order on the golden machine, wherever the run was
    /// made.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The last write before an event of any byte that an access touches.
    pub fn writer_before(&self, number: u64, access: &Access) -> Option<(u64, &Access)> {
        let kept = usize::try_from(number.saturating_sub(self.dropped)).unwrap_or(0);
        let earlier = self.events().take(kept.min(self.events.len())).rev();
        let mut accesses = earlier.filter_map(|(number, event)| match event {
            Event::Access(access) => Some((number, access)),
            _ => None,
        });
        accesses.find(|(_, other)| other.kind.writes() && other.overlaps(access))
    }

    /// The call of the library that a thread was in before an event, if it can wait there for another thread.
    pub fn waiting_call(&self, thread: Thread, number: u64) -> Option<&Call> {
        let kept = usize::try_from(number.saturating_sub(self.dropped)).unwrap_or(0);
        let earlier = self.events().take(kept.min(self.events.len())).rev();
        let mut of_thread = earlier.filter_map(|(_, event)| match event {
            Event::Call(call) if call.thread == thread => Some(Some(call)),
            Event::Return(call) if call.thread == thread => Some(None),
            _ => None,
        });
        of_thread.next()?.filter(|call| call.function.can_block())
    }

    /// The last conditions that a thread's own code tested on loaded values before the run ended, newest
    /// first; none of a thread that has ended.
    pub fn conditions(&self, thread: Thread) -> &[Condition] {
        self.conditions.get(thread.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// The name of a thread.
    pub fn name(&self, thread: Thread) -> &str {
        self.threads.get(thread.0 as usize).map_or("?", |info| &info.name)
    }

    /// The program's own calls on a stack, outermost first.
    pub fn call_sites(&self, stack: StackId) -> Vec<u32> {
        let sites = self.stacks.frames(stack).into_iter().map(|frame| frame.site);
        sites.filter(|site| self.code.is_program(*site)).collect()
    }

    /// The instruction and the program's calls that led to it, innermost first.
    pub fn trace(&self, site: Site) -> Vec<u32> {
        let calls = self.call_sites(site.stack).into_iter().rev();
        std::iter::once(site.pc).chain(calls).collect()
    }

    /// A hart performs a scheduling point, whose event is the next.
    fn performed(&mut self, hart: usize) {
        let next = self.next();
        if self.points.len() <= hart {
            self.points.resize_with(hart + 1, Vec::new);
        }
        self.points[hart].push(next);
        let turn = Turn { hart, until: self.points(hart) };
        match self.turns.last_mut() {
            Some(last) if last.hart == hart => *last = turn,
            _ => self.turns.push(turn),
        }
    }

    fn push(&mut self, event: Event) {
        self.state.see(self.next(), &event);
        if self.events.len() == MOST_EVENTS {
            self.events.drain(..MOST_EVENTS / 2);
            self.dropped += MOST_EVENTS as u64 / 2;
            self.depends.forget_before(self.dropped);
        }
        self.events.push(event);
    }
}
