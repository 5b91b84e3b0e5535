//! Places around a location, as recorded runs show them: where a thread can be stopped before it gets there, and where it has done
//! what belongs to it.

use super::sections::{Ends, Locks, links};
use ::evidence::cause::flips::Acts;
use ::evidence::event::{Event, Site, Thread};
use ::evidence::log::Log;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Places of a function, on each side of a location, that are looked at.
const NEAREST: usize = 4;

/// Something that a thread did where it can be stopped: a call of the library, or an access to a word that threads share.
struct Stop {
    number: u64,
    thread: Thread,
    /// Its instruction and the calls that led there, innermost first.
    trace: Vec<u32>,
}

/// Where threads can be stopped in a recorded run.
pub struct Stops<'a> {
    log: &'a Log,
    locks: Locks,
    ends: Rc<Ends>,
    all: Vec<Stop>,
}

/// The places around a location, the nearest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Around {
    /// Before it, or itself.
    pub begins: Vec<u32>,
    /// Behind it.
    pub ends: Vec<u32>,
}

impl<'a> Stops<'a> {
    /// Of a run.
    pub fn of(log: &'a Log, ends: Rc<Ends>) -> Self {
        let stop =
            |number, place: Site| Stop { number, thread: place.thread, trace: log.trace(place) };
        let shared = Acts::of(log).shared();
        let own = shared.values().flatten().filter(|act| act.pc == act.place.pc);
        let mut all: Vec<Stop> = own.map(|act| stop(act.number, act.place)).collect();
        all.extend(log.events().filter_map(|(number, event)| match event {
            Event::Call(call) => Some(stop(number, call.place())),
            _ => None,
        }));
        all.sort_by_key(|stop| stop.number);
        all.dedup_by_key(|stop| stop.number);
        Self { log, locks: Locks::of(log), ends, all }
    }

    /// Who came to a location last.
    pub fn last(&self, pc: u32) -> Option<Thread> {
        self.all.iter().rfind(|stop| stop.trace.contains(&pc)).map(|stop| stop.thread)
    }

    /// Around the last visit of a location, by a thread if one is given: the calls that led there, the sections that it is in, and what the
    /// thread did before and after it in the same functions.
    pub fn around(&self, pc: u32, thread: Option<Thread>) -> Around {
        let is_here = |stop: &&Stop| {
            stop.trace.contains(&pc) && thread.is_none_or(|thread| thread == stop.thread)
        };
        let Some(here) = self.all.iter().rfind(is_here) else { return Around::default() };
        let level = here.trace.iter().position(|site| *site == pc).unwrap_or(0);
        let mut around = Around { begins: vec![pc], ends: self.returns(pc).collect() };
        for (_, call) in self.locks.at(here.number) {
            around.begins.push(call.site);
            around.ends.extend(self.ends.of_call(call.site));
        }
        for level in level..here.trace.len() {
            let (site, tail) = (here.trace[level], &here.trace[level + 1..]);
            around.begins.push(site);
            around.ends.extend(self.returns(site));
            let beside = |stop: &&Stop| stop.thread == here.thread && stop.trace.ends_with(tail);
            let in_function = |stop: &Stop| {
                let index = stop.trace.len().checked_sub(tail.len() + 1)?;
                Some(stop.trace[index]).filter(|other| *other != site)
            };
            let of = |stops: &mut dyn Iterator<Item = &Stop>| {
                let mut found: Vec<u32> = Vec::new();
                for other in stops.filter(beside).filter_map(in_function) {
                    if !found.contains(&other) {
                        found.push(other);
                    }
                    if found.len() == NEAREST {
                        break;
                    }
                }
                found
            };
            let (before, after) =
                self.all.split_at(self.all.partition_point(|stop| stop.number < here.number));
            around.begins.extend(of(&mut before.iter().rev()));
            for other in of(&mut after.iter()) {
                around.ends.push(other);
                around.ends.extend(self.returns(other));
            }
        }
        for all in [&mut around.begins, &mut around.ends] {
            let mut known = BTreeSet::new();
            all.retain(|place| known.insert(*place));
        }
        around
    }

    /// Where a call comes back to; nothing, if it does not.
    fn returns(&self, site: u32) -> impl Iterator<Item = u32> {
        links(self.log, site).then_some(site + 4).into_iter()
    }
}
