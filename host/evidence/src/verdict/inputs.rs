//! What the failing statement looked at: the reads that made it fail, and who wrote what they saw.

use super::Observed;
use super::missed::predicate_reads;
use crate::event::{Access, Event, Function, Thread};
use crate::log::{Ending, Failure, Log};
use crate::state::Phase;
use serde::Serialize;
use std::collections::HashMap;

/// Reads shown of those that are only near the failure.
const MOST_NEARBY: usize = 16;

/// How a read belongs to the failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Role {
    /// The pointer of a fault was computed from it.
    Pointer,
    /// The exit code was computed from it.
    Code,
    /// The failed condition was computed from it: the last that the thread tested, or that the failing
    /// function itself did.
    Condition,
    /// A thread that waits for ever tested it before it waited.
    Predicate,
    /// An earlier condition was computed from it.
    Earlier,
    /// The failing function, or what it called, read it.
    Nearby,
}

/// A read of the failing thread, with what it saw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Input {
    /// How it belongs to the failure.
    pub role: Role,
    /// The read.
    pub read: Observed,
    /// The write whose value it saw; none if nobody had written it.
    pub writer: Option<Observed>,
}

/// The inputs of the statement that failed, the surest first: of each role the newest first. Reads of what
/// only one thread touches are left out, but not those of a pointer, a condition or a code if nothing else
/// would be left. A run that passed has no inputs.
pub fn inputs_of_failure(log: &Log) -> Vec<Input> {
    let reads = reads_of_failure(log);
    let shared = Shared::of(log);
    let all: Vec<_> = reads
        .iter()
        .filter_map(|(role, number)| Some((*role, *number, log.access(*number)?)))
        .collect();
    let shared: Vec<_> = all.iter().copied().filter(|(_, _, read)| shared.includes(read)).collect();
    let chosen = if shared.is_empty() { all } else { shared };
    let input = |(role, number, read): (Role, u64, &Access)| {
        let writer = log.writer_before(number, read);
        let writer = writer.map(|(number, write)| Observed::of(log, number, write));
        Input { role, read: Observed::of(log, number, read), writer }
    };
    chosen.into_iter().map(input).collect()
}

/// The reads of the statement that failed, by their events, whether or not anybody else touches what they read.
pub fn reads_of_failure(log: &Log) -> Vec<(Role, u64)> {
    let mut reads = match (log.ending(), &log.failure) {
        (Ending::Exit { code: 0 }, _) => return Vec::new(),
        (Ending::Deadlock | Ending::Limit, _) => waiting(log),
        (_, Some(failure)) => failing(log, failure),
        (_, None) => Vec::new(),
    };
    let mut known = Vec::new();
    reads.retain(|(_, number)| {
        let is_new = !known.contains(number);
        known.push(*number);
        is_new
    });
    reads
}

/// The threads that were still on their way when the limit stopped the run: they wait for each other by looking again and again.
pub(crate) fn spinning(log: &Log) -> impl Iterator<Item = Thread> {
    let is_limit = *log.ending() == Ending::Limit;
    let threads =
        log.state.threads().filter(move |(_, state)| is_limit && state.phase == Phase::Started);
    let threads = threads.map(|(thread, _)| thread);
    threads.filter(|thread| log.state.blocked(*thread).is_none())
}

/// The reads of threads that wait for ever.
fn waiting(log: &Log) -> Vec<(Role, u64)> {
    let waits = |thread: &Thread| {
        let function = log.state.blocked(*thread).map(|pending| pending.call.function);
        matches!(function, Some(Function::CondWait | Function::SemWait | Function::BarrierWait))
    };
    let threads = log.state.threads().map(|(thread, _)| thread);
    let threads = threads.filter(waits).chain(spinning(log));
    let reads = threads.flat_map(|thread| predicate_reads(log, thread));
    reads.map(|number| (Role::Predicate, number)).collect()
}

fn failing(log: &Log, failure: &Failure) -> Vec<(Role, u64)> {
    let newest_first = |role: Role, loads: &[u64]| {
        loads.iter().rev().map(|number| (role, *number)).collect::<Vec<_>>()
    };
    let mut reads = match log.ending() {
        Ending::Fault { pointer, .. } => newest_first(Role::Pointer, pointer.loads()),
        _ => Vec::new(),
    };
    let has_pointer = !reads.is_empty();
    // The last condition of all decided, or, if a helper ran in between, the failing function's own last.
    let conditions = &failure.conditions;
    let own = conditions.iter().position(|condition| condition.since == failure.since);
    for (index, condition) in conditions.iter().enumerate() {
        let decided = !has_pointer && (index == 0 || Some(index) == own);
        let role = if decided { Role::Condition } else { Role::Earlier };
        reads.extend(newest_first(role, condition.sources.loads()));
    }
    reads.extend(newest_first(Role::Code, failure.code.loads()));
    let in_function = log.events().rev().skip_while(|(number, _)| *number >= failure.at);
    let in_function = in_function.take_while(|(number, _)| *number >= failure.since);
    let is_own = |read: &Access| read.thread == failure.place.thread && read.site != 0;
    let own = in_function.filter_map(|(number, event)| match event {
        Event::Access(read) if is_own(read) && read.kind.reads() => Some((Role::Nearby, number)),
        _ => None,
    });
    let shared = Shared::of(log);
    let is_shared = |(_, number): &(Role, u64)| {
        log.access(*number).is_some_and(|access| shared.includes(access))
    };
    reads.extend(own.filter(is_shared).take(MOST_NEARBY));
    reads.sort_by_key(|(role, _)| *role);
    reads
}

/// The words that several threads touch and at least one writes.
struct Shared(HashMap<u32, Touched>);

struct Touched {
    first: Thread,
    by_others: bool,
    written: bool,
}

impl Shared {
    fn of(log: &Log) -> Self {
        let mut words = HashMap::new();
        for (_, event) in log.events() {
            let Event::Access(access) = event else { continue };
            let new = Touched { first: access.thread, by_others: false, written: false };
            let word: &mut Touched = words.entry(access.address & !3).or_insert(new);
            word.by_others |= word.first != access.thread;
            word.written |= access.kind.writes();
        }
        Self(words)
    }

    fn includes(&self, access: &Access) -> bool {
        self.0.get(&(access.address & !3)).is_some_and(|word| word.by_others && word.written)
    }
}
