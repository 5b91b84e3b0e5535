//! The programs: the kinds of bugs of Bugaboo's Table 1 and Recon's Table 2, each among threads that do
//! correct work.

use super::machine::Op::{self, *};
use super::machine::Program;

const LOCK_A: usize = 0;
const LOCK_B: usize = 1;

/// Threads that work correctly: they have the lower numbers, so ties are not in the bug's favor.
const BYSTANDERS: usize = 4;

/// Shared counters, tables and a hand-over, all properly locked.
fn bystander(lock: usize, data: u64, rounds: usize) -> Vec<Op> {
    vec![
        Lock(lock),
        Load(0, data),
        Add(0, 1),
        Store(data, 0),
        Unlock(lock),
        Lock(lock),
        Load(1, data + 4),
        Store(data + 8, 1),
        Load(2, data + 8),
        Store(data + 4, 2),
        Unlock(lock),
        Lock(LOCK_STATISTICS),
        Load(3, STATISTICS),
        Add(3, 1),
        Store(STATISTICS, 3),
        Unlock(LOCK_STATISTICS),
        Repeat(0, rounds),
    ]
}

const LOCK_STATISTICS: usize = 9;
const STATISTICS: u64 = 0x800;

/// A program with its threads after the bystanders'. Bug steps are counted from its own first thread.
fn program(
    name: &'static str,
    threads: Vec<Vec<Op>>,
    must_be: Option<(u64, i64)>,
    bug: &[(usize, usize)],
) -> Program {
    let mut all = vec![
        bystander(2, 0x900, 12),
        bystander(2, 0x900, 9),
        bystander(3, 0xa00, 12),
        bystander(3, 0xa00, 7),
    ];
    debug_assert_eq!(all.len(), BYSTANDERS);
    all.extend(threads);
    let bug = bug.iter().map(|(thread, step)| (BYSTANDERS + thread, *step)).collect();
    Program { name, threads: all, must_be, bug }
}

/// Counting in a shared statistic, as the bystanders do: so the threads of the bug are watched there too.
fn statistic() -> [Op; 5] {
    [
        Lock(LOCK_STATISTICS),
        Load(3, STATISTICS),
        Add(3, 1),
        Store(STATISTICS, 3),
        Unlock(LOCK_STATISTICS),
    ]
}

fn then(steps: &[Op], more: &[Op]) -> Vec<Op> {
    [steps, more].concat()
}

/// Two deposits; the read and the write are not one step.
fn bank_account() -> Program {
    let deposit = vec![
        Lock(LOCK_A),
        Load(0, 0x100),
        Unlock(LOCK_A),
        Add(0, 1),
        Lock(LOCK_A),
        Store(0x100, 0),
        Unlock(LOCK_A),
    ];
    let deposits = then(&then(&deposit, &statistic()), &[Repeat(0, 4)]);
    let bug = [(0, 1), (0, 5), (1, 1), (1, 5)];
    program("bank account (lost update)", vec![deposits.clone(), deposits], Some((0x100, 8)), &bug)
}

/// A string and its length, updated one after the other (Bugaboo Figure 4).
fn string_and_length() -> Program {
    let writer = [
        Add(0, 1),
        Lock(LOCK_A),
        Store(0x100, 0),
        Unlock(LOCK_A),
        Lock(LOCK_B),
        Store(0x104, 0),
        Unlock(LOCK_B),
    ];
    let reader = [
        Lock(LOCK_A),
        Load(0, 0x100),
        Unlock(LOCK_A),
        Lock(LOCK_B),
        Load(1, 0x104),
        Unlock(LOCK_B),
        FailIfDifferent(0, 1),
    ];
    let writer = then(&then(&writer, &statistic()), &[Repeat(0, 3)]);
    let reader = then(&then(&reader, &statistic()), &[Repeat(0, 2)]);
    let bug = [(0, 2), (0, 5), (1, 1), (1, 4)];
    program("string and length (two variables)", vec![writer, reader], None, &bug)
}

