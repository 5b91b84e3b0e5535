//! What trying out orders tells of failures.

use crate::common::Subject;
use evidence::account::{Account, Cause, Link, Spot, Step, callers_told};
use evidence::cause::flips::Deed;
use evidence::cause::story::Tried;
use evidence::examine::Examination;
use evidence::run::{Order, Trial};
use evidence::signature::Signature;
use golden::machine::Scheduling;

/// Failing runs that are looked for, and schedules that are run at least and at most.
const FAILING: usize = 8;
const SCHEDULES: std::ops::RangeInclusive<usize> = 60..=600;

/// The accounts of what a program does in its first schedules.
fn accounts(name: &str) -> Vec<Account> {
    let subject = Subject::new(name);
    let lab = &subject.lab;
    let fails = |trial: &Trial| trial.signature != Signature::Exit { code: 0 };
    let (mut failing, mut passing) = (Vec::new(), Vec::new());
    for seed in 0..*SCHEDULES.end() as u64 {
        let tried = failing.len() + passing.len();
        if tried >= *SCHEDULES.start() && failing.len() >= FAILING {
            break;
        }
        let order = Order::Drawn { seed, strategy: Scheduling::of_seed(seed) };
        let failed = fails(&lab.run(&order, false).expect("a run"));
        if failed { &mut failing } else { &mut passing }.push(order);
    }
    let names = &subject.names;
    let schedules = (failing.len() + passing.len()) as u64;
    Examination { lab, names, fails: &fails, failing, passing, schedules }.accounts().expect("runs")
}

