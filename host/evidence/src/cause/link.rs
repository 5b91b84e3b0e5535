//! The last link of a failure: what the failing statement saw, and the other thread that made it so.

use super::flips::{Act, Acts, Pair};
use super::story::Lives;
use crate::event::Thread;
use crate::log::Log;
use crate::verdict::{Role, provenance, reads_of_failure, spinning};
use std::collections::BTreeSet;

/// The threads whose statement failed, or that wait for ever: what they did not see in time, they missed.
pub(super) fn victims(log: &Log) -> BTreeSet<Thread> {
    match &log.failure {
        Some(failure) => [failure.place.thread].into(),
        None => {
            let threads = log.state.threads().map(|(thread, _)| thread);
            let blocked = threads.filter(|thread| log.state.blocked(*thread).is_some());
            blocked.chain(spinning(log)).collect()
        }
    }
}

/// The read that made the statement fail with the other thread's write that it saw. If what it read had been freed, also the
/// `free`, and the failing thread's last access to the block before that: between the two it believed the block to be its own.
pub(super) fn last_link(log: &Log, acts: &Acts) -> Vec<Pair> {
    let Some(read) = decisive_read(log) else { return Vec::new() };
    let Some(access) = log.access(read) else { return Vec::new() };
    let Some(second) = Act::of(log, read) else { return Vec::new() };
    let mut found = Vec::new();
    let writer = log.writer_before(read, access).and_then(|(number, _)| Act::of(log, number));
    found.extend(writer.map(|first| (first, second)));
    if let Some(free) = freed(log, read, access.address) {
        let own = |act: &&Act| {
            act.number < free.number
                && act.place.thread == second.place.thread
                && act.conflicts(&free)
        };
        found.extend(acts.iter().filter(own).last().map(|before| (*before, free)));
        found.push((free, second));
    }
    let lives = Lives::of(log);
    let pairs = found.into_iter().map(|(first, second)| Pair { first, second, unfinished: false });
    let is_between_threads = |pair: &Pair| {
        pair.first.conflicts(&pair.second)
            && !pair.first.inside
            && !pair.second.inside
            && !lives.order(pair)
    };
    pairs.filter(is_between_threads).collect()
}

/// The read of a bad pointer, or of a freed block; else the newest that the failed condition or the exit code was computed from
/// and that another thread had written.
fn decisive_read(log: &Log) -> Option<u64> {
    if let Some(known) = provenance(log) {
        return Some(known.read.number);
    }
    let decided = [Role::Code, Role::Condition];
    let reads = reads_of_failure(log).into_iter().filter(|(role, _)| decided.contains(role));
    let of_another = |number: &u64| {
        log.access(*number).is_some_and(|read| {
            let writer = log.writer_before(*number, read);
            writer.is_some_and(|(_, write)| write.thread != read.thread)
        })
    };
    reads.map(|(_, number)| number).filter(of_another).max()
}

/// The `free` of the block that an address was in when it was read.
fn freed(log: &Log, read: u64, address: u32) -> Option<Act> {
    let heap = &log.state.heap;
    let again = heap.live(address).is_some_and(|again| again.since < read);
    let (_, at) = heap.freed_at(address).filter(|_| !again)?.freed.filter(|(_, at)| *at < read)?;
    Act::of(log, at)
}
