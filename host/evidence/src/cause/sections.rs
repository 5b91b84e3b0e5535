//! Which locks a thread holds when it does something, and since when: an access can only be moved together with the
//! critical section around it.

use crate::event::{Event, Function, Thread};
use std::collections::BTreeMap;

/// A lock that a thread holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// Its address.
    pub lock: u32,
    /// The number of the event with which the thread began to take it.
    pub from: u64,
}

/// The locks of all threads, kept up to date event by event.
#[derive(Clone, Debug, Default)]
pub struct Sections {
    held: BTreeMap<Thread, Vec<Held>>,
    /// By thread, the calls that it is in: where each began.
    calls: BTreeMap<Thread, Vec<(Function, [u32; 4], u64)>>,
    woken: BTreeMap<Thread, u64>,
}

impl Sections {
    /// The locks of a thread, in the order in which it took them.
    pub fn of(&self, thread: Thread) -> &[Held] {
        self.held.get(&thread).map_or(&[], Vec::as_slice)
    }

    /// Takes an event into account.
    pub fn see(&mut self, number: u64, event: &Event) {
        use Function::{
            CondTimedWait, CondWait, MutexLock, MutexTryLock, MutexUnlock, ReadLock, RwUnlock,
            SemPost, SemTryWait, SemWait, SpinLock, SpinTryLock, SpinUnlock, TryReadLock,
            TryWriteLock, WriteLock,
        };
        match event {
            Event::Call(call) => {
                self.calls.entry(call.thread).or_default().push((
                    call.function,
                    call.values,
                    number,
                ));
                match call.function {
                    MutexUnlock | RwUnlock | SpinUnlock | SemPost => {
                        self.give(call.thread, call.values[0]);
                    }
                    CondWait | CondTimedWait => self.give(call.thread, call.values[1]),
                    _ => {}
                }
            }
            Event::Return(call) => {
                let Some((function, arguments, from)) =
                    self.calls.entry(call.thread).or_default().pop()
                else {
                    return;
                };
                match function {
                    MutexLock | MutexTryLock | ReadLock | TryReadLock | WriteLock
                    | TryWriteLock | SpinLock | SpinTryLock | SemWait | SemTryWait
                        if call.values[0] == 0 =>
                    {
                        self.take(call.thread, arguments[0], from);
                    }
                    CondWait | CondTimedWait => {
                        let woken = self.woken.get(&call.thread).copied();
                        let from = woken.filter(|woken| *woken > from).unwrap_or(from);
                        self.take(call.thread, arguments[1], from);
                    }
                    _ => {}
                }
            }
            Event::Wake { woken, .. } => {
                self.woken.insert(*woken, number);
            }
            _ => {}
        }
    }

    fn take(&mut self, thread: Thread, lock: u32, from: u64) {
        self.held.entry(thread).or_default().push(Held { lock, from });
    }

    fn give(&mut self, thread: Thread, lock: u32) {
        let held = self.held.entry(thread).or_default();
        if let Some(index) = held.iter().rposition(|held| held.lock == lock) {
            held.remove(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Call, StackId};

    fn call(function: Function, values: [u32; 4]) -> Call {
        Call { thread: Thread(1), function, values, site: 4, stack: StackId(0) }
    }

    #[test]
    fn a_lock_is_held_from_the_call_that_takes_it_to_the_call_that_gives_it_back() {
        let mut sections = Sections::default();
        let locks = |sections: &Sections| sections.of(Thread(1)).to_vec();
        sections.see(3, &Event::Call(call(Function::MutexLock, [8, 0, 0, 0])));
        assert_eq!(locks(&sections), []);
        sections.see(6, &Event::Return(call(Function::MutexLock, [0; 4])));
        assert_eq!(locks(&sections), [Held { lock: 8, from: 3 }]);
        sections.see(7, &Event::Call(call(Function::CondWait, [16, 8, 0, 0])));
        assert_eq!(locks(&sections), [], "while it waits");
        sections.see(9, &Event::Wake { by: Thread(0), woken: Thread(1) });
        sections.see(12, &Event::Return(call(Function::CondWait, [0; 4])));
        assert_eq!(locks(&sections), [Held { lock: 8, from: 9 }]);
        sections.see(13, &Event::Call(call(Function::MutexUnlock, [8, 0, 0, 0])));
        assert_eq!(locks(&sections), []);
    }
}
