//! Accounts of every kind, with names of any kind.

use crosstalk::report::Report;
use crosstalk::verdict::Finding;
use evidence::account::{Account, Cause, Failure, Link, Spot, Step, Tested, Waiting, Want};
use evidence::cause::flips::Deed;
use evidence::cause::story::Tried;
use evidence::event::Function;

/// Makes accounts, with `more` at the end of every name.
pub struct Maker<'a> {
    pub more: &'a str,
}

impl Maker<'_> {
    fn name(&self, name: &str) -> String {
        format!("{name}{}", self.more)
    }

    pub fn spot(&self, number: u32) -> Spot {
        Spot {
            line: self.name(&format!("story.c:{number}")),
            function: Some(self.name("work")),
            text: Some(self.name(&format!("text_of_{number}();"))),
        }
    }

    fn step(&self, thread: &str, did: Deed, number: u32, too_late: bool) -> Step {
        Step {
            thread: self.name(thread),
            did,
            call: false,
            variable: self.name("queue.size"),
            before: Some(number),
            after: Some(number + 1),
            at: self.spot(number),
            stack: vec![self.spot(number + 1000)],
            too_late,
        }
    }

    pub fn account(&self, cause: Cause) -> Account {
        let failure = Failure {
            how: self.name("failed the assertion"),
            thread: Some(self.name("main")),
            at: Some(self.spot(99)),
            pointer: None,
        };
        Account { failure, runs: 3, of_runs: 25, cause, trials: 198, threads: Vec::new() }
    }

    /// Three accesses and one that comes too late.
    pub fn order(&self) -> Account {
        let steps = vec![
            self.step("first", Deed::Read, 10, false),
            self.step("second", Deed::Write, 20, false),
            self.step("first", Deed::Update, 30, false),
            self.step("second", Deed::Free, 40, true),
        ];
        let variables = vec![self.name("queue.size")];
        let link = |first, second| Link { first, second, tried: Tried::Swapped };
        let decisive = vec![link(2, 3), link(0, 1)];
        self.account(Cause::Order { variables, steps, decisive })
    }

    fn want(&self, thread: &str, object: &str, holder: &str, number: u32) -> Want {
        Want {
            thread: self.name(thread),
            object: self.name(object),
            at: self.spot(number),
            stack: vec![self.spot(number + 1000)],
            holder: self.name(holder),
            taken: Some(self.spot(number + 1)),
            taken_stack: vec![self.spot(number + 2000)],
        }
    }

    /// Two threads and two locks, in a ring or not.
    pub fn deadlock(&self, cycle: bool) -> Account {
        let last = if cycle { "left" } else { "gone" };
        let wants =
            vec![self.want("left", "lock_a", "right", 50), self.want("right", "lock_b", last, 60)];
        self.account(Cause::Deadlock { wants, cycle })
    }

    /// A thread that wants what it has.
    pub fn alone(&self) -> Account {
        let wants = vec![self.want("left", "lock_a", "left", 50)];
        self.account(Cause::Deadlock { wants, cycle: true })
    }

    /// A wait, and the signal before it.
    pub fn missed(&self) -> Account {
        let waits = vec![Waiting {
            thread: self.name("waiter"),
            function: Function::CondWait,
            object: self.name("ready_cond"),
            at: self.spot(70),
            stack: vec![self.spot(1070)],
            signal: Some((self.name("sender"), self.spot(71))),
            holds: Vec::new(),
            tested: vec![Tested {
                variable: self.name("ready"),
                read: self.spot(72),
                locked: false,
                written: Some((self.name("sender"), self.spot(73))),
                written_locked: true,
            }],
        }];
        let (variables, steps, decisive) = Default::default();
        self.account(Cause::Missed { waits, variables, steps, decisive })
    }

    /// One of each kind.
    pub fn all(&self) -> Vec<Account> {
        vec![
            self.order(),
            self.deadlock(true),
            self.deadlock(false),
            self.alone(),
            self.missed(),
            self.account(Cause::AnyOrder { schedules: 64, stands_still: None }),
            self.account(Cause::Unknown),
        ]
    }
}

/// The report with these accounts, the first of which is the verdict.
pub fn with(report: &Report, accounts: Vec<Account>) -> Report {
    let mut report = report.clone();
    report.analysis.finding = Finding::Exact(Box::new(accounts[0].clone()));
    report.analysis.accounts = accounts;
    report
}

/// The report with an account of each kind, and `more` at the end of every name in them.
pub fn with_all(report: &Report, more: &str) -> Report {
    with(report, Maker { more }.all())
}
