//! From what was found out about runs to an account of it.

use super::{Account, Cause, Failure, Link, Pointer, Spot, Step, Tested, Waiting, Want};
use crate::cause::Explained;
use crate::cause::flips::{Act, Deed, Pair};
use crate::cause::story::{self, Tried};
use crate::event::{Event, Function, Thread};
use crate::log::Log;
use crate::names::{Accesses, Line, Names};
use crate::verdict::{
    BlockedOn, Object, Place, Provenance, Verdict, Wait, deadlock, provenance, verdict,
};

/// Tells what is known of a program's runs.
pub struct Teller<'a> {
    /// The program's names.
    pub names: &'a Names,
}

/// What a failure was found to take.
pub(crate) enum Found<'a> {
    /// These runs, the first of which is shown.
    Explained(&'a [&'a Explained]),
    /// Nothing, in so many schedules.
    AnyOrder(u64),
    /// Nothing was found.
    Unknown,
}

impl Teller<'_> {
    /// The account of a failing run and of what was found out.
    pub(crate) fn account(
        &self,
        log: &Log,
        found: &Found<'_>,
        runs: [u32; 2],
        trials: u64,
    ) -> Account {
        let how = verdict(log);
        let pairs = match found {
            Found::Explained(runs) => story::told(runs),
            Found::AnyOrder(_) | Found::Unknown => Vec::new(),
        };
        let stands_still = self.stands_still(log, &how, &pairs);
        let cause = match (stands_still, found) {
            (how, Found::AnyOrder(schedules)) => {
                Cause::AnyOrder { schedules: *schedules, stands_still: how.map(Box::new) }
            }
            (Some(how), _) => how,
            _ if pairs.is_empty() => Cause::Unknown,
            _ => {
                let (variables, steps, decisive) = self.order(log, &pairs);
                Cause::Order { variables, steps, decisive }
            }
        };
        let failure = self.failure(log, &how);
        let threads = threads(&cause, &failure);
        Account { failure, runs: runs[0], of_runs: runs[1], cause, trials, threads }
    }

    /// The deadlock, or the waits, that a run ends with.
    fn stands_still(&self, log: &Log, how: &Verdict, pairs: &[(Pair, Tried)]) -> Option<Cause> {
        match how {
            Verdict::Deadlock(deadlock) => Some(Cause::Deadlock {
                wants: deadlock.steps.iter().map(|step| self.want(log, step)).collect(),
                cycle: deadlock.cycle,
            }),
            Verdict::Missed(waits) if !waits.is_empty() => {
                let waits = waits.iter().map(|wait| self.waiting(log, wait)).collect();
                let (variables, steps, decisive) = self.order(log, pairs);
                Some(Cause::Missed { waits, variables, steps, decisive })
            }
            _ => None,
        }
    }

    fn failure(&self, log: &Log, how: &Verdict) -> Failure {
        let (how, place) = match how {
            Verdict::Passed => ("ended as if all were well".to_owned(), None),
            Verdict::Exit { code, place } => {
                (format!("exited with {}", *code as i32), place.clone())
            }
            Verdict::Assertion { place, .. } => ("failed the assertion".into(), place.clone()),
            Verdict::Fault(fault) => {
                (format!("used the bad address {:#x}", fault.address), Some(fault.place.clone()))
            }
            Verdict::Deadlock(_) => ("deadlocked".into(), None),
            Verdict::Missed(_) => ("waits for ever".into(), None),
            Verdict::Limit => ("did not end".into(), None),
        };
        let thread = place.as_ref().map(|place| log.name(place.thread).to_owned());
        let at = place.map(|place| self.here(&place));
        Failure { how, thread, at, pointer: self.pointer(log) }
    }

    /// Where a bad pointer came from, or a value that the failing statement read in a block that had been freed.
    fn pointer(&self, log: &Log) -> Option<Pointer> {
        let Provenance { read, writer, freed } = provenance(log)?;
        let by = |place: &Place| (log.name(place.thread).to_owned(), self.here(place));
        let variable = log.access(read.number).map(|access| self.names.of_access(log, access));
        let variable = variable.unwrap_or_else(|| format!("{:#x}", read.address));
        let pc = read.place.trace.first().copied().unwrap_or_default();
        Some(Pointer {
            read: self.spot_of(pc, &variable, Deed::Read),
            variable,
            inside: freed.as_ref().is_some_and(|block| block.holds(read.address)),
            written: writer.map(|write| by(&write.place)),
            freed: freed.and_then(|block| block.freed).map(|place| by(&place)),
        })
    }

    fn order(&self, log: &Log, pairs: &[(Pair, Tried)]) -> (Vec<String>, Vec<Step>, Vec<Link>) {
        let acts = story::in_order(pairs.iter().map(|(pair, _)| pair));
        let steps: Vec<Step> = acts.iter().map(|(act, late)| self.step(log, act, *late)).collect();
        let place = |act: &Act, late: bool| acts.iter().position(|one| *one == (*act, late));
        let decisive = pairs.iter().filter_map(|(pair, tried)| {
            let first = place(&pair.first, false)?;
            let second = place(&pair.second, pair.unfinished)?;
            Some(Link { first, second, tried: *tried })
        });
        let decisive: Vec<Link> = decisive.collect();
        let mut variables: Vec<String> = Vec::new();
        for link in &decisive {
            let named = [link.first, link.second].map(|place| &steps[place].variable);
            for name in named {
                if !variables.contains(name) {
                    variables.push(name.clone());
                }
            }
        }
        (variables, steps, decisive)
    }

    fn step(&self, log: &Log, act: &Act, too_late: bool) -> Step {
        let event = if too_late { None } else { log.event(act.number) };
        let access = match event {
            Some(Event::Access(access) | Event::Inside(access)) => Some(access),
            _ => None,
        };
        let variable = match access {
            Some(access) if act.inside => self.names.of_object(log, access.address, access.site),
            Some(access) => self.names.of_access(log, access),
            None if act.deed == Deed::Free => self.names.of_freed(log, act.address, act.place.pc),
            None => self.names.variable(log, act.address, act.bytes.clamp(1, 4) as u8).name,
        };
        let stack = if too_late { Vec::new() } else { self.calls(&log.trace(act.place)) };
        Step {
            thread: log.name(act.place.thread).to_owned(),
            did: act.deed,
            call: act.inside,
            before: access.and_then(|access| access.before).filter(|_| act.deed != Deed::Read),
            after: access.map(|access| access.after),
            at: self.spot_of(act.place.pc, &variable, act.deed),
            variable,
            stack,
            too_late,
        }
    }

    fn want(&self, log: &Log, step: &crate::verdict::Step) -> Want {
        let site = step.at.trace.first().copied().unwrap_or_default();
        let object = match step.wants {
            Object::Lock(address) | Object::Semaphore(address) | Object::MutexOfWait(address) => {
                self.names.of_object(log, address, site)
            }
            Object::End(thread) => format!("the end of {}", log.name(thread)),
        };
        Want {
            thread: log.name(step.at.thread).to_owned(),
            object,
            at: self.here(&step.at),
            stack: self.callers(&step.at),
            holder: log.name(step.holder).to_owned(),
            taken: step.taken.as_ref().map(|place| self.here(place)),
            taken_stack: step.taken.as_ref().map_or(Vec::new(), |place| self.callers(place)),
        }
    }

    fn waiting(&self, log: &Log, wait: &Wait) -> Waiting {
        let site = wait.place.trace.first().copied().unwrap_or_default();
        let by = |place: &Place| (log.name(place.thread).to_owned(), self.here(place));
        let tested = wait.predicate.iter().map(|one| {
            let access = log.access(one.read.number);
            Tested {
                variable: access
                    .map(|access| self.names.of_access(log, access))
                    .unwrap_or_else(|| format!("{:#x}", one.read.address)),
                read: self.here(&one.read.place),
                locked: one.read_locked,
                written: one.write.as_ref().map(|write| by(&write.place)),
                written_locked: one.write_locked,
            }
        });
        Waiting {
            thread: log.name(wait.place.thread).to_owned(),
            function: wait.function,
            object: self.names.of_object(log, wait.object, site),
            at: self.here(&wait.place),
            stack: self.callers(&wait.place),
            signal: wait
                .before
                .as_ref()
                .filter(|sent| sent.woken.is_empty())
                .map(|sent| by(&sent.place)),
            tested: tested.collect(),
            holds: wait.blocks.iter().map(|blocked| self.blocked(log, blocked)).collect(),
        }
    }

    /// Who wants a lock that a waiting thread holds.
    fn blocked(&self, log: &Log, blocked: &BlockedOn) -> Want {
        let site = blocked.wanted.trace.first().copied().unwrap_or_default();
        Want {
            thread: log.name(blocked.wanted.thread).to_owned(),
            object: self.names.of_object(log, blocked.lock, site),
            at: self.here(&blocked.wanted),
            stack: self.callers(&blocked.wanted),
            holder: log.name(blocked.taken.thread).to_owned(),
            taken: Some(self.here(&blocked.taken)),
            taken_stack: self.callers(&blocked.taken),
        }
    }

    fn spot(&self, pc: u32) -> Spot {
        let line = self.names.line(pc);
        Spot {
            line: line.as_ref().map_or_else(|| format!("{pc:#x}"), ToString::to_string),
            function: self.names.functions(pc).into_iter().next().map(|function| function.name),
            text: line.and_then(|line| self.names.text(&line).map(str::to_owned)),
        }
    }

    /// The place of an access. The compiler gives no line to an instruction that it merged from several: then the
    /// line is meant that such an access may be missing from.
    fn spot_of(&self, pc: u32, variable: &str, deed: Deed) -> Spot {
        let spot = self.spot(pc);
        if self.names.line(pc).is_some() {
            return spot;
        }
        let accesses = match deed {
            Deed::Read => Accesses::Reads,
            Deed::Write | Deed::Update | Deed::Free => Accesses::Writes,
        };
        let line = self.names.merged(pc, accesses, |text| mentions(text, variable, deed));
        line.map_or(spot.clone(), |line| self.at(line, spot.function))
    }

    fn here(&self, place: &Place) -> Spot {
        self.spot(place.trace.first().copied().unwrap_or_default())
    }

    fn callers(&self, place: &Place) -> Vec<Spot> {
        self.calls(&place.trace)
    }

    /// The calls that led to the first of these instructions, with those that were inlined.
    fn calls(&self, trace: &[u32]) -> Vec<Spot> {
        let inlined = |pc: u32| {
            let around = self.names.functions(pc).into_iter().skip(1);
            around.filter_map(|function| Some(self.at(function.line?, Some(function.name))))
        };
        let frames = trace.iter().enumerate().flat_map(|(place, pc)| {
            let own = (place > 0).then(|| self.spot(*pc));
            own.into_iter().chain(inlined(*pc))
        });
        frames.collect()
    }

    fn at(&self, line: Line, function: Option<String>) -> Spot {
        let text = self.names.text(&line).map(str::to_owned);
        Spot { line: line.to_string(), function, text }
    }
}

