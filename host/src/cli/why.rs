//! `crosstalk why`: who wrote what is in memory, and what passing runs have there.

mod words;

use super::common::OutArgs;
use super::failure::Failure;
use super::machine::builder;
use super::out::{Out, print_json};
use super::progress::Progress;
use crate::hunt::{HuntError, On, Recorded, Schedule, Wanted};
use ::evidence::log::Log;
use ::evidence::names::Names;
use ::evidence::why::{Asked, Seen, Told, Writer};
use kit::argument::number;
use rayon::prelude::*;
use record::Label;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Say who wrote what is in memory at the end of a run, and what passing runs have there.
///
/// The run is made again from its seed and every instruction is looked at, so the last writer is exact for every
/// byte: its thread, line, calls, value and when. Without an expression the answer is about what the failing
/// statement had read.
#[derive(clap::Args)]
#[command(after_help = "\
Expressions name variables with a fixed address, as C does: members, constant indices, dereferences,
casts to pointers. Pointers have the values of the end of the run. FUNCTION::NAME is a static variable
of a function, FILE.c::NAME one of a file. A number is the address of a word, or of so many bytes.

Examples:
  crosstalk why crosstalk-hunt/prog                            what the failing statement read
  crosstalk why crosstalk-hunt/prog/golden/runs/7.run account.balance
  crosstalk why crosstalk-hunt/prog --seed 12 'queue.head->next[2]'
  crosstalk why crosstalk-hunt/prog '((struct node *)0x80012340)->key'
  crosstalk why crosstalk-hunt/prog 0x80012344:2               two bytes at an address

Exit codes: 0 answered, 1 the run passed or nothing is known of why it failed, 2 wrong use or bad input.")]
pub struct Args {
    /// A run file in the folder of a hunt; or the folder: its first failing run
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// What to ask about [default: what the failing statement read]
    #[arg(value_name = "EXPR")]
    expression: Option<String>,
    /// The schedule, of a hunt's folder
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    seed: Option<u64>,
    /// The machine, of a hunt's folder [default: golden, if the hunt ran on it]
    #[arg(long, value_enum, value_name = "MACHINE")]
    on: Option<On>,
    /// Compare with this many passing runs [default: 25, on the hardware 3]
    #[arg(long, value_name = "N", value_parser = number::<usize>)]
    passing: Option<usize>,
    /// Show this many writes before the last
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = number::<usize>)]
    history: usize,
    /// A folder with the program's sources; repeatable
    #[arg(long, value_name = "DIR")]
    source: Vec<PathBuf>,
    #[command(flatten)]
    out: OutArgs,
}

/// What a run is.
#[derive(Serialize)]
struct RunFacts {
    program: String,
    on: &'static str,
    seed: u64,
    label: &'static str,
    outcome: String,
    events: u64,
}

/// What passing runs have in a place: so many of them the same value from the same line.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Elsewhere {
    /// How many runs.
    runs: usize,
    /// The bytes there; none if the expression means nothing in them, or the instruction was not executed.
    bytes: Option<Vec<u8>>,
    /// One of the last writers; none: nobody wrote it.
    writer: Option<Writer>,
}

/// An expression, in the run and in passing ones.
#[derive(Serialize)]
struct About {
    #[serde(flatten)]
    told: Told,
    passing: Vec<Elsewhere>,
}

/// A read of the failing statement, in the run and in passing ones.
#[derive(Serialize)]
struct Read {
    #[serde(flatten)]
    seen: Seen,
    passing: Vec<Elsewhere>,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    run: RunFacts,
    /// How many passing runs were compared.
    compared: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<About>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reads: Vec<Read>,
}

