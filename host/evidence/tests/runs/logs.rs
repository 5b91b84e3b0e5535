//! What the log says of threads, calls and stacks.

use crate::common::Subject;
use evidence::event::{Event, Function, Thread};
use evidence::log::Ending;
use evidence::run::Order;
use golden::machine::{Scheduling, Turn};

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

#[test]
fn a_long_run_keeps_its_newest_events_and_an_exact_state() {
    let subject = Subject::new("long.c");
    let log = subject.run(0);
    assert_eq!(*log.ending(), Ending::Exit { code: 1 });
    assert!(log.dropped() > 0 && log.events().len() <= 1_000_000);
    assert_eq!(log.events().next().map(|(number, _)| number), Some(log.dropped()));
    assert_eq!(log.dropped() + log.events().len() as u64, log.next());
    assert!(log.event(log.dropped() - 1).is_none() && log.event(log.dropped()).is_some());
    let held: Vec<_> = log.state.held_by(Thread(0)).map(|(_, hold)| hold.place.pc).collect();
    assert_eq!(held.iter().map(|pc| subject.mark(*pc)).collect::<Vec<_>>(), ["taken"]);
}

/// The harts that performed points, one by one, as turns say.
fn spelled_out(turns: &[Turn]) -> Vec<usize> {
    let mut done = [0; 16];
    let mut order = Vec::new();
    for turn in turns {
        order.extend((done[turn.hart]..turn.until).map(|_| turn.hart));
        done[turn.hart] = turn.until;
    }
    order
}

#[test]
fn the_turns_of_a_log_are_those_of_its_run_and_lead_to_the_same_end() {
    let subject = Subject::new("counted.c");
    let lab = subject.lab.clone().learned().expect("runs");
    let mut ends = Vec::new();
    for seed in 0..24 {
        let order = Order::Drawn { seed, strategy: Scheduling::of_seed(seed) };
        let (trial, log) = (lab.run(&order, true).expect("a run"), lab.log(&order).expect("a run"));
        // The log stops at the statement that ends the run.
        let (taken, logged) = (spelled_out(&trial.turns), spelled_out(log.turns()));
        assert!(taken.starts_with(&logged) && logged.len() + 9 > taken.len(), "seed {seed}");
        let again = Order::Script(log.turns().into());
        assert_eq!(lab.run(&again, false).expect("a run").signature, trial.signature);
        ends.push(trial.signature);
    }
    ends.sort();
    ends.dedup();
    assert!(ends.len() > 1, "{ends:?}");
}
