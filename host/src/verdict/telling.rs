//! What stands around the story of an account: its heading, a word for each deed, how strong the evidence is.

use super::Phrase;
use ::evidence::account::{Account, Cause, Failure, Link, Step, Waiting, Want};
use ::evidence::cause::flips::Deed;
use ::evidence::cause::story::Tried;
use ::evidence::event::Function;

/// How it fails.
pub(crate) fn heading(account: &Account) -> Phrase {
    match &account.cause {
        Cause::Deadlock { wants, .. } => deadlocked(wants),
        Cause::Missed { waits, .. } if !waits.is_empty() => waiting(waits),
        _ => failed(&account.failure),
    }
}

/// In how many of the failing runs that were examined.
pub(crate) fn share(account: &Account) -> Phrase {
    Phrase::default().count(account.runs).words(" of ").counted(account.of_runs, "failing run")
}

/// How the account was found, and how sure it is.
pub(crate) fn evidence(account: &Account) -> Phrase {
    let decisive = match &account.cause {
        Cause::Order { decisive, .. } | Cause::Missed { decisive, .. } => decisive.as_slice(),
        Cause::Deadlock { .. } | Cause::AnyOrder { .. } | Cause::Unknown => &[],
    };
    let trials = |said: Phrase| said.counted(account.trials, "trial run");
    let said = match &account.cause {
        Cause::Deadlock { .. } => {
            Phrase::new("Read off the locks where the run stood still, so it is exact")
        }
        Cause::AnyOrder { schedules, .. } => {
            Phrase::new("Found by ").counted(*schedules, "schedule").words(": each of them failed")
        }
        Cause::Unknown => {
            trials(Phrase::new("Tried with ")).words(": no order of two accesses decides")
        }
        Cause::Missed { .. } if decisive.is_empty() => {
            trials(Phrase::new("Read off the threads where the run stood still; "))
                .words(" found no order of accesses that ends the wait")
        }
        Cause::Order { .. } | Cause::Missed { .. } => trials(Phrase::new("Found by "))
            .words(": in this order it fails")
            .words(tried(decisive)),
    };
    said.words("; seen in ").then(share(account)).words(" that were examined.")
}

/// What was tried of an order, and did not fail.
fn tried(decisive: &[Link]) -> String {
    let count = |tried: Tried| decisive.iter().filter(|link| link.tried == tried).count();
    let (swapped, whole, all) = (count(Tried::Swapped), count(Tried::Whole), decisive.len());
    let turned = match (swapped, all) {
        (0, _) => None,
        (1, 1) => Some("the two".to_owned()),
        (2, 2) => Some("either pair".to_owned()),
        (some, all) if some == all => Some(format!("any of the {all} pairs")),
        (1, all) => Some(format!("one of the {all} pairs")),
        (some, all) => Some(format!("any of {some} of the {all} pairs")),
    };
    let turned = turned.map(|which| format!("with {which} the other way round"));
    let between = (whole > 0).then(|| "with nobody in between".to_owned());
    match (turned, between) {
        (Some(one), Some(other)) => format!(", {one}, or {other}, it does not"),
        (Some(how), None) | (None, Some(how)) => format!(", {how} it does not"),
        (None, None) if count(Tried::Together) > 0 => {
            ", with these and others the other way round it does not".to_owned()
        }
        (None, None) => "; which of it decides was not tried by itself".to_owned(),
    }
}

/// What a thread did to a variable: `read`, `wrote`.
pub(crate) fn deed(step: &Step) -> &'static str {
    match (step.did, step.call) {
        (_, true) => "used",
        (Deed::Read, _) => "read",
        (Deed::Write, _) => "wrote",
        (Deed::Update, _) => "updated",
        (Deed::Free, _) => "freed",
    }
}

/// What an access is called: a `read`, a `write`.
pub(crate) fn access(step: &Step) -> &'static str {
    match (step.did, step.call) {
        (_, true) => "use",
        (Deed::Read, _) => "read",
        (Deed::Write, _) => "write",
        (Deed::Update, _) => "update",
        (Deed::Free, _) => "free",
    }
}

/// What a thread waits for at an object of this function: `a signal on`.
pub(crate) fn awaited(function: Function) -> &'static str {
    match function {
        Function::CondWait => "a signal on",
        Function::SemWait => "a post to",
        Function::BarrierWait => "others at the barrier",
        _ => "",
    }
}

/// Who failed, how and where.
pub(crate) fn failed(failure: &Failure) -> Phrase {
    let who = failure.thread.as_deref().unwrap_or("The program");
    let said = Phrase::new(format!("{who} {}", failure.how));
    match &failure.at {
        Some(at) => said.words(" at ").code(&at.line),
        None => said,
    }
}

fn deadlocked(wants: &[Want]) -> Phrase {
    let names: Vec<&str> = wants.iter().map(|want| want.thread.as_str()).collect();
    match names.as_slice() {
        [only] => Phrase::new(format!("{only} is deadlocked")),
        names => Phrase::new(format!("{} are deadlocked", listed(names))),
    }
}

fn waiting(waits: &[Waiting]) -> Phrase {
    let mut names: Vec<&str> = waits.iter().map(|wait| wait.thread.as_str()).collect();
    names.dedup();
    match names.as_slice() {
        [only] => Phrase::new(format!("{only} waits for ever")),
        names => Phrase::new(format!("{} wait for ever", listed(names))),
    }
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(cause: Cause) -> Account {
        let failure =
            Failure { how: "exited with 3".into(), thread: None, at: None, pointer: None };
        Account { failure, runs: 2, of_runs: 5, cause, trials: 7, threads: Vec::new() }
    }

    #[test]
    fn evidence_says_how_it_was_found_and_how_often_it_was_seen() {
        let order = |pairs: usize| Cause::Order {
            variables: Vec::new(),
            steps: Vec::new(),
            decisive: vec![Link { first: 0, second: 1, tried: Tried::Swapped }; pairs],
        };
        let said = |cause| evidence(&account(cause)).to_string();
        assert_eq!(
            said(order(2)),
            "Found by 7 trial runs: in this order it fails, with either pair the other way round it does \
             not; seen in 2 of 5 failing runs that were examined."
        );
        assert!(said(order(1)).contains("with the two the other way round"));
        assert!(said(order(3)).contains("with any of the 3 pairs the other way round"));
        assert!(
            said(Cause::AnyOrder { schedules: 128, stands_still: None })
                .starts_with("Found by 128 schedules: each")
        );
        assert!(said(Cause::Unknown).contains("no order of two accesses decides"));
        let missed = Cause::Missed {
            waits: Vec::new(),
            variables: Vec::new(),
            steps: Vec::new(),
            decisive: Vec::new(),
        };
        assert!(said(missed).contains("7 trial runs found no order"));
    }

    #[test]
    fn names_are_listed_as_people_do() {
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b"]), "a and b");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
        let heading = heading(&account(Cause::Unknown)).to_string();
        assert_eq!(heading, "The program exited with 3");
    }
}