/// The most reads of a failing statement that are told.
const MOST_READS: usize = 4;

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    if let Some(folder) = args.source.iter().find(|folder| !folder.is_dir()) {
        return Err(Failure::BadInput(format!("{}: not a folder", folder.display())));
    }
    let progress = Progress::new("runs made again");
    let wanted = Wanted { path: &args.run, seed: args.seed, on: args.on };
    let recorded = Recorded::open(&wanted, &builder())?;
    let mut folders = args.source.clone();
    folders.extend(recorded.subject.sources.iter().cloned());
    let names = Names::read(recorded.subject.elf(), &folders);
    let names = names.map_err(|error| Failure::BadInput(error.to_string()))?;
    let log = recorded.log()?;
    progress.step();
    let usual = if recorded.on.name() == "golden" { 25 } else { 3 };
    let passing = recorded.others(Label::Passing, args.passing.unwrap_or(usual));
    let compare =
        Compare { recorded: &recorded, names: &names, passing: &passing, progress: &progress };
    let mut document = Document {
        schema: "crosstalk.why/1",
        run: RunFacts {
            program: recorded.subject.name.clone(),
            on: recorded.on.name(),
            seed: recorded.entry.seed,
            label: recorded.entry.label().name(),
            outcome: recorded.entry.outcome.clone(),
            events: log.next(),
        },
        compared: passing.len(),
        about: None,
        reads: Vec::new(),
    };
    match &args.expression {
        Some(text) => document.about = Some(compare.expression(&log, text, args.history)?),
        None => document.reads = compare.reads(&log)?,
    }
    drop(progress);
    if args.out.json {
        print_json(&document)?;
    } else {
        let mut out = Out::new(args.out.color);
        words::write(&mut out, &document, recorded.on.called());
        out.print()?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A run beside passing ones.
struct Compare<'a> {
    recorded: &'a Recorded,
    names: &'a Names,
    passing: &'a [Schedule],
    progress: &'a Progress,
}

impl Compare<'_> {
    fn expression(&self, log: &Log, text: &str, most: usize) -> Result<About, Failure> {
        let asked = Asked::read(self.names, &log.memory, text);
        let asked = asked.map_err(|error| Failure::BadInput(error.to_string()))?;
        let told = Told::of(self.names, log, &asked, most.saturating_add(1));
        let found = self.of_passing(|log| {
            let asked = Asked::read(self.names, &log.memory, text).ok();
            let told = asked.map(|asked| Told::of(self.names, log, &asked, 0));
            vec![match told {
                Some(told) => (Some(told.bytes.clone()), told.last().cloned()),
                None => (None, None),
            }]
        })?;
        let passing = grouped(found.iter().map(|of_run| &of_run[0]));
        Ok(About { told, passing })
    }

    fn reads(&self, log: &Log) -> Result<Vec<Read>, Failure> {
        let mut all = Seen::by_failure(self.names, log);
        if all.is_empty() {
            return Err(Failure::Failed(match self.recorded.entry.label() {
                Label::Failing => {
                    "no read is known that made the run fail; name an expression".to_owned()
                }
                _ => "the run passed, so no statement failed; name an expression".to_owned(),
            }));
        }
        // The surest alone, if there are such.
        let surest = all[0].role;
        all.retain(|seen| seen.role == surest);
        all.truncate(MOST_READS);
        let found = self.of_passing(|log| {
            let same = |seen: &Seen| Seen::at(self.names, log, seen.role, seen.pc, seen.site);
            let all = all.iter().map(same);
            all.map(|seen| match seen {
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
    fn of_passing(
        &self,
        ask: impl Fn(&Log) -> Vec<(Option<Vec<u8>>, Option<Writer>)> + Sync,
    ) -> Result<Vec<Vec<(Option<Vec<u8>>, Option<Writer>)>>, HuntError> {
        let one = |schedule: &Schedule| {
            let log = self.recorded.log_of(*schedule)?;
            self.progress.step();
            Ok(ask(&log))
        };
        self.passing.par_iter().map(one).collect()
    }
}

/// What a read saw.
fn bytes_of(seen: &Seen) -> Vec<u8> {
    let value = seen.read.after.unwrap_or_default().to_le_bytes();
    value[..(seen.bytes as usize).min(4)].to_vec()
}

/// The same value from the same line, in how many runs; the most first.
fn grouped<'a>(
    found: impl Iterator<Item = &'a (Option<Vec<u8>>, Option<Writer>)>,
) -> Vec<Elsewhere> {
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
