//! What the end of a failing run says about it.

use crate::common::Subject;
use evidence::event::{Event, Function};
use evidence::log::{Ending, Log};
use evidence::verdict::{Deadlock, Object, Role, Verdict, Wait, inputs_of_failure, verdict};

fn deadlock_of(log: &Log) -> Deadlock {
    match verdict(log) {
        Verdict::Deadlock(deadlock) => deadlock,
        other => panic!("expected a deadlock, got {other:?}"),
    }
}

/// Each step as: who wants at, who has since.
fn steps(subject: &Subject, log: &Log, deadlock: &Deadlock) -> Vec<(String, String)> {
    let taken = |place| subject.place(log, place);
    let steps = deadlock.steps.iter();
    steps
        .map(|step| {
            let end = || format!("end of {}", log.name(step.holder));
            (subject.place(log, &step.at), step.taken.as_ref().map_or_else(end, taken))
        })
        .collect()
}

fn pair(a: &str, b: &str) -> (String, String) {
    (a.to_owned(), b.to_owned())
}

#[test]
fn a_deadlock_is_the_cycle_of_who_wants_and_who_has() {
    let subject = Subject::new("cycle.c");
    let log = subject.until(|ending| *ending == Ending::Deadlock);
    let deadlock = deadlock_of(&log);
    assert!(deadlock.cycle);
    let expected = [
        pair("upward 1@up-second", "downward 1@tail"),
        pair("downward 1@down-first", "upward 1@up-first"),
    ];
    assert_eq!(steps(&subject, &log, &deadlock), expected);
    let json = serde_json::to_value(&deadlock).expect("plain data");
    assert_eq!(json["steps"][0]["function"], "MutexLock");
}

fn held(case: u32) -> (Subject, Log, Deadlock) {
    let subject = Subject::with("held.c", &[&format!("-DCASE={case}")]);
    let log = subject.until(|ending| *ending == Ending::Deadlock);
    let deadlock = deadlock_of(&log);
    (subject, log, deadlock)
}

#[test]
fn a_thread_can_wait_for_itself() {
    let (subject, log, deadlock) = held(0);
    assert!(deadlock.cycle);
    assert_eq!(steps(&subject, &log, &deadlock), [pair("worker 1@again", "worker 1@once")]);
}

