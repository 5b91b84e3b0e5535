//! What trying out orders tells of failures.

use crate::common::Subject;
use evidence::account::{Account, Cause, Step};
use evidence::cause::flips::Deed;
use evidence::examine::Examination;
use evidence::run::{Order, Trial};
use evidence::signature::Signature;
use golden::machine::Scheduling;

/// The accounts of what a program does in its first schedules.
fn accounts(name: &str) -> Vec<Account> {
    let subject = Subject::new(name);
    let lab = &subject.lab;
    let fails = |trial: &Trial| trial.signature != Signature::Exit { code: 0 };
    let orders = (0..60).map(|seed| Order::Drawn { seed, strategy: Scheduling::of_seed(seed) });
    let (failing, passing): (Vec<_>, Vec<_>) =
        orders.partition(|order| fails(&lab.run(order, false).expect("a run")));
    let names = &subject.names;
    let schedules = 60;
    Examination { lab, names, fails: &fails, failing, passing, schedules }.accounts().expect("runs")
}

/// The steps of an account's order, and the pairs that decide.
fn order(account: &Account) -> (&[Step], &[(usize, usize)]) {
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
    assert_eq!(decisive, [(0, 1)]);
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
    assert_eq!(account.cause, Cause::AnyOrder { schedules: 60 });
}
