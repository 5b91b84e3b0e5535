//! Recording a run while a machine makes it.

use crate::moment::Moment;
use crate::pages::Pages;
use crate::tape::{Commit, Mark, Start, Tape};
use evidence::code::Code;
use evidence::event::{Event, Site, StackId, Thread};
use evidence::log::{Log, Stopped};
use evidence::why::{Piece, Written, pieces_of};
use golden::isa::{Hart, Retired};
use golden::machine::{Look, Points, Witness};
use golden::memory::Parameters;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// A run that is over: all that it did, in order.
pub struct Recording {
    /// What changed.
    pub tape: Arc<Tape>,
    /// What it meant.
    pub log: Log,
    /// Of each event its number and the place before its commit, both growing.
    events: Vec<(u64, Mark)>,
    /// By hart: from which place on which thread was on it.
    threads: Vec<Vec<(Mark, Option<Thread>)>>,
    ended: Option<(Mark, usize)>,
}

impl Recording {
    /// Where a person wants to begin, and the hart that it is about: before the instruction that ended the run; of a
    /// run that no instruction ended, after everything.
    pub fn end(&self) -> (Mark, usize) {
        self.ended.unwrap_or((self.tape.last(), 0))
    }

    /// The thread that was on a hart.
    pub fn thread(&self, hart: usize, at: Mark) -> Option<Thread> {
        let changes = self.threads.get(hart)?;
        let after = changes.partition_point(|(mark, _)| *mark <= at);
        changes[..after].last()?.1
    }

    /// The number of the first event that had not happened.
    pub fn next_event(&self, at: Mark) -> u64 {
        let before = self.events.partition_point(|(_, mark)| *mark < at);
        self.events.get(before).map_or(self.log.next(), |(number, _)| *number)
    }

    /// The bytes of a range at a moment of the run, by their last writers; what the firmware and the host wrote has
    /// none.
    pub fn pieces(&self, range: Range<u32>, now: &Moment) -> Vec<Piece> {
        let writers = self.writers(&range, now.mark());
        pieces_of(range, now.memory(), |address| writers.get(&address).copied())
    }

    /// The last writers of the bytes of a range before a place, by address.
    pub fn writers(&self, range: &Range<u32>, before: Mark) -> BTreeMap<u32, Written> {
        let mut found = BTreeMap::new();
        let mut left = range.len();
        let bytes = u64::from(range.start)..u64::from(range.end);
        let mut known = vec![false; left];
        for (mark, commit) in self.tape.between(self.tape.first(), before).rev() {
            if left == 0 {
                break;
            }
            if commit.touched(commit.written(), &bytes).is_none() {
                continue;
            }
            let lanes = (0..4).map(|lane| commit.address + lane);
            for address in lanes.filter(|at| range.contains(at) && commit.wrote(*at)) {
                let known = &mut known[(address - range.start) as usize];
                if !std::mem::replace(known, true) {
                    left -= 1;
                    found.extend(self.written(mark, commit).map(|written| (address, written)));
                }
            }
        }
        found
    }

    /// The write of a commit, if it is the program's or its library's.
    fn written(&self, mark: Mark, commit: &Commit) -> Option<Written> {
        if !commit.is_user() {
            return None;
        }
        let thread = self.thread(commit.hart.into(), mark)?;
        let number = self.event_at(mark)?;
        let unknown = Site { thread, pc: commit.pc, stack: StackId(0) };
        let written = Written::of(&self.log, number, unknown);
        Some(match written.access {
            Some(access) => Written { place: access.place(), ..written },
            None => written,
        })
    }

    /// The event of a commit's access.
    fn event_at(&self, mark: Mark) -> Option<u64> {
        let before = self.events.partition_point(|(_, at)| *at < mark);
        let events = self.events[before..].iter().take_while(|(_, at)| *at == mark);
        let mut numbers = events.map(|(number, _)| *number);
        // A thread's first instruction also starts it.
        numbers.find(|number| !matches!(self.log.event(*number), Some(Event::Start(_))))
    }
}

