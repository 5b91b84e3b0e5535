//! Waits that nothing will end, and the signals that came too early or went to others.

use super::{Observed, Place};
use crate::event::{Event, Function, Thread};
use crate::log::Log;
use crate::state::{Hold, Pending, Signal, State};
use serde::Serialize;

/// Reads of a predicate that are shown.
const MOST_READS: usize = 4;

/// A signal, broadcast or post.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sent {
    /// Where it was sent, and by whom.
    pub place: Place,
    /// The number of its event.
    pub number: u64,
    /// A broadcast.
    pub all: bool,
    /// The threads that it woke; nobody waited if there is none.
    pub woken: Vec<Thread>,
}

/// A variable that the waiting thread looked at before it waited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Predicate {
    /// The read.
    pub read: Observed,
    /// Whether the waiting thread held the mutex of its wait, or any lock if that has none.
    pub read_locked: bool,
    /// The last write by another thread.
    pub write: Option<Observed>,
    /// Whether the writing thread held the same mutex then, or any lock.
    pub write_locked: bool,
}

/// A lock that the waiting thread holds while it waits, and a thread that wants it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BlockedOn {
    /// The lock's address.
    pub lock: u32,
    /// Where the waiting thread took it.
    pub taken: Place,
    /// Where another thread asks for it.
    pub wanted: Place,
}

/// A wait that does not end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Wait {
    /// The call that waits: its thread and the calls that led to it.
    pub place: Place,
    /// The number of its event.
    pub number: u64,
    /// The function that waits.
    pub function: Function,
    /// The condition, semaphore or barrier, by address.
    pub object: u32,
    /// The mutex of a condition's wait, by address.
    pub mutex: Option<u32>,
    /// The last signal, broadcast or post before the wait.
    pub before: Option<Sent>,
    /// Those after it began, which woke others or nobody, newest first.
    pub after: Vec<Sent>,
    /// What the thread looked at before it waited, newest first.
    pub predicate: Vec<Predicate>,
    /// Threads that cannot go on while this one waits.
    pub blocks: Vec<BlockedOn>,
}

/// The waits of a log's end for conditions, semaphores and barriers, in the order of threads. A condition
/// that was signaled does not count: what its wait needs is the mutex.
pub fn missed(log: &Log) -> Vec<Wait> {
    let waits = |pending: &&Pending| {
        let function = pending.call.function;
        let ends =
            matches!(function, Function::CondWait | Function::SemWait | Function::BarrierWait);
        ends && pending.woken.is_none()
    };
    let threads = log.state.threads().map(|(thread, _)| thread);
    let pending = threads.filter_map(|thread| log.state.blocked(thread).filter(waits));
    pending.map(|pending| wait(log, pending)).collect()
}

fn wait(log: &Log, pending: &Pending) -> Wait {
    let call = &pending.call;
    let object = call.values[0];
    let mutex = (call.function == Function::CondWait).then_some(call.values[1]);
    let conditions = log.state.conditions().get(&object).map(|one| &one.signals);
    let posts = || log.state.semaphores().get(&object).map(|one| &one.posts);
    let signals = match call.function {
        Function::CondWait => conditions,
        Function::SemWait => posts(),
        _ => None,
    };
    let newest_first = || signals.into_iter().flatten().rev();
    let sent = |signal: &Signal| Sent {
        place: Place::of(log, signal.place),
        number: signal.at,
        all: signal.all,
        woken: signal.woken.clone(),
    };
    Wait {
        place: Place::of(log, call.place()),
        number: pending.since,
        function: call.function,
        object,
        mutex,
        before: newest_first().find(|signal| signal.at < pending.since).map(sent),
        after: newest_first().filter(|signal| signal.at > pending.since).map(sent).collect(),
        predicate: predicate(log, call.thread, mutex),
        blocks: blocks(log, call.thread),
    }
}

/// What a thread that waits read for the conditions it tested last, in the function that waits.
pub(super) fn predicate_reads(log: &Log, thread: Thread) -> Vec<u64> {
    let conditions = log.conditions(thread);
    let since = conditions.first().map(|condition| condition.since);
    let in_function = conditions.iter().filter(|condition| Some(condition.since) == since);
    let mut reads = Vec::new();
    for read in in_function.flat_map(|condition| condition.sources.loads().iter().rev()) {
        let address = |number: u64| log.access(number).map(|access| access.address);
        if address(*read).is_some() && !reads.iter().any(|one| address(*one) == address(*read)) {
            reads.push(*read);
        }
    }
    reads.truncate(MOST_READS);
    reads
}

fn predicate(log: &Log, thread: Thread, mutex: Option<u32>) -> Vec<Predicate> {
    let stack = log.threads.get(thread.0 as usize).map(|info| info.stack.clone());
    let is_own = |address: u32| stack.as_ref().is_some_and(|stack| stack.contains(&address));
    let created = log.events().find_map(|(number, event)| match event {
        Event::Create { thread: new, .. } if *new == thread => Some(number),
        _ => None,
    });
    let predicate = |number: u64| {
        let access = log.access(number).filter(|access| !is_own(access.address))?;
        let write = log.events().rev().find_map(|(number, event)| match event {
            Event::Access(write) if write.kind.writes() && write.overlaps(access) => {
                (write.thread != thread).then_some((number, write))
            }
            _ => None,
        });
        // What was written before the thread was created needs no lock.
        let write = write.filter(|(number, _)| created.is_none_or(|created| *number > created));
        let locked = |number: u64, thread: Thread| is_locked(log, number, thread, mutex);
        Some(Predicate {
            read: Observed::of(log, number, access),
            read_locked: locked(number, thread),
            write: write.map(|(number, write)| Observed::of(log, number, write)),
            write_locked: write.is_some_and(|(number, write)| locked(number, write.thread)),
        })
    };
    predicate_reads(log, thread).into_iter().filter_map(predicate).collect()
}

/// Whether a thread held the mutex, or any lock, at an event. Of a log that lost its first events this
/// may miss locks that were taken before.
fn is_locked(log: &Log, number: u64, thread: Thread, mutex: Option<u32>) -> bool {
    let mut state = State::default();
    for (at, event) in log.events().take_while(|(at, _)| *at < number) {
        state.see(at, event);
    }
    state.held_by(thread).any(|(lock, _)| mutex.is_none_or(|mutex| mutex == lock))
}

fn blocks(log: &Log, thread: Thread) -> Vec<BlockedOn> {
    let wanted = |lock: u32| {
        let threads = log.state.threads().map(|(other, _)| other);
        let blocked = threads.filter_map(|other| log.state.blocked(other));
        blocked.filter(move |pending| {
            use Function::{MutexLock, ReadLock, SpinLock, WriteLock};
            let locks =
                matches!(pending.call.function, MutexLock | ReadLock | SpinLock | WriteLock);
            locks && pending.call.values[0] == lock
        })
    };
    let blocked_on = |lock: u32, hold: &Hold, pending: &Pending| BlockedOn {
        lock,
        taken: Place::of(log, hold.place),
        wanted: Place::of(log, pending.call.place()),
    };
    let held = log.state.held_by(thread);
    held.flat_map(|(lock, hold)| wanted(lock).map(move |pending| blocked_on(lock, hold, pending)))
        .collect()
}
