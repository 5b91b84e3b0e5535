//! The state of threads and objects, kept up to date event by event.
//!
//! A lock is held from the return of the call that took it to the call that gives it back: a little
//! shorter than in the library, so that two threads never seem to hold one mutex.

mod heap;
mod objects;

pub use heap::{Block, Heap};
pub use objects::{Condition, Hold, Lock, Semaphore, Signal};

use crate::event::{Call, Event, Function, Thread};
use std::collections::BTreeMap;

/// What a thread does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// It was created and has not started.
    #[default]
    Created,
    /// It has started and not ended.
    Started,
    /// It has ended.
    Ended,
}

/// A call of the library that has not returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    /// The call.
    pub call: Call,
    /// The number of its event.
    pub since: u64,
    /// Of a wait for a condition: the signal that ended it. What is left is to take the mutex again.
    pub woken: Option<Signal>,
    /// Of a wait for a condition: how the mutex had been taken, which the wait gives back meanwhile.
    given_back: Option<Hold>,
}

/// A thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadState {
    /// Whether it runs.
    pub phase: Phase,
    /// The calls of the library it is in, outermost first.
    pub calls: Vec<Pending>,
    handle: u32,
}

/// Threads, locks, conditions, semaphores and blocks.
#[derive(Clone, Debug, Default)]
pub struct State {
    threads: Vec<ThreadState>,
    locks: BTreeMap<u32, Lock>,
    conditions: BTreeMap<u32, Condition>,
    semaphores: BTreeMap<u32, Semaphore>,
    /// Blocks of the heap.
    pub heap: Heap,
}

impl State {
    /// The threads, by number.
    pub fn threads(&self) -> impl Iterator<Item = (Thread, &ThreadState)> {
        self.threads.iter().enumerate().map(|(number, state)| (Thread(number as u32), state))
    }

    /// The call of the library that a thread is in, if it can wait there for ever.
    pub fn blocked(&self, thread: Thread) -> Option<&Pending> {
        let state = self.threads.get(thread.0 as usize)?;
        state.calls.last().filter(|pending| pending.call.function.can_block())
    }

    /// Whether a thread has ended.
    pub fn has_ended(&self, thread: Thread) -> bool {
        self.threads.get(thread.0 as usize).is_some_and(|state| state.phase == Phase::Ended)
    }

    /// The newest thread with this `pthread_t`.
    pub fn thread_of(&self, handle: u32) -> Option<Thread> {
        let number = self.threads.iter().rposition(|thread| thread.handle == handle)?;
        Some(Thread(number as u32))
    }

    /// Mutexes, reader/writer locks and spin locks that were ever taken, by address.
    pub fn locks(&self) -> &BTreeMap<u32, Lock> {
        &self.locks
    }

    /// Condition variables that were ever signaled, by address.
    pub fn conditions(&self) -> &BTreeMap<u32, Condition> {
        &self.conditions
    }

    /// Semaphores, by address.
    pub fn semaphores(&self) -> &BTreeMap<u32, Semaphore> {
        &self.semaphores
    }

    /// The locks that a thread holds: their addresses, and how each was taken.
    pub fn held_by(&self, thread: Thread) -> impl Iterator<Item = (u32, &Hold)> {
        let holds = self
            .locks
            .iter()
            .flat_map(|(address, lock)| lock.holders.iter().map(move |hold| (*address, hold)));
        holds.filter(move |(_, hold)| hold.place.thread == thread)
    }

    /// Takes an event into account.
    pub fn see(&mut self, number: u64, event: &Event) {
        match event {
            Event::Access(_) | Event::Inside(_) => {}
            Event::Create { thread, handle, .. } => self.thread(*thread).handle = *handle,
            Event::Start(thread) => self.thread(*thread).phase = Phase::Started,
            Event::End(thread) => {
                let state = self.thread(*thread);
                state.phase = Phase::Ended;
                state.calls.clear();
            }
            Event::Wake { by, woken } => self.woke(*by, *woken),
            Event::Call(call) => self.called(number, call),
            Event::Return(call) => self.returned(number, call),
        }
    }

