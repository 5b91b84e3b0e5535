//! Sets of breakpoints to try, from what failing runs show: the page's table of bug, constraint and breakpoint.
//!
//! | bug | constraint | breakpoint |
//! |---|---|---|
//! | two accesses in the wrong order | u before v | (u, v), equal word |
//! | a sequence that another interrupts | b between a1 and a2 | (b, a2), equal word: a1 has passed |
//! | the same with a lock at both | the whole sections | (lock of u, lock of v), until u's unlock returned |
//! | either, in functions | calls in order | (call of u's function, call of v's), until the first returned |
//! | several variables | b1 … b2 between a1 and a2 | (b1, a2), until b2 |
//! | deadlock | each holds one, each asks | the calls that ask |
//! | missed signal | signal before wait | the calls, or those that lock before them |

use super::evidence::Evidence;
use super::sections::{Ends, Locks, back, links};
use crate::breakpoint::{Entry, Party, Set};
use ::evidence::cause::flips::{Act, Acts, Deed, Pair};
use ::evidence::event::Event;
use ::evidence::log::Log;
use ::evidence::verdict::{Deadlock, Wait, deadlock, missed};
use border::breakpoint::PARTIES;
use std::collections::BTreeSet;

/// A set to try, and those that force the opposite order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Under which the failure should come.
    pub forced: Set,
    /// Under which it should never, each by itself: the other way round, or with a sequence as a whole.
    pub opposites: Vec<Set>,
}

impl Candidate {
    /// An order of two: who goes first, where that is over, and the same for the opposite order.
    pub fn order(parties: [Party; 2], until: [Option<u32>; 2], wait: u32) -> Self {
        let [mut first, mut second] = parties;
        if first.value != second.value {
            (first, second) = (Party::at(first.pc), Party::at(second.pc));
        }
        let entry = |parties: Vec<Party>, until| Entry { until, ..Entry::of(parties, wait) };
        Self {
            forced: Set::of(entry(vec![first, second], until[0])),
            opposites: vec![Set::of(entry(vec![second, first], until[1]))],
        }
    }

    /// Both sets of two candidates at once.
    pub fn with(&self, other: &Self) -> Self {
        let both = |one: &Set, other: &Set| Set {
            entries: one.entries.iter().chain(&other.entries).cloned().collect(),
        };
        let opposites = self.opposites.iter().zip(&other.opposites);
        Self {
            forced: both(&self.forced, &other.forced),
            opposites: opposites.map(|(one, other)| both(one, other)).collect(),
        }
    }

    /// The same with all sets changed.
    pub fn changed(&self, change: impl Fn(&Set) -> Set) -> Self {
        let opposites = self.opposites.iter().map(&change).collect();
        Self { forced: change(&self.forced), opposites }
    }

    /// The locations of its forced order.
    pub fn locations(&self) -> impl Iterator<Item = u32> {
        let parties = self.forced.entries.iter().flat_map(|entry| &entry.parties);
        parties.map(|party| party.pc)
    }
}

/// Candidates, the likeliest first, each once; all of them wait for `wait`.
pub fn candidates(evidence: &Evidence, wait: u32) -> Vec<Candidate> {
    let Some(log) = evidence.failing.first() else { return Vec::new() };
    let ends = Ends::of(evidence.failing.iter().chain(&evidence.passing));
    let acts = Acts::of(log).iter().copied().collect();
    let maker = Maker { log, locks: Locks::of(log), ends, wait, pairs: &evidence.pairs, acts };
    let mut all = Vec::new();
    if let Some(deadlock) = deadlock(log) {
        all.extend(maker.deadlock(&deadlock));
    } else {
        for wait in missed(log) {
            all.extend(maker.missed(&wait));
        }
    }
    let (told, rest) = evidence.pairs.split_at(evidence.pairs.len().min(TOLD));
    told.iter().for_each(|pair| all.extend(maker.pair(pair)));
    rest.iter().for_each(|pair| all.extend(maker.pair(pair).into_iter().take(1)));
    let mut known = BTreeSet::new();
    all.retain(|one| known.insert(one.forced.key()));
    all.truncate(MOST);
    all
}

