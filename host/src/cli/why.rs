//! `crosstalk why`: who wrote what is in memory, and what passing runs have there.

pub mod words;

use super::common::OutArgs;
use super::failure::Failure;
use super::out::{Out, print_json};
use super::progress::Progress;
use super::recorded::{RecordedArgs, SourceArgs};
use crate::hunt::{Recorded, Schedule};
use crate::why::{About, Comparison, Read};
use ::evidence::why::Asked;
use kit::argument::number;
use record::Label;
use serde::Serialize;
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
    #[command(flatten)]
    recorded: RecordedArgs,
    /// What to ask about [default: what the failing statement read]
    #[arg(value_name = "EXPR")]
    expression: Option<String>,
    /// Compare with this many passing runs [default: 25, on the hardware 3]
    #[arg(long, value_name = "N", value_parser = number::<usize>)]
    passing: Option<usize>,
    /// Show this many writes before the last
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = number::<usize>)]
    history: usize,
    #[command(flatten)]
    sources: SourceArgs,
    #[command(flatten)]
    out: OutArgs,
}

/// What a run is.
#[derive(Clone, Serialize)]
pub struct RunFacts {
    program: String,
    on: &'static str,
    seed: u64,
    label: &'static str,
    outcome: String,
    events: u64,
}

impl RunFacts {
    /// Of a run that was opened, with so many events.
    pub fn of(recorded: &Recorded, events: u64) -> Self {
        Self {
            program: recorded.subject.name.clone(),
            on: recorded.on.name(),
            seed: recorded.entry.seed,
            label: recorded.entry.label().name(),
            outcome: recorded.entry.outcome.clone(),
            events,
        }
    }
}

/// An answer.
#[derive(Serialize)]
pub struct Document {
    schema: &'static str,
    run: RunFacts,
    /// How many passing runs were compared.
    compared: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<About>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<Read>,
    /// When memory is looked at.
    #[serde(skip)]
    when: &'static str,
}

impl Document {
    /// Nothing yet, about a run at some time, beside so many passing ones.
    pub fn new(run: RunFacts, when: &'static str, compared: usize) -> Self {
        let schema = "crosstalk.why/1";
        Self { schema, run, compared, about: None, reads: Vec::new(), when }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    args.sources.check()?;
    let progress = Progress::new("runs repeated");
    let recorded = args.recorded.open()?;
    let names = args.sources.names(&recorded)?;
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
    let facts = RunFacts::of(&recorded, log.next());
    let mut document = Document::new(facts, "at the end", passing.len());
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
        return Err(Failure::Failed(nothing_known(recorded.entry.label()).into()));
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

/// Why there is nothing to say about the statement that failed.
pub fn nothing_known(label: Label) -> &'static str {
    match label {
        Label::Failing => "no read is known that made the run fail; name an expression",
        _ => "the run passed, so no statement failed; name an expression",
    }
}
