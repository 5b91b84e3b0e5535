//! Why memory holds what it holds, in one run and in passing ones beside it: data for a terminal, a page or JSON.

use crate::hunt::{HuntError, Schedule};
use ::evidence::log::Log;
use ::evidence::names::Names;
use ::evidence::why::{Asked, Seen, Told, Writer};
use rayon::prelude::*;
use serde::Serialize;

/// The most reads of a failing statement that are told.
const MOST_READS: usize = 4;

/// What passing runs have in a place: so many of them the same value from the same line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Elsewhere {
    /// How many runs.
    pub runs: usize,
    /// The bytes there; none if the expression means nothing in them, or the instruction was not executed.
    pub bytes: Option<Vec<u8>>,
    /// One of the last writers; none: nobody wrote it.
    pub writer: Option<Writer>,
}

/// An expression, in a run and in passing ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct About {
    /// What the run has there.
    #[serde(flatten)]
    pub told: Told,
    /// What passing runs have there, the commonest first.
    pub passing: Vec<Elsewhere>,
}

/// A read of the failing statement, in the run and in passing ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Read {
    /// What it read in the run.
    #[serde(flatten)]
    pub seen: Seen,
    /// What the same instruction read last in passing runs, the commonest first.
    pub passing: Vec<Elsewhere>,
}

impl Read {
    /// What was read, the first byte first.
    pub fn bytes(&self) -> Vec<u8> {
        bytes_of(&self.seen)
    }
}

/// What one passing run has in a place.
type Found = (Option<Vec<u8>>, Option<Writer>);

/// A run's passing neighbors, to be compared with.
pub struct Comparison<'a> {
    /// The program's names.
    pub names: &'a Names,
    /// Their schedules.
    pub passing: &'a [Schedule],
    /// Makes the log of one.
    pub log: &'a (dyn Fn(Schedule) -> Result<Log, HuntError> + Sync),
}

impl Comparison<'_> {
    /// What an expression means in the run, with at most so many writes; `asked` is what it means there.
    ///
    /// # Errors
    /// If a passing run cannot be made again.
    pub fn expression(&self, log: &Log, asked: &Asked, most: usize) -> Result<About, HuntError> {
        let told = Told::of(self.names, log, asked, most);
        let found = self.ask(|log| {
            let there = Asked::read(self.names, &log.memory, &asked.text).ok();
            let told = there.map(|asked| Told::of(self.names, log, &asked, 0));
            vec![match told {
                Some(told) => (Some(told.bytes.clone()), told.last().cloned()),
                None => (None, None),
            }]
        })?;
        Ok(About { told, passing: grouped(found.iter().map(|of_run| &of_run[0])) })
    }

    /// What the statement that failed had read: the surest reads alone. None if the run passed, or nothing is known.
    ///
    /// # Errors
    /// If a passing run cannot be made again.
    pub fn reads(&self, log: &Log) -> Result<Vec<Read>, HuntError> {
        let mut all = Seen::by_failure(self.names, log);
        // What the library read by itself, as the argument of a new thread, says nothing where the program read too.
        if all.iter().any(|seen| seen.site != 0) {
            all.retain(|seen| seen.site != 0);
        }
        let Some(surest) = all.first().map(|seen| seen.role) else { return Ok(Vec::new()) };
        all.retain(|seen| seen.role == surest);
        all.truncate(MOST_READS);
        let found = self.ask(|log| {
            let same = |seen: &Seen| Seen::at(self.names, log, seen.role, seen.pc, seen.site);
            let found = all.iter().map(same);
            found
                .map(|seen| match seen {
                    Some(seen) => (Some(bytes_of(&seen)), seen.writer),
                    None => (None, None),
                })
                .collect()
        })?;
        let reads = all.iter().cloned().enumerate().map(|(place, seen)| {
            let passing = grouped(found.iter().map(|of_run| &of_run[place]));
            Read { seen, passing }
        });
        Ok(reads.collect())
    }

    /// Asks every passing run.
    fn ask(&self, ask: impl Fn(&Log) -> Vec<Found> + Sync) -> Result<Vec<Vec<Found>>, HuntError> {
        self.passing.par_iter().map(|schedule| Ok(ask(&(self.log)(*schedule)?))).collect()
    }
}

fn bytes_of(seen: &Seen) -> Vec<u8> {
    let value = seen.read.after.unwrap_or_default().to_le_bytes();
    value[..(seen.bytes as usize).min(4)].to_vec()
}

/// The same value from the same line, in how many runs; the most first.
fn grouped<'a>(found: impl Iterator<Item = &'a Found>) -> Vec<Elsewhere> {
    let line = |writer: &Option<Writer>| writer.as_ref().map(|writer| writer.at.line.clone());
    let mut groups: Vec<Elsewhere> = Vec::new();
    for (bytes, writer) in found {
        let same =
            |group: &&mut Elsewhere| group.bytes == *bytes && line(&group.writer) == line(writer);
        match groups.iter_mut().find(same) {
            Some(group) => group.runs += 1,
            None => {
                groups.push(Elsewhere { runs: 1, bytes: bytes.clone(), writer: writer.clone() })
            }
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.runs));
    groups
}

/// A number, or bytes.
pub fn shown(bytes: &[u8]) -> String {
    const MOST: usize = 16;
    let value = bytes.iter().rev().fold(0u64, |value, byte| value << 8 | u64::from(*byte));
    match bytes.len() {
        1 if bytes[0].is_ascii_graphic() => format!("{value} '{}'", char::from(bytes[0])),
        1 | 2 => value.to_string(),
        4 => number(value as u32),
        _ => {
            let hex: Vec<_> = bytes.iter().take(MOST).map(|byte| format!("{byte:02x}")).collect();
            let more = if bytes.len() > MOST { " …" } else { "" };
            format!("{}{more}", hex.join(" "))
        }
    }
}

/// Addresses as such, small numbers below zero too.
pub fn number(value: u32) -> String {
    match value {
        _ if value > u32::MAX - 0x10_0000 => (value as i32).to_string(),
        _ if value >= border::map::RAM.base => format!("{value:#x}"),
        _ => value.to_string(),
    }
}