/// The last member of a path, without an index: `count` of `pools[2].count[1]`.
fn last_member(path: &str) -> &str {
    let last = path.rsplit(['.', '>']).next().unwrap_or(path);
    last.split('[').next().unwrap_or(last)
}

/// Whether a line of source has a variable's last member; if it is one, behind `.` or `->`.
/// What only assigns to it does not read it.
fn mentions(text: &str, variable: &str, deed: Deed) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let text = text.split("/*").next().unwrap_or(text);
    let member = last_member(variable);
    let is_member = variable.contains(['.', '>']);
    text.match_indices(member).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + member.len()..]);
        let alone = !before.ends_with(is_part) && !after.starts_with(is_part);
        let next = after.trim_start();
        let assigns = next.starts_with('=') && !next.starts_with("==");
        alone && (!is_member || before.ends_with(['.', '>'])) && !(assigns && deed == Deed::Read)
    })
}

/// The threads of an account, in the order in which they appear.
fn threads(cause: &Cause, failure: &Failure) -> Vec<String> {
    let named: Vec<&String> = match cause.shown() {
        Cause::Order { steps, .. } => steps.iter().map(|step| &step.thread).collect(),
        Cause::Deadlock { wants, .. } => wants.iter().map(|want| &want.thread).collect(),
        Cause::Missed { waits, steps, .. } => {
            let steps = steps.iter().map(|step| &step.thread);
            steps.chain(waits.iter().map(|wait| &wait.thread)).collect()
        }
        Cause::AnyOrder { .. } | Cause::Unknown => Vec::new(),
    };
    let mut threads: Vec<String> = Vec::new();
    for thread in named.into_iter().chain(&failure.thread) {
        if !threads.contains(thread) {
            threads.push(thread.clone());
        }
    }
    threads
}

