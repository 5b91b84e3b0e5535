//! Critical sections of recorded runs: which locks are held at an event, and where a section that begins at a call ends.

use ::evidence::cause::sections::{Held, Sections};
use ::evidence::event::{Call, Event, Function, Thread};
use ::evidence::log::Log;
use std::collections::{BTreeMap, HashMap};

/// What a recorded run shows of locks.
#[derive(Default)]
pub struct Locks {
    /// By event, the locks that its thread holds just before it; of events at which it holds some.
    held: HashMap<u64, Vec<Held>>,
    /// By the event with which a lock was taken: the call.
    taken: HashMap<u64, Call>,
}

impl Locks {
    /// Of a run.
    pub fn of(log: &Log) -> Self {
        let mut sections = Sections::default();
        let mut locks = Self::default();
        for (number, event) in log.events() {
            let thread: Option<Thread> = match event {
                Event::Access(access) | Event::Inside(access) => Some(access.thread),
                Event::Call(call) => Some(call.thread),
                _ => None,
            };
            if let Some(held) = thread.map(|thread| sections.of(thread)).filter(|h| !h.is_empty()) {
                locks.held.insert(number, held.to_vec());
            }
            if let Event::Call(call) = event
                && takes(call.function)
            {
                locks.taken.insert(number, *call);
            }
            sections.see(number, event);
        }
        locks
    }

    /// The calls that took the locks held at an event, outermost first, with the locks.
    pub fn at(&self, number: u64) -> impl Iterator<Item = (u32, &Call)> {
        let held = self.held.get(&number).map_or(&[][..], Vec::as_slice);
        held.iter().filter_map(|held| Some((held.lock, self.taken.get(&held.from)?)))
    }
}

/// Whether a call of a function takes the lock that is its first argument, and waits for it.
fn takes(function: Function) -> bool {
    use Function::{MutexLock, ReadLock, SemWait, SpinLock, WriteLock};
    matches!(function, MutexLock | ReadLock | WriteLock | SpinLock | SemWait)
}

/// Where sections end, by the call with which they begin: the instruction to which the call returns that gives the lock back.
pub struct Ends(BTreeMap<u32, u32>);

impl Ends {
    /// As these runs show it.
    pub fn of<'a>(logs: impl Iterator<Item = &'a Log>) -> Self {
        let mut ends = BTreeMap::new();
        for log in logs {
            let mut open = HashMap::<(Thread, u32), u32>::new();
            for (_, event) in log.events() {
                let Event::Call(call) = event else { continue };
                let key = (call.thread, call.values[0]);
                if takes(call.function) {
                    open.insert(key, call.site);
                } else if gives(call.function)
                    && let Some(begin) = open.remove(&key)
                    && let Some(end) = back(log, call)
                {
                    ends.entry(begin).or_insert(end);
                }
            }
        }
        Self(ends)
    }

    /// Of the section that begins at a call.
    pub fn of_call(&self, site: u32) -> Option<u32> {
        self.0.get(&site).copied()
    }
}

fn gives(function: Function) -> bool {
    use Function::{MutexUnlock, RwUnlock, SemPost, SpinUnlock};
    matches!(function, MutexUnlock | RwUnlock | SpinUnlock | SemPost)
}

/// The program's instruction to which a call of the library comes back: after a jump that ends its function, that is the one behind
/// the call of that function.
pub fn back(log: &Log, call: &Call) -> Option<u32> {
    let callers = log.call_sites(call.stack).into_iter().rev();
    std::iter::once(call.site).chain(callers).find(|site| links(log, *site)).map(|site| site + 4)
}

/// Whether a call comes back to the instruction behind it; else it ends its function with a jump.
pub fn links(log: &Log, site: u32) -> bool {
    instruction(log, site).is_some_and(|insn| insn >> 7 & 31 == 1)
}

fn instruction(log: &Log, pc: u32) -> Option<u32> {
    let (start, bytes) = log
        .code
        .image()
        .find(|(start, bytes)| (*start..*start + bytes.len() as u32).contains(&pc))?;
    let at = (pc - start) as usize;
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}