    fn thread(&mut self, thread: Thread) -> &mut ThreadState {
        let index = thread.0 as usize;
        if self.threads.len() <= index {
            self.threads.resize_with(index + 1, ThreadState::default);
        }
        &mut self.threads[index]
    }

    fn called(&mut self, number: u64, call: &Call) {
        let (object, place) = (call.values[0], call.place());
        let mut given_back = None;
        match call.function {
            Function::MutexInit => drop(self.locks.remove(&object)),
            Function::SemInit => {
                self.semaphores.insert(object, Semaphore::with_value(call.values[2]));
            }
            Function::MutexUnlock | Function::RwUnlock | Function::SpinUnlock => {
                self.give(object, call.thread);
            }
            Function::CondWait | Function::CondTimedWait => {
                given_back = self.give(call.values[1], call.thread);
            }
            Function::CondSignal | Function::CondBroadcast => {
                let all = call.function == Function::CondBroadcast;
                self.conditions.entry(object).or_default().signaled(place, number, all);
            }
            Function::SemPost => {
                self.semaphores.entry(object).or_default().posted(place, number);
            }
            Function::Free => self.heap.freed(object, place, number),
            _ => {}
        }
        let pending = Pending { call: *call, since: number, woken: None, given_back };
        self.thread(call.thread).calls.push(pending);
    }

    fn returned(&mut self, number: u64, call: &Call) {
        let Some(pending) = self.thread(call.thread).calls.pop() else { return };
        let (result, arguments) = (call.values[0], pending.call.values);
        let place = call.place();
        let hold = Hold { place, at: number, shared: false };
        let mut take = |object: u32, hold: Hold| {
            self.locks.entry(object).or_default().holders.push(hold);
        };
        match call.function {
            Function::MutexLock
            | Function::MutexTryLock
            | Function::WriteLock
            | Function::TryWriteLock
            | Function::SpinLock
            | Function::SpinTryLock
                if result == 0 =>
            {
                take(arguments[0], hold);
            }
            Function::ReadLock | Function::TryReadLock if result == 0 => {
                take(arguments[0], Hold { shared: true, ..hold });
            }
            Function::CondWait | Function::CondTimedWait => {
                if let Some(hold) = pending.given_back {
                    take(arguments[1], hold);
                }
            }
            Function::SemWait | Function::SemTryWait if result == 0 => {
                self.semaphores.entry(arguments[0]).or_default().taken(hold);
            }
            Function::Malloc => self.heap.allocated(result, arguments[0], place, number),
            Function::Calloc => {
                let bytes = arguments[0].saturating_mul(arguments[1]);
                self.heap.allocated(result, bytes, place, number);
            }
            Function::AlignedAlloc => {
                self.heap.allocated(result, arguments[1], place, number);
            }
            Function::Realloc => {
                let stays = result == arguments[0];
                if !stays && (result != 0 || arguments[1] == 0) {
                    self.heap.freed(arguments[0], place, number);
                }
                self.heap.allocated(result, arguments[1], place, number);
            }
            _ => {}
        }
    }

    /// A thread gives a lock back: what it took last, or what anybody did if it has none.
    fn give(&mut self, object: u32, thread: Thread) -> Option<Hold> {
        let holders = &mut self.locks.get_mut(&object)?.holders;
        let own = holders.iter().rposition(|hold| hold.place.thread == thread);
        let index = own.or_else(|| holders.len().checked_sub(1))?;
        Some(holders.remove(index))
    }

    /// A thread woke another: if that was a signal, the other's wait is over.
    fn woke(&mut self, by: Thread, woken: Thread) {
        let signals = |pending: &&Pending| {
            matches!(pending.call.function, Function::CondSignal | Function::CondBroadcast)
        };
        let signaling = self.thread(by).calls.last().filter(signals);
        let Some(object) = signaling.map(|pending| pending.call.values[0]) else { return };
        let condition = self.conditions.get_mut(&object);
        let Some(signal) = condition.and_then(|condition| condition.signals.back_mut()) else {
            return;
        };
        signal.woken.push(woken);
        let signal = signal.clone();
        let waits = self.thread(woken).calls.last_mut();
        if let Some(waits) = waits.filter(|pending| pending.call.values[0] == object) {
            waits.woken = Some(signal);
        }
    }
}