/// A value is used before it is initialized (Bugaboo Figure 2).
fn late_initialization() -> Program {
    let starter = then(&statistic(), &[Set(0, 7), Store(0x100, 0)]);
    let user = then(&statistic(), &statistic());
    let user = then(&then(&user, &statistic()), &[Load(0, 0x100), FailIfZero(0)]);
    let bug = [(0, 6), (1, 15)];
    program("late initialization (order)", vec![starter, user], None, &bug)
}

/// A queue's size is checked, and then an item is taken (Recon Figure 3).
fn check_then_take() -> Program {
    let consumer = [
        Lock(LOCK_A),
        Load(0, 0x100),
        Unlock(LOCK_A),
        IfZero(0, 10),
        Lock(LOCK_A),
        Load(0, 0x100),
        FailIfZero(0),
        Add(0, -1),
        Store(0x100, 0),
        Unlock(LOCK_A),
    ];
    let consumer = then(&then(&consumer, &statistic()), &[Repeat(0, 5)]);
    let producer =
        [Lock(LOCK_A), Load(0, 0x100), Add(0, 1), Store(0x100, 0), Unlock(LOCK_A), Repeat(0, 6)];
    let bug = [(0, 1), (0, 5), (0, 8), (1, 1), (1, 5), (1, 8)];
    let threads = vec![consumer.clone(), consumer, producer.to_vec()];
    program("check then take (atomicity)", threads, None, &bug)
}

/// A log position is read, the log is swept, the position is written back.
fn log_and_sweep() -> Program {
    let logger = [
        Lock(LOCK_A),
        Load(0, 0x100),
        Unlock(LOCK_A),
        Load(1, STATISTICS),
        Add(0, 1),
        Lock(LOCK_A),
        Store(0x100, 0),
        Unlock(LOCK_A),
    ];
    let logger = then(&then(&logger, &statistic()), &[Repeat(0, 3)]);
    let sweeper = [
        Lock(LOCK_A),
        Load(0, 0x100),
        Set(1, 0),
        Store(0x100, 1),
        Unlock(LOCK_A),
        Lock(LOCK_A),
        Load(0, 0x100),
        Unlock(LOCK_A),
        // One entry may have come since; what was swept may not be back.
        IfZero(0, 12),
        Add(0, -1),
        IfZero(0, 12),
        FailIfDifferent(0, 1),
    ];
    let sweeper = then(&then(&sweeper, &statistic()), &[Repeat(0, 2)]);
    let bug = [(0, 1), (0, 6), (1, 3), (1, 6)];
    program("log and sweep (atomicity)", vec![logger, sweeper], None, &bug)
}

/// A flag says that data is ready; it is raised too early.
fn early_flag() -> Program {
    let producer = [Set(1, 1), Store(0x104, 1), Set(0, 7), Store(0x100, 0)];
    let producer = then(&statistic(), &producer);
    let consumer = [Load(0, 0x104), IfZero(0, 4), Load(1, 0x100), FailIfZero(1)];
    let consumer = then(&then(&consumer, &statistic()), &[Repeat(0, 4)]);
    let bug = [(0, 6), (0, 8), (1, 0), (1, 2)];
    program("early flag (order)", vec![producer, consumer], None, &bug)
}

/// A list's two ends are moved in two steps.
fn two_ended_list() -> Program {
    let mover = [
        Lock(LOCK_A),
        Load(0, 0x100),
        Add(0, 1),
        Store(0x100, 0),
        Unlock(LOCK_A),
        Lock(LOCK_A),
        Load(1, 0x104),
        Add(1, 1),
        Store(0x104, 1),
        Unlock(LOCK_A),
    ];
    let mover = then(&then(&mover, &statistic()), &[Repeat(0, 3)]);
    let checker =
        [Lock(LOCK_A), Load(0, 0x100), Load(1, 0x104), Unlock(LOCK_A), FailIfDifferent(0, 1)];
    let checker = then(&then(&checker, &statistic()), &[Repeat(0, 3)]);
    let bug = [(0, 3), (0, 8), (1, 1), (1, 2)];
    program("two-ended list (two variables)", vec![mover, checker], None, &bug)
}

/// All of them.
pub fn all() -> Vec<Program> {
    vec![
        bank_account(),
        string_and_length(),
        late_initialization(),
        check_then_take(),
        log_and_sweep(),
        early_flag(),
        two_ended_list(),
    ]
}
