//! The cycle of threads that wait for each other.

use super::Place;
use crate::event::{Function, Thread};
use crate::log::Log;
use crate::state::Hold;
use serde::Serialize;

/// What a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Object {
    /// A mutex, reader/writer lock or spin lock, by address.
    Lock(u32),
    /// The mutex of a condition that was signaled, by address: the wait takes it again.
    MutexOfWait(u32),
    /// A unit of a semaphore that is used as a lock, by address.
    Semaphore(u32),
    /// The end of a thread.
    End(Thread),
}

/// A thread waits for what another has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// What it wants.
    pub wants: Object,
    /// Where it asks, and which thread.
    pub at: Place,
    /// The function it called.
    pub function: Function,
    /// The thread that has it.
    pub holder: Thread,
    /// Where that thread took it; none for the end of a thread.
    pub taken: Option<Place>,
    /// It was taken for reading.
    pub shared: bool,
}

/// Threads that wait for each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Deadlock {
    /// Each step's holder is the thread of the next.
    pub steps: Vec<Step>,
    /// The last holder is the thread of the first step. Otherwise it has ended without giving back what it
    /// holds.
    pub cycle: bool,
}

/// The deadlock that a log ends with, if threads wait for each other or for one that has ended. A cycle is
/// preferred; of several, that of the thread with the lowest number.
pub fn deadlock(log: &Log) -> Option<Deadlock> {
    let mut abandoned = None;
    let mut seen = Vec::new();
    for (thread, _) in log.state.threads() {
        let mut search = Search { log, seen: &mut seen, path: Vec::new(), abandoned: None };
        if let Some(steps) = search.from(thread) {
            return Some(Deadlock { steps, cycle: true });
        }
        abandoned = abandoned.or(search.abandoned);
    }
    abandoned.map(|steps| Deadlock { steps, cycle: false })
}

struct Search<'a> {
    log: &'a Log,
    /// Threads from which there is no cycle.
    seen: &'a mut Vec<Thread>,
    path: Vec<Step>,
    abandoned: Option<Vec<Step>>,
}

impl Search<'_> {
    fn from(&mut self, thread: Thread) -> Option<Vec<Step>> {
        if let Some(start) = self.path.iter().position(|step| step.at.thread == thread) {
            return Some(self.path.split_off(start));
        }
        if self.seen.contains(&thread) {
            return None;
        }
        for step in steps(self.log, thread) {
            let (holder, is_lock) = (step.holder, step.taken.is_some());
            self.path.push(step);
            if is_lock && self.log.state.has_ended(holder) {
                let last = self.path.last().cloned();
                self.abandoned = self.abandoned.take().or(last.map(|step| vec![step]));
            } else if let Some(cycle) = self.from(holder) {
                return Some(cycle);
            }
            self.path.pop();
        }
        self.seen.push(thread);
        None
    }
}

/// What a thread waits for, once for every thread that has it.
fn steps(log: &Log, thread: Thread) -> Vec<Step> {
    let Some(pending) = log.state.blocked(thread) else { return Vec::new() };
    let call = &pending.call;
    let step = |wants: Object, holder: Thread, hold: Option<&Hold>| Step {
        wants,
        at: Place::of(log, call.place()),
        function: call.function,
        holder,
        taken: hold.map(|hold| Place::of(log, hold.place)),
        shared: hold.is_some_and(|hold| hold.shared),
    };
    let held = |wants: Object, holders: &[Hold], reads: bool| {
        let holders = holders.iter().filter(|hold| !(reads && hold.shared));
        holders.map(|hold| step(wants, hold.place.thread, Some(hold))).collect::<Vec<_>>()
    };
    let lock = |wants: Object, address: u32, reads: bool| {
        let lock = log.state.locks().get(&address);
        lock.map(|lock| held(wants, &lock.holders, reads)).unwrap_or_default()
    };
    let [object, mutex, ..] = call.values;
    match call.function {
        Function::MutexLock | Function::SpinLock | Function::WriteLock => {
            lock(Object::Lock(object), object, false)
        }
        Function::ReadLock => lock(Object::Lock(object), object, true),
        Function::CondWait if pending.woken.is_some() => {
            lock(Object::MutexOfWait(mutex), mutex, false)
        }
        Function::SemWait => {
            let semaphore = log.state.semaphores().get(&object).filter(|one| one.is_lock);
            let holders = semaphore.map(|one| one.holders.as_slice()).unwrap_or_default();
            held(Object::Semaphore(object), holders, false)
        }
        Function::Join => {
            let joined = log.state.thread_of(object);
            let joined = joined.filter(|joined| !log.state.has_ended(*joined));
            joined.map(|joined| step(Object::End(joined), joined, None)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}