#[test]
fn readers_hold_up_a_writer() {
    let (subject, log, deadlock) = held(1);
    let expected = [pair("main@write", "worker 1@read"), pair("worker 1@inner", "main@outer")];
    assert_eq!(steps(&subject, &log, &deadlock), expected);
    assert_eq!(deadlock.steps.iter().map(|step| step.shared).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn semaphores_used_as_locks_have_holders() {
    let (subject, log, deadlock) = held(2);
    let expected =
        [pair("main@then-left", "worker 1@left"), pair("worker 1@then-right", "main@right")];
    assert_eq!(steps(&subject, &log, &deadlock), expected);
    assert!(matches!(deadlock.steps[0].wants, Object::Semaphore(_)));
}

#[test]
fn joining_a_thread_that_wants_a_lock_is_part_of_a_cycle() {
    let (subject, log, deadlock) = held(3);
    let expected = [pair("main@joined", "end of worker 1"), pair("worker 1@wanted", "main@kept")];
    assert_eq!(steps(&subject, &log, &deadlock), expected);
}

#[test]
fn a_lock_of_a_thread_that_ended_is_abandoned() {
    let (subject, log, deadlock) = held(4);
    assert!(!deadlock.cycle);
    assert_eq!(steps(&subject, &log, &deadlock), [pair("main@forever", "worker 1@left-locked")]);
}

#[test]
fn a_missed_signal_is_the_one_before_the_wait_and_its_predicate() {
    let subject = Subject::new("signal.c");
    let log = subject.until(|ending| *ending == Ending::Deadlock);
    let Verdict::Missed(waits) = verdict(&log) else { panic!("{:?}", verdict(&log)) };
    let [Wait { place, before: Some(before), after, predicate, .. }] = &waits[..] else {
        panic!("{waits:?}")
    };
    assert_eq!(subject.place(&log, place), "waiter 1@wait");
    assert_eq!(subject.place(&log, &before.place), "main@signal");
    assert_eq!((before.woken.len(), after.len()), (0, 0));
    let [tested] = &predicate[..] else { panic!("{predicate:?}") };
    assert_eq!(subject.place(&log, &tested.read.place), "waiter 1@test");
    assert!(!tested.read_locked);
    let write = tested.write.as_ref().expect("a write");
    assert_eq!((subject.place(&log, &write.place).as_str(), write.after), ("main@set", 1));
    assert!(tested.write_locked);
    let inputs = inputs_of_failure(&log);
    assert_eq!(inputs[0].role, Role::Predicate);
}

fn faulting(case: u32) -> (Subject, Log, evidence::verdict::Fault) {
    let subject = Subject::with("pointer.c", &[&format!("-DCASE={case}")]);
    let log = subject.until(|ending| matches!(ending, Ending::Fault { .. }));
    let Verdict::Fault(fault) = verdict(&log) else { panic!("{:?}", verdict(&log)) };
    assert_eq!(subject.place(&log, &fault.place), "reader 1@use");
    (subject, log, fault)
}

#[test]
fn a_pointer_that_nobody_has_set_yet_has_no_writer() {
    let (_, log, fault) = faulting(0);
    let pointer = fault.pointer.expect("a pointer");
    assert_eq!((pointer.after, fault.address, fault.writer, fault.freed), (0, 0, None, None));
    let inputs = inputs_of_failure(&log);
    assert_eq!((inputs[0].role, inputs[0].read.address), (Role::Pointer, pointer.address));
}

#[test]
fn a_pointer_that_was_cleared_names_who_did_it() {
    let (subject, log, fault) = faulting(1);
    let writer = fault.writer.expect("a writer");
    assert_eq!((subject.place(&log, &writer.place).as_str(), writer.after), ("main@clear", 0));
}

#[test]
fn a_pointer_from_a_freed_block_names_who_freed_it() {
    let (subject, log, fault) = faulting(2);
    let freed = fault.freed.expect("a freed block");
    let place = freed.freed.expect("where it was freed");
    assert_eq!(subject.place(&log, &place), "main@free");
    assert_eq!(subject.place(&log, &freed.allocated), "main@allocate");
}

#[test]
fn a_block_in_use_is_not_taken_for_the_freed_one_before_it() {
    let (subject, log, fault) = faulting(5);
    let writer = fault.writer.expect("a writer");
    assert_eq!(subject.place(&log, &writer.place), "main@no-next");
    assert_eq!(fault.freed, None);
    let block = log.state.heap.freed_at(writer.address).expect("the block before it");
    let (place, _) = block.freed.expect("a place");
    assert_eq!(subject.mark(place.pc), "freed-before", "`realloc` that stays frees nothing");
}

#[test]
fn a_bad_jump_or_a_fault_of_the_library_is_the_call_of_the_program() {
    for case in [3, 4] {
        let (subject, log, fault) = faulting(case);
        let pointer = fault.pointer.expect("a pointer");
        assert_eq!((pointer.after, fault.writer), (0, None), "{case}");
        assert_eq!(subject.place(&log, &pointer.place), "reader 1@use", "{case}");
        assert_eq!(fault.place.trace.len(), 1, "{case}: the start function has no caller");
    }
}

#[test]
fn the_inputs_of_an_assertion_are_what_its_condition_read() {
    let subject = Subject::new("lost.c");
    let log = subject.until(|ending| matches!(ending, Ending::Assertion { .. }));
    let Verdict::Assertion { file, line, place } = verdict(&log) else {
        panic!("{:?}", verdict(&log))
    };
    assert!(file.ends_with("lost.c") && line > 0, "{file}:{line}");
    assert_eq!(subject.place(&log, &place.expect("a place")), "main@assert");
    let inputs = inputs_of_failure(&log);
    assert_eq!(inputs[0].role, Role::Condition);
    assert_eq!(subject.place(&log, &inputs[0].read.place), "main@assert");
    assert!(inputs[0].read.after < 6);
    let writer = inputs[0].writer.as_ref().expect("a writer");
    assert_eq!(subject.mark(writer.place.trace[0]), "store");
    assert!(inputs[1..].iter().all(|input| input.role != Role::Condition));
    let at = log.failure.as_ref().and_then(|failure| log.event(failure.at));
    let Some(Event::Call(call)) = at else { panic!("{at:?}") };
    assert_eq!(call.function, Function::Fail, "what it printed came after the failure");
}

#[test]
fn the_inputs_of_a_bad_exit_are_what_led_to_it() {
    for level in ["-O0", "-O1", "-O2"] {
        let subject = Subject::with("lost.c", &["-DEXIT", level]);
        let log = subject.until(|ending| *ending == Ending::Exit { code: 1 });
        let inputs = inputs_of_failure(&log);
        let first = inputs.first().expect("an input");
        assert_eq!(subject.place(&log, &first.read.place), "main@check-call", "{level}");
        let writer = first.writer.as_ref().expect("a writer");
        assert_eq!(subject.mark(writer.place.trace[0]), "store", "{level}");
    }
}

#[test]
fn a_constant_that_was_read_through_a_pointer_leads_to_the_pointer() {
    let subject = Subject::new("choice.c");
    let log = subject.until(|ending| matches!(ending, Ending::Assertion { .. }));
    let inputs = inputs_of_failure(&log);
    let writer = inputs[0].writer.as_ref().expect("a writer");
    assert_eq!(subject.place(&log, &writer.place), "renamer 1@rename");
    assert_eq!(inputs[0].role, Role::Condition);
}

#[test]
fn a_wait_that_holds_another_lock_blocks_who_would_signal() {
    let subject = Subject::new("nested.c");
    let log = subject.until(|ending| *ending == Ending::Deadlock);
    let Verdict::Missed(waits) = verdict(&log) else { panic!("{:?}", verdict(&log)) };
    assert_eq!(subject.place(&log, &waits[0].place), "taker 1@wait");
    let blocks: Vec<_> = waits[0]
        .blocks
        .iter()
        .map(|one| (subject.place(&log, &one.taken), subject.place(&log, &one.wanted)))
        .collect();
    assert_eq!(blocks, [pair("taker 1@outer", "main@wanted")]);
}

#[test]
fn a_signaled_wait_wants_its_mutex_back() {
    let subject = Subject::new("woken.c");
    let log = subject.until(|ending| *ending == Ending::Deadlock);
    let deadlock = deadlock_of(&log);
    let expected = [pair("main@join", "end of waiter 1"), pair("waiter 1@wait", "main@lock")];
    assert_eq!(steps(&subject, &log, &deadlock), expected);
    assert!(matches!(deadlock.steps[1].wants, Object::MutexOfWait(_)));
}

#[test]
fn an_exit_code_that_was_computed_leads_to_what_was_read_for_it() {
    let subject = Subject::with("lost.c", &["-DCOUNT"]);
    let log = subject.until(|ending| matches!(ending, Ending::Exit { code: 1.. }));
    let first = &inputs_of_failure(&log)[0];
    assert_eq!(first.role, Role::Code);
    assert_eq!(subject.place(&log, &first.read.place), "main@check-call");
}
