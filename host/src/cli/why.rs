//! `crosstalk why`: who wrote what is in memory, and what passing runs have there.

mod words;

use super::common::OutArgs;
use super::failure::Failure;
use super::machine::builder;
use super::out::{Out, print_json};
use super::progress::Progress;
use crate::hunt::{On, Recorded, Schedule, Wanted};
use crate::why::{About, Comparison, Read};
use ::evidence::names::Names;
use ::evidence::why::Asked;
use kit::argument::number;
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
    let log_of = |schedule: Schedule| {
        let log = recorded.log_of(schedule)?;
        progress.step();
        Ok(log)
    };
    let comparison = Comparison { names: &names, passing: &passing, log: &log_of };
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
        Some(text) => {
            let asked = Asked::read(&names, &log.memory, text);
            let asked = asked.map_err(|error| Failure::BadInput(error.to_string()))?;
            let most = args.history.saturating_add(1);
            document.about = Some(comparison.expression(&log, &asked, most)?);
        }
        None => document.reads = comparison.reads(&log)?,
    }
    drop(progress);
    if document.about.is_none() && document.reads.is_empty() {
        return Err(Failure::Failed(match recorded.entry.label() {
            Label::Failing => "no read is known that made the run fail; name an expression".into(),
            _ => "the run passed, so no statement failed; name an expression".into(),
        }));
    }
    if args.out.json {
        print_json(&document)?;
    } else {
        let mut out = Out::new(args.out.color);
        words::write(&mut out, &document, recorded.on.called());
        out.print()?;
    }
    Ok(ExitCode::SUCCESS)
}