/// Pairs of which all variants are tried.
const TOLD: usize = 6;
/// Candidates at most.
const MOST: usize = 40;

struct Maker<'a> {
    log: &'a Log,
    locks: Locks,
    ends: Ends,
    wait: u32,
    pairs: &'a [Pair],
    acts: Vec<Act>,
}

/// The location of an access: the instruction, or the program's call that led to it.
fn party(act: &Act) -> Party {
    match is_plain(act) {
        true => Party::on_word(act.pc),
        false => Party::at(act.place.pc),
    }
}

/// A call in the program, and the call that led there.
#[derive(Clone, Copy)]
struct Call {
    site: u32,
    caller: Option<u32>,
}

/// Whether it is an access that the program makes itself.
fn is_plain(act: &Act) -> bool {
    !act.inside && act.pc == act.place.pc && act.deed != Deed::Free
}

impl Maker<'_> {
    fn order(&self, first: Party, second: Party, until: [Option<u32>; 2]) -> Candidate {
        Candidate::order([first, second], until, self.wait)
    }

    /// Of a pair: at the calls that take the outermost lock which both hold, if there is one; else at the accesses; then until the
    /// first thread is done with what else is told of it.
    fn pair(&self, pair: &Pair) -> Vec<Candidate> {
        let Pair { first, second, .. } = pair;
        let mut found = Vec::new();
        found.extend(self.lifted(first, second));
        let at = [party(first), party(second)];
        let done = [self.last_of(first), self.last_of(second)];
        if done[0].is_some() {
            found.push(self.order(at[0], at[1], done));
        }
        found.push(self.order(at[0], at[1], [None; 2]));
        found.extend(self.one_lifted(first, second));
        let wholes = self.wholes(first, second);
        for candidate in &mut found {
            candidate.opposites.splice(0..0, wholes.iter().cloned());
        }
        found.extend(self.called(first, second));
        found
    }

    /// The calls of the functions that the two are in: a function may be called from several places, and only one of them may matter. The
    /// first goes until its call is over. Opposite: the calls of the second's caller as a whole, from one that came before the first to the
    /// second's; then the reverse.
    fn called(&self, first: &Act, second: &Act) -> Option<Candidate> {
        let [one, other] = [first, second].map(|act| self.call(act));
        if one.is_none() && other.is_none() {
            return None;
        }
        let at = |call: Option<Call>, act: &Act| call.map_or(party(act).pc, |call| call.site);
        let sites = [at(one, first), at(other, second)];
        let over = |call: Option<Call>| call.map(|call| call.site + 4);
        let parties = sites.map(Party::at);
        let mut candidate = self.order(parties[0], parties[1], [over(one), over(other)]);
        let begins = |end: &Act, site: u32| {
            let end_call = self.call(end);
            let same_caller = move |act: &&Act| {
                is_plain(act)
                    && act.place.thread == end.place.thread
                    && self
                        .call(act)
                        .zip(end_call)
                        .is_some_and(|(call, end)| call.caller == end.caller)
            };
            let earlier = self.acts.iter().filter(same_caller);
            let sites = earlier.map(|act| (act.number, self.call(act).map_or(0, |call| call.site)));
            sites.filter(move |(_, before)| *before < site).collect::<Vec<_>>()
        };
        let before = begins(second, sites[1]);
        let before = before.iter().rfind(|(number, _)| *number < first.number);
        if let (Some((_, begin)), Some(until)) = (before, over(other)) {
            let parties = vec![Party::at(*begin), Party::at(sites[0])];
            let whole = Entry { until: Some(until), ..Entry::of(parties, self.wait) };
            candidate.opposites.insert(0, Set::of(whole));
        }
        Some(candidate)
    }

    /// The call of the function that an access is in, if the program made it from a function of its own.
    fn call(&self, act: &Act) -> Option<Call> {
        let trace = self.log.trace(act.place);
        let (site, caller) = (*trace.get(1)?, trace.get(2).copied());
        Some(Call { site, caller }).filter(|call| links(self.log, call.site))
    }

    /// Orders in which the sequences around the two are whole: that of the second's thread before that of the first's, or the reverse. Whole
    /// sequences can be forced at every visit; the reverse of a pair only where threads do not come to its other end first.
    fn wholes(&self, first: &Act, second: &Act) -> Vec<Set> {
        let whole = |begin: &Act, other: &Act, end: &Act| {
            let parties = [party(begin), party(other)];
            let same_word = begin.address >> 2 == other.address >> 2;
            let alike = same_word && parties[0].value == parties[1].value;
            let bare = |party: Party| if alike { party } else { Party::at(party.pc) };
            let parties = parties.map(bare).to_vec();
            Set::of(Entry { until: Some(end.pc), ..Entry::of(parties, self.wait) })
        };
        let [(one, one_end), (other, other_end)] = [first, second].map(|act| self.around(act));
        let mut found = vec![whole(&other, &one, &other_end), whole(&one, &other, &one_end)];
        // The same with what is told of a thread, whatever the variable.
        let told = || self.pairs.iter().take(TOLD).flat_map(|pair| [pair.first, pair.second]);
        let own = |act: &Act, of: &Act| is_plain(act) && act.place.thread == of.place.thread;
        let before = told().filter(|act| own(act, second) && act.number < first.number);
        let before = before.max_by_key(|act| act.number);
        found.extend(before.map(|begin| whole(&begin, &one, &other_end)));
        let after = told().filter(|act| own(act, first) && act.number > second.number);
        let after = after.min_by_key(|act| act.number);
        found.extend(after.map(|end| whole(&one, &other, &end)));
        found.retain(|set| set.entries[0].until != Some(set.entries[0].parties[0].pc));
        found.dedup();
        found
    }

    /// The first and the last access of the sequence that an access is part of: those of the same call to the same word, in the
    /// order of the code.
    fn around(&self, act: &Act) -> (Act, Act) {
        let own = |other: &&Act| {
            is_plain(other)
                && other.place.thread == act.place.thread
                && other.place.stack == act.place.stack
                && other.address >> 2 == act.address >> 2
        };
        let before = |other: &&Act| other.number < act.number && other.pc < act.pc;
        let after = |other: &&Act| other.number > act.number && other.pc > act.pc;
        let begin = self.acts.iter().filter(own).rfind(before);
        let end = self.acts.iter().filter(own).find(after);
        (*begin.unwrap_or(act), *end.unwrap_or(act))
    }

    /// The calls that take the outermost lock that is held at both.
    fn lifted(&self, first: &Act, second: &Act) -> Option<Candidate> {
        let mut common = self.locks.at(first.number).filter_map(|(lock, call)| {
            let (_, other) = self.locks.at(second.number).find(|(other, _)| *other == lock)?;
            Some((call.site, other.site))
        });
        let (one, other) = common.next()?;
        let until = [self.ends.of_call(one), self.ends.of_call(other)];
        Some(self.order(Party::at(one), Party::at(other), until))
    }

    /// If only one of the two holds a lock, waiting there keeps others from it: the call that takes it waits instead.
    fn one_lifted(&self, first: &Act, second: &Act) -> Option<Candidate> {
        let outermost = |act: &Act| self.locks.at(act.number).next().map(|(_, call)| call.site);
        let sites = [outermost(first), outermost(second)];
        if sites == [None, None] {
            return None;
        }
        let place = |site: Option<u32>, act: &Act| Party::at(site.unwrap_or(party(act).pc));
        let until = sites.map(|site| site.and_then(|site| self.ends.of_call(site)));
        Some(self.order(place(sites[0], first), place(sites[1], second), until))
    }

    /// The last access of the same thread that is told after this one, if there is one.
    fn last_of(&self, act: &Act) -> Option<u32> {
        let told = self.pairs.iter().take(TOLD).flat_map(|pair| [pair.first, pair.second]);
        let own = told.filter(|other| {
            other.place.thread == act.place.thread
                && other.number > act.number
                && !other.inside
                && other.place.pc != act.place.pc
        });
        own.max_by_key(|other| other.number).map(|other| other.place.pc)
    }

    /// The calls that ask for a lock. Opposite: the calls that took the first ones, one thread's section after the other's.
    fn deadlock(&self, deadlock: &Deadlock) -> Vec<Candidate> {
        let site = |place: &::evidence::verdict::Place| place.trace.first().copied();
        let of_locks = deadlock.steps.iter().filter_map(|step| {
            Some((site(&step.at)?, step.at.thread, site(step.taken.as_ref()?)?, step.holder))
        });
        let steps: Vec<_> = of_locks.take(PARTIES as usize).collect();
        if steps.len() < 2 {
            return Vec::new();
        }
        let asked: Vec<Party> = steps.iter().map(|step| Party::at(step.0)).collect();
        // The lock that a thread asks for was taken by another; what it holds itself is what a step before it asks for.
        let outer = |thread| steps.iter().find(|step| step.3 == thread).map(|step| step.2);
        let taken: Vec<u32> = steps.iter().filter_map(|step| outer(step.1)).collect();
        if taken.len() != steps.len() {
            return Vec::new();
        }
        let one_by_one = |order: [usize; 2]| {
            let parties = order.map(|place| Party::at(taken[place])).to_vec();
            let until = self.ends.of_call(taken[order[0]]);
            Set::of(Entry { until, ..Entry::of(parties, self.wait) })
        };
        let opposites = vec![one_by_one([0, 1]), one_by_one([1, 0])];
        let plain = Entry::of(asked, self.wait);
        let mut found =
            vec![Candidate { forced: Set::of(plain.clone()), opposites: opposites.clone() }];
        // The call may be reached without the lock: then only those count that hold it.
        for (place, begin) in taken.iter().enumerate() {
            let Some(end) = self.ends.of_call(*begin) else { continue };
            let mut entry = Entry { region: Some((*begin + 4, end)), ..plain.clone() };
            let same = |other: usize| taken[other] == *begin;
            for other in (0..taken.len()).filter(|other| *other == place || same(*other)) {
                entry.parties[other].in_region = true;
            }
            found.push(Candidate { forced: Set::of(entry), opposites: opposites.clone() });
        }
        found
    }

    /// The signal and the wait; and the calls that lock before them. Opposite: the signal comes once the other waits.
    fn missed(&self, wait: &Wait) -> Vec<Candidate> {
        let calls = || {
            self.log.events().filter_map(|(number, event)| match event {
                Event::Call(call) => Some((number, call)),
                _ => None,
            })
        };
        let Some(site) = wait.place.trace.first().copied() else { return Vec::new() };
        let waiting =
            calls().rfind(|(_, call)| call.thread == wait.place.thread && call.site == site);
        let Some((waited, call)) = waiting else { return Vec::new() };
        let begins = self.locks.at(waited).next().map_or(site, |(_, call)| call.site);
        let over = back(self.log, call);
        let signals = wait.before.iter().filter_map(|sent| {
            let site = sent.place.trace.first().copied()?;
            let of = |(_, call): &(u64, &_)| -> bool {
                let call: &::evidence::event::Call = call;
                call.thread == sent.place.thread && call.site == site
            };
            let (number, _) = calls().rfind(of)?;
            let locked = self.locks.at(number).next().map(|(_, call)| call.site);
            Some((site, locked))
        });
        let mut found = Vec::new();
        for (signal, locked) in signals {
            let begin = locked.unwrap_or(signal);
            let until = locked.and_then(|site| self.ends.of_call(site));
            for (first, until) in [(begin, until), (signal, None)] {
                for second in [begins, site] {
                    found.push(self.order(Party::at(first), Party::at(second), [until, over]));
                }
            }
        }
        found
    }
}
