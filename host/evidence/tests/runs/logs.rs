//! What the log says of threads, calls and stacks.

use crate::common::Subject;
use evidence::event::{Event, Function, Thread};
use evidence::log::Ending;

#[test]
fn threads_are_named_after_their_start_functions() {
    let subject = Subject::new("cycle.c");
    let log = subject.until(|ending| *ending == Ending::Exit { code: 0 });
    let names: Vec<_> = log.threads.iter().map(|thread| thread.name.as_str()).collect();
    assert_eq!(names, ["main", "upward 1", "downward 1"]);
    let ended = |thread: u32| log.state.has_ended(Thread(thread));
    assert_eq!([ended(0), ended(1), ended(2)], [false, true, true]);
    assert!(log.state.locks().values().all(|lock| lock.holders.is_empty()));
}

#[test]
fn every_access_and_call_has_the_stack_it_was_made_on() {
    let subject = Subject::new("cycle.c");
    let log = subject.until(|ending| *ending == Ending::Exit { code: 0 });
    let downward = |event: &Event| match event {
        Event::Call(call) if call.thread == Thread(2) && call.function == Function::MutexLock => {
            Some(log.trace(call.place()))
        }
        _ => None,
    };
    let traces: Vec<Vec<String>> = log
        .events()
        .filter_map(|(_, event)| downward(event))
        .map(|trace| trace.into_iter().map(|pc| subject.mark(pc)).collect())
        .collect();
    assert_eq!(traces, [["tail", "down-call"], ["down-first", "down-call"]]);
}