/// The steps of an account's order, and the pairs that decide.
fn order(account: &Account) -> (&[Step], &[Link]) {
    match &account.cause {
        Cause::Order { steps, decisive, .. } => (steps, decisive),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_lost_update_is_told_access_by_access() {
    let accounts = accounts("counted.c");
    let [account] = accounts.as_slice() else { panic!("{accounts:?}") };
    let (steps, decisive) = order(account);
    let told: Vec<_> = steps.iter().map(|step| (step.did, step.variable.as_str())).collect();
    assert!(told.iter().all(|(_, variable)| *variable == "tally.count"), "{told:?}");
    let writes: Vec<_> = steps.iter().filter(|step| step.did == Deed::Write).collect();
    let [.., other, last] = writes.as_slice() else { panic!("{told:?}") };
    assert_ne!(other.thread, last.thread);
    let mut reads = steps.iter().filter(|step| step.did == Deed::Read);
    let read = reads.find(|step| step.thread == last.thread).expect("its read");
    assert_eq!(last.after, read.after.map(|seen| seen + 1));
    assert!(last.before > read.after, "the other's update is lost: {steps:?}");
    assert!(!decisive.is_empty() && account.trials > 0);
    assert!(account.failure.how.contains("assertion"), "{}", account.failure.how);
    assert_eq!(account.runs, account.of_runs);
}

#[test]
fn a_read_that_ends_the_run_is_told_with_the_write_that_it_needed() {
    let accounts = accounts("early.c");
    let (steps, decisive) = order(&accounts[0]);
    let told: Vec<_> =
        steps.iter().map(|step| (step.thread.as_str(), step.did, step.too_late)).collect();
    assert_eq!(told, [("user 1", Deed::Read, false), ("main", Deed::Write, true)]);
    assert_eq!(decisive, [Link { first: 0, second: 1, tried: Tried::Swapped }]);
    assert!(steps.iter().all(|step| step.variable == "shared"), "{steps:?}");
}

#[test]
fn a_program_that_fails_when_nobody_is_interrupted_is_told_by_what_passing_takes() {
    let accounts = accounts("unjoined.c");
    let (steps, _) = order(&accounts[0]);
    let told: Vec<_> = steps.iter().map(|step| (step.thread.as_str(), step.did)).collect();
    assert_eq!(told, [("main", Deed::Read), ("compute 1", Deed::Write)]);
    assert_eq!(accounts[0].failure.how, "exited with 3");
}

#[test]
fn what_fails_in_every_order_has_no_cause() {
    let accounts = accounts("always.c");
    let [account] = accounts.as_slice() else { panic!("{accounts:?}") };
    assert_eq!(account.cause, Cause::AnyOrder { schedules: 60, stands_still: None });
}

#[test]
fn what_was_read_in_a_freed_block_is_told_with_where_it_was_freed() {
    let accounts = accounts("freed.c");
    let pointer = accounts[0].failure.pointer.as_ref().expect("where the value came from");
    assert_eq!(pointer.variable, "node->weight");
    assert!(pointer.read.text.as_deref().is_some_and(|text| text.contains("@use")), "{pointer:?}");
    let (who, at) = pointer.freed.as_ref().expect("the block was freed");
    assert_eq!(who, "remover 1");
    assert!(at.text.as_deref().is_some_and(|text| text.contains("@free")), "{at:?}");
    assert!(accounts[0].lines().windows(2).any(|pair| pair == [&at.line, &pointer.read.line]));
}

#[test]
fn the_story_of_a_freed_block_ends_with_the_free_and_the_use() {
    let accounts = accounts("freed.c");
    let (steps, decisive) = order(&accounts[0]);
    let main = decisive[0];
    let (free, used) = (&steps[main.first], &steps[main.second]);
    let is_at = |step: &Step, mark: &str| step.at.text.as_ref().is_some_and(|t| t.contains(mark));
    assert_eq!((free.did, used.did), (Deed::Free, Deed::Read), "{steps:?}");
    assert!(is_at(free, "@free") && is_at(used, "@use"), "{steps:?}");
    assert_eq!(free.variable, "node", "what was freed is called as the call says");
}

#[test]
fn a_pointer_that_was_emptied_after_a_free_is_told_with_the_free() {
    let accounts = accounts("emptied.c");
    let null = accounts.iter().find(|account| account.failure.how.ends_with(" 0x0"));
    let pointer = null.expect("a null pointer").failure.pointer.as_ref().expect("its origin");
    let is_at = |told: &Option<(String, Spot)>, mark: &str| {
        let (who, at) = told.as_ref().expect("told");
        who == "main" && at.text.as_ref().is_some_and(|text| text.contains(mark))
    };
    assert_eq!(pointer.variable, "journal");
    assert!(is_at(&pointer.written, "@empty") && is_at(&pointer.freed, "@free"), "{pointer:?}");
    assert!(!pointer.inside, "the pointer itself is a global");
}

#[test]
fn a_call_over_two_words_that_another_interrupts_is_told_with_both() {
    let accounts = accounts("stolen.c");
    let (steps, decisive) = order(&accounts[0]);
    let text = |place: usize| steps[place].at.text.as_deref().unwrap_or_default();
    let has = |first: &str, second: &str| {
        decisive
            .iter()
            .any(|link| text(link.first).contains(first) && text(link.second).contains(second))
    };
    assert!(has("@limit", "@recall") && has("@left", "@take"), "{steps:?} {decisive:?}");
}

#[test]
fn a_check_under_the_lock_that_no_longer_holds_later_is_told() {
    let accounts = accounts("places.c");
    let (steps, decisive) = order(&accounts[0]);
    let told: Vec<_> = steps
        .iter()
        .map(|step| (step.did, step.variable.as_str(), step.at.text.as_deref().unwrap_or("")))
        .collect();
    let is = |(did, variable, text): &(Deed, &str, &str), wanted: Deed, mark: &str| {
        *did == wanted && *variable == "places.taken" && text.contains(mark)
    };
    let look = told.iter().position(|one| is(one, Deed::Read, "@look")).expect("the check");
    let take = told.iter().rposition(|one| is(one, Deed::Write, "@take")).expect("the write");
    assert!(look < take, "{told:?}");
    assert!(decisive.iter().any(|link| link.tried == Tried::Swapped), "{decisive:?}");
}

#[test]
fn a_member_that_has_only_two_values_keeps_its_name() {
    let accounts = accounts("two_values.c");
    let (steps, _) = order(&accounts[0]);
    let names: Vec<_> = steps.iter().map(|step| step.variable.as_str()).collect();
    assert!(names.contains(&"board.ready") && names.contains(&"board.pressure"), "{names:?}");
}

#[test]
fn a_deadlock_in_every_order_is_told_with_its_locks() {
    let accounts = accounts("upgraded.c");
    let [account] = accounts.as_slice() else { panic!("{accounts:?}") };
    let Cause::AnyOrder { stands_still: Some(how), .. } = &account.cause else {
        panic!("{account:?}")
    };
    let Cause::Deadlock { wants, cycle: true } = &**how else { panic!("{how:?}") };
    let [want] = wants.as_slice() else { panic!("{wants:?}") };
    assert_eq!((&want.thread, want.object.as_str()), (&want.holder, "table_lock"));
    assert_eq!(account.lines().len(), 2, "where it was taken, and where it is wanted");
}

#[test]
fn locks_that_one_function_takes_are_told_apart_by_its_callers() {
    let accounts = accounts("wrapped.c");
    let Cause::Deadlock { wants, .. } = &accounts[0].cause else { panic!("{accounts:?}") };
    let told = callers_told(wants);
    assert!(told.iter().all(|told| (told.at, told.taken) == (1, 1)), "{wants:?}");
    let text = |spot: &Spot| spot.text.clone().unwrap_or_default();
    let mut calls: Vec<_> =
        wants.iter().flat_map(|want| [&want.taken_stack[0], &want.stack[0]]).map(text).collect();
    calls.sort();
    let marks = ["@left first", "@left second", "@right first", "@right second"];
    assert!(calls.iter().zip(marks).all(|(call, mark)| call.contains(mark)), "{calls:?}");
    assert_eq!(accounts[0].lines().len(), 8);
}