/// What tells two hangs apart: the calls of the threads that wait for each other, or else of all that wait for ever.
pub fn stuck(log: &Log) -> Vec<u32> {
    let mut sites: Vec<u32> = match deadlock(log) {
        Some(deadlock) => {
            deadlock.steps.iter().filter_map(|step| step.at.trace.first().copied()).collect()
        }
        None => {
            let threads = log.state.threads().map(|(thread, _)| thread);
            let calls = threads.filter_map(|thread: Thread| log.state.blocked(thread));
            let calls = calls.filter(|pending| pending.call.function != Function::Join);
            calls.map(|pending| pending.call.site).collect()
        }
    };
    sites.sort_unstable();
    sites.dedup();
    sites
}

#[cfg(test)]
mod tests {
    use super::{Deed, last_member, mentions};

    #[test]
    fn the_last_member_of_a_path_has_no_index() {
        let members = ["pools[2].count[1]", "node->next", "total", "slots[i].next->size"];
        assert_eq!(members.map(last_member), ["count", "next", "total", "size"]);
    }

    #[test]
    fn a_line_mentions_a_member_behind_its_object() {
        let reads = |text: &str, variable: &str| mentions(text, variable, Deed::Read);
        assert!(reads("int scale = s->scale;", "hub.sensor[3].scale"));
        assert!(!reads("out[i] = scale * raw;", "hub.sensor[3].scale"));
        assert!(!reads("s->scaled = 1;", "hub.sensor[3].scale"));
        assert!(!reads("s->scale = 1;", "hub.sensor[3].scale"));
        assert!(mentions("s->scale = 1;", "hub.sensor[3].scale", Deed::Write));
        assert!(reads("total += 1;", "total"));
        assert!(!reads("sum += 1; /* the total */", "total"));
    }
}
