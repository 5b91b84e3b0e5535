//! What is known of a failure, with names in it: threads, lines, variables and values instead of addresses.
//!
//! Plain data for those who put it into words or pictures.

mod teller;
mod wrappers;

pub(crate) use teller::Found;
pub use teller::{Teller, stuck};
pub use wrappers::{CallersTold, callers_told};

use crate::cause::flips::Deed;
use crate::cause::story::Tried;
use crate::event::Function;
use serde::Serialize;

/// One way in which a program fails, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Account {
    /// How it fails.
    pub failure: Failure,
    /// Failing runs that were examined and failed like this.
    pub runs: u32,
    /// All failing runs that were examined.
    pub of_runs: u32,
    /// What it takes.
    pub cause: Cause,
    /// Runs that were made to find out.
    pub trials: u64,
    /// The threads that the account is about, in the order in which they appear.
    pub threads: Vec<String>,
}

/// How a run failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// In words that follow the thread: `failed the assertion`, `exited with 3`.
    pub how: String,
    /// The thread that did, if one did.
    pub thread: Option<String>,
    /// The statement that failed.
    pub at: Option<Spot>,
    /// Where its bad pointer came from, or a value that it read in a block that had been freed.
    pub pointer: Option<Pointer>,
}

/// Where a pointer came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pointer {
    /// The variable that it was read from.
    pub variable: String,
    /// Where it was read.
    pub read: Spot,
    /// Who wrote it last, and where; nobody had if there is none.
    pub written: Option<(String, Spot)>,
    /// Who freed the block that it was read from, that it points into, or that it pointed into before it became null; and where.
    pub freed: Option<(String, Spot)>,
    /// The read was in that block.
    pub inside: bool,
}

/// Two accesses of a story whose order decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Link {
    /// The place of the earlier one among the steps, from 0.
    pub first: usize,
    /// That of the later one.
    pub second: usize,
    /// How that was tried.
    pub tried: Tried,
}

/// A place in the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Spot {
    /// `queue.c:41`, or an address.
    pub line: String,
    /// The function around it.
    pub function: Option<String>,
    /// The text of the line.
    pub text: Option<String>,
}

/// What a failure takes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "known", rename_all = "kebab-case")]
pub enum Cause {
    /// Accesses in this order.
    Order {
        /// What they are about, the one that matters most first.
        variables: Vec<String>,
        /// The accesses, in the failing order.
        steps: Vec<Step>,
        /// The pairs that are told.
        decisive: Vec<Link>,
    },
    /// Threads that wait for each other.
    Deadlock {
        /// Who wants what, and who has it; each holder is the thread of the next.
        wants: Vec<Want>,
        /// The last holder is the thread of the first; else it has ended with the lock in its hands.
        cycle: bool,
    },
    /// Threads that wait for what nobody does any more, and the order that led to it.
    Missed {
        /// The waits.
        waits: Vec<Waiting>,
        /// What the order is about.
        variables: Vec<String>,
        /// The accesses whose order decides, in the failing order.
        steps: Vec<Step>,
        /// As of an order.
        decisive: Vec<Link>,
    },
    /// Nothing: it fails in whatever order threads run.
    AnyOrder {
        /// Schedules that were tried.
        schedules: u64,
        /// Of a run that stands still: the deadlock, or the waits, that it ends with.
        stands_still: Option<Box<Self>>,
    },
    /// Not known: no order of accesses was found that decides.
    Unknown,
}

/// An access of a story.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Who.
    pub thread: String,
    /// Did what.
    pub did: Deed,
    /// The library did it, in a call that synchronizes.
    pub call: bool,
    /// To what.
    pub variable: String,
    /// The value before.
    pub before: Option<u32>,
    /// The value after; what was read.
    pub after: Option<u32>,
    /// The line of the access.
    pub at: Spot,
    /// The calls that led there, innermost first.
    pub stack: Vec<Spot>,
    /// The failing run ended before it: a passing run does it before the read.
    pub too_late: bool,
}

/// A thread that wants what another has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Want {
    /// Who wants.
    pub thread: String,
    /// What: a lock, or `the end of worker 2`.
    pub object: String,
    /// Where it asks, and the calls that led there.
    pub at: Spot,
    /// See `at`.
    pub stack: Vec<Spot>,
    /// Who has it.
    pub holder: String,
    /// Where that thread took it; none for the end of a thread.
    pub taken: Option<Spot>,
    /// The calls that led there.
    pub taken_stack: Vec<Spot>,
}