struct Making {
    tape: Tape,
    recorder: evidence::log::Recorder,
    events: Vec<(u64, Mark)>,
    threads: Vec<Vec<(Mark, Option<Thread>)>>,
    ended: Option<(Mark, usize)>,
    /// Where the program talks to the host, and the hart that last did.
    tohost: u32,
    caller: usize,
}

impl Look for Making {
    fn instruction(&mut self, number: usize, hart: &Hart, retired: &Retired) {
        let mark = self.tape.last();
        let (next, was_over) = (self.recorder.next(), self.recorder.is_over());
        self.recorder.see(number, hart, retired);
        for event in next..self.recorder.next() {
            self.events.push((event, mark));
        }
        if self.recorder.is_over() && !was_over {
            self.ended = Some((mark, number));
        }
        if let Some(changes) = self.threads.get_mut(number) {
            let thread = self.recorder.thread_on(number);
            if changes.last().and_then(|(_, last)| *last) != thread {
                changes.push((mark, thread));
            }
        }
        if retired.mem_wmask != 0 && retired.mem_addr & !7 == self.tohost & !7 {
            self.caller = number;
        }
        self.tape.push(Commit::instruction(number, hart.csrs().mode, retired));
    }

    fn host_wrote(&mut self, address: u32, bytes: &[u8]) {
        let mut at = 0;
        while at < bytes.len() {
            let place = address.wrapping_add(at as u32);
            let (word, first) = (place & !3, (place & 3) as usize);
            let count = (4 - first).min(bytes.len() - at);
            let mut data = [0; 4];
            data[first..first + count].copy_from_slice(&bytes[at..at + count]);
            let lanes = ((1 << count) - 1) << first;
            self.tape.push(Commit::by_host(self.caller, word, lanes, u32::from_le_bytes(data)));
            at += count;
        }
    }
}

/// Records a run that goes on elsewhere: a machine shows it to the [`witness`](Self::witness).
pub struct Recorder(Arc<Mutex<Option<Making>>>);

impl Recorder {
    /// Of a run of this program on this machine, from its first instruction.
    pub fn new(code: Arc<Code>, parameters: &Parameters) -> Self {
        let ram = u64::from(golden::memory::RAM)..u64::from(parameters.ram_last) + 1;
        let mut memory = Pages::new(ram);
        for (address, bytes) in code.image() {
            memory.write(address, bytes);
        }
        let start = Start { harts: parameters.harts, pc: parameters.reset_vector, memory };
        let tohost = code.tohost().address;
        Self(Arc::new(Mutex::new(Some(Making {
            threads: vec![Vec::new(); start.harts],
            tape: Tape::new(start),
            recorder: evidence::log::Recorder::new(code, Arc::<Points>::default()),
            events: Vec::new(),
            ended: None,
            tohost,
            caller: 0,
        }))))
    }

    /// What the machine shows everything to.
    pub fn witness(&self) -> Witness {
        Box::new(Shared(self.0.clone()))
    }

    /// The run ended so. What the machine still shows is not recorded.
    pub fn finish(self, stopped: Stopped) -> Recording {
        let making = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Making { tape, recorder, events, threads, ended, .. } =
            making.expect("only `finish` takes it, once");
        Recording { tape: Arc::new(tape), log: recorder.finish(stopped), events, threads, ended }
    }
}

struct Shared(Arc<Mutex<Option<Making>>>);

impl Shared {
    fn with(&self, look: impl FnOnce(&mut Making)) {
        if let Some(making) = self.0.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            look(making);
        }
    }
}

impl Look for Shared {
    fn instruction(&mut self, number: usize, hart: &Hart, retired: &Retired) {
        self.with(|making| making.instruction(number, hart, retired));
    }

    fn host_wrote(&mut self, address: u32, bytes: &[u8]) {
        self.with(|making| making.host_wrote(address, bytes));
    }
}
