//! Which threads there are: when each is created, what it is called, when it runs for the first time.

use super::{LONGEST_TEXT, Recorder, SP};
use crate::event::{Event, Function, Thread};
use crate::log::thread::{Running, ThreadInfo};
use golden::isa::Hart;

const TP: u8 = 4;

impl Recorder {
    /// The first instruction of a thread on a hart.
    pub(super) fn begin(&mut self, hart: &Hart) -> Option<Running> {
        let thread = if self.log.threads.is_empty() {
            let name = "main".to_owned();
            self.log.threads.push(ThreadInfo {
                name,
                start: 0,
                argument: 0,
                handle: 0,
                created: None,
                stack: 0..0,
            });
            Thread(0)
        } else {
            self.created.remove(&hart.register(TP))?
        };
        let sp = hart.register(SP);
        self.log.threads[thread.0 as usize].stack = sp..sp;
        self.log.push(Event::Start(thread));
        Some(Running::new(thread, sp))
    }

    /// A thread asked for another. It asks again if no hart is idle yet.
    pub(super) fn create(&mut self, running: &Running, entry: u32, handle: u32, pointer: u32) {
        if self.created.contains_key(&pointer) {
            return;
        }
        let creating = running.calls.iter().rev().map(|open| open.call);
        let creating = creating.into_iter().find(|call| call.function == Function::Create);
        let (start, argument) =
            creating.map_or((entry, 0), |call| (call.values[2], call.values[3]));
        let number = self.started.entry(start).or_default();
        *number += 1;
        let name = match self.code.name(start) {
            Some(name) => format!("{name} {number}"),
            None => format!("thread {number}"),
        };
        let thread = Thread(self.log.threads.len() as u32);
        let created = creating.map(|call| call.place());
        self.log.threads.push(ThreadInfo { name, start, argument, handle, created, stack: 0..0 });
        self.created.insert(pointer, thread);
        self.log.push(Event::Create { by: running.thread, thread, handle });
    }

    /// The program gave the thread with a handle the name at an address.
    pub(super) fn named(&mut self, handle: u32, text: u32) {
        let name = self.log.memory.text(text, LONGEST_TEXT).filter(|name| !name.is_empty());
        let threads = self.log.threads.iter_mut();
        let thread = threads.rev().find(|thread| thread.handle == handle);
        if let (Some(thread), Some(name)) = (thread, name) {
            thread.name = name;
        }
    }
}