/// A thread that waits for ever.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Waiting {
    /// Who.
    pub thread: String,
    /// In which function of the library.
    pub function: Function,
    /// For what.
    pub object: String,
    /// The call that waits.
    pub at: Spot,
    /// The calls that led there.
    pub stack: Vec<Spot>,
    /// The last signal before the wait: by whom and where; nobody was waiting for it.
    pub signal: Option<(String, Spot)>,
    /// What the thread tested before it waited.
    pub tested: Vec<Tested>,
    /// The locks that it holds meanwhile, and who wants them.
    pub holds: Vec<Want>,
}

/// A variable that a thread tested before it waited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tested {
    /// The variable.
    pub variable: String,
    /// Where it was read.
    pub read: Spot,
    /// With the lock of the wait held.
    pub locked: bool,
    /// Who wrote it last, and where.
    pub written: Option<(String, Spot)>,
    /// With that lock held.
    pub written_locked: bool,
}

/// The same with those put together that tell the same: runs that fail in other calls may come down to one cause.
pub(crate) fn merged(accounts: Vec<Account>) -> Vec<Account> {
    let mut merged: Vec<Account> = Vec::new();
    for account in accounts {
        let told =
            |one: &&mut Account| one.failure == account.failure && one.cause == account.cause;
        match merged.iter_mut().find(told).filter(|_| account.cause != Cause::Unknown) {
            Some(same) => {
                same.runs += account.runs;
                same.trials += account.trials;
            }
            None => merged.push(account),
        }
    }
    merged
}

impl Cause {
    /// What can be shown of it: of any order, what it ends with.
    pub fn shown(&self) -> &Self {
        match self {
            Self::AnyOrder { stands_still: Some(how), .. } => how,
            _ => self,
        }
    }
}

impl Account {
    /// The lines that its story names, in order.
    pub fn lines(&self) -> Vec<&str> {
        let spots: Vec<&Spot> = match self.cause.shown() {
            Cause::Order { steps, .. } => steps.iter().map(|step| &step.at).collect(),
            Cause::Deadlock { wants, .. } => {
                let told = callers_told(wants);
                let taken = wants.iter().zip(&told).flat_map(|(want, told)| {
                    want.taken.iter().chain(&want.taken_stack[..told.taken])
                });
                let asked = wants.iter().zip(&told);
                let asked = asked
                    .flat_map(|(want, told)| [&want.at].into_iter().chain(&want.stack[..told.at]));
                taken.chain(asked).collect()
            }
            Cause::Missed { waits, steps, .. } => {
                let signals = waits.iter().filter_map(|wait| wait.signal.as_ref());
                let signals = signals.map(|(_, spot)| spot);
                let steps = steps.iter().map(|step| &step.at);
                let tested = || waits.iter().flat_map(|wait| &wait.tested);
                let written = tested().filter_map(|tested| tested.written.as_ref());
                let tested = tested().map(|tested| &tested.read);
                let tested = tested.chain(written.map(|(_, spot)| spot));
                let waits = waits.iter().flat_map(|wait| {
                    let taken = wait.holds.iter().filter_map(|want| want.taken.as_ref());
                    taken.chain([&wait.at]).chain(wait.holds.iter().map(|want| &want.at))
                });
                steps.chain(tested).chain(signals).chain(waits).collect()
            }
            Cause::AnyOrder { .. } | Cause::Unknown => Vec::new(),
        };
        let pointer = self.failure.pointer.as_ref().filter(|_| !spots.is_empty());
        let freed = pointer.and_then(|pointer| pointer.freed.as_ref()).map(|(_, spot)| spot);
        let used = freed.and(pointer).map(|pointer| &pointer.read);
        let all = spots.into_iter().chain(freed).chain(used);
        all.map(|spot| spot.line.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Account, Cause, Failure, merged};

    #[test]
    fn accounts_that_tell_the_same_become_one_with_the_runs_of_all() {
        let account = |schedules: u64, runs: u32| Account {
            failure: Failure { how: "deadlocked".into(), thread: None, at: None, pointer: None },
            runs,
            of_runs: 6,
            cause: Cause::AnyOrder { schedules, stands_still: None },
            trials: 10,
            threads: Vec::new(),
        };
        let all = merged(vec![account(1, 3), account(2, 2), account(1, 1)]);
        let counts: Vec<_> = all.iter().map(|one| (one.runs, one.of_runs, one.trials)).collect();
        assert_eq!(counts, [(4, 6, 20), (2, 6, 10)]);
        let unknown = |runs| Account { cause: Cause::Unknown, ..account(1, runs) };
        assert_eq!(
            merged(vec![unknown(1), unknown(1)]).len(),
            2,
            "nothing is known to be the same"
        );
    }
}
