//! `crosstalk repro`: from a hunt to a set of breakpoints that reproduces its failure, and to a test for the fix.

mod check;
mod hardware;
mod words;

use super::common::OutArgs;
use super::failure::Failure;
use super::machine::{MachineArgs, builder};
use super::out::{Out, print_json};
use super::program::CompileArgs;
use super::progress::Progress;
use crate::breakpoint::{File, RunFacts, Set};
use crate::hunt::{HuntError, On, Recorded, Wanted};
use crate::repro::{Bench, Hunted, Journal, Proof, Proved, Rate, patch, prove, search};
use hardware::Tried;
use kit::argument::positive;
use kit::file::write_atomic;
use kit::numbers::hex;
use serde::Serialize;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use words::{EntryWords, described};

/// Schedules of an order in a search.
const SEARCHED: u64 = 20;

/// Force the order of accesses that a hunt suspects, and the opposite one: the proof of a cause.
///
/// Breakpoints make threads wait for each other at given instructions and go on in a given order. A set of them reproduces
/// the failure if fresh schedules fail under it as the hunt's did, with a probability of at least 0.99 at 95 % confidence; it is the
/// cause if the opposite order never fails. The set is made as small as it can be and written to the hunt's folder, with a
/// patch that puts it into the source. What a hunt on both machines has shown is searched on the golden machine, where a run takes
/// milliseconds, and then forced on the simulated hardware. An interrupted search continues where it stopped.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  crosstalk repro crosstalk-hunt/prog                    the smallest set that reproduces the failure
  crosstalk repro crosstalk-hunt/prog --search           every pair that conflicts, in both orders
  crosstalk repro --check crosstalk-hunt/prog/repro/breakpoints.toml prog.c
  crosstalk run --on golden prog.c --breakpoints crosstalk-hunt/prog/repro/breakpoints.toml

Exit codes: 0 reproduced, 1 not, 2 wrong use or bad input. With --check: 0 it does not fail, 1 it fails,
2 a location is gone, so nothing was tested.")]
pub struct Args {
    /// The folder of a hunt; with --check the program: C and assembly files, or an ELF file
    #[arg(value_name = "HUNT", required = true)]
    files: Vec<PathBuf>,
    /// The program's arguments, with --check [default: those of the breakpoint file]
    #[arg(value_name = "ARGUMENTS", last = true)]
    arguments: Vec<OsString>,
    /// Test a program under the breakpoints of this file
    #[arg(long, value_name = "FILE", conflicts_with = "search")]
    check: Option<PathBuf>,
    /// Try all pairs of places that conflict, in both orders, and print how often each order fails
    #[arg(long)]
    search: bool,
    /// Use only this machine [default: golden if the hunt ran on it, and the hardware too if it ran on both]
    #[arg(long, value_enum, value_name = "MACHINE")]
    on: Option<On>,
    /// Number of schedules: of each order on the hardware [default: 299], with --search [default: 20], or with --check
    /// [default: 100]
    #[arg(long, value_name = "N", value_parser = positive::<u64>)]
    schedules: Option<u64>,
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    compile: CompileArgs,
    #[command(flatten)]
    out: OutArgs,
}

/// An answer.
#[derive(Serialize)]
pub struct Document {
    schema: &'static str,
    program: String,
    on: &'static str,
    reproduced: bool,
    confirmed: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    breakpoints: Vec<EntryWords>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    forced: Vec<Rate>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    opposite: Vec<Rate>,
    unaided: Vec<Rate>,
    /// The first schedule above those of the hunt: fresh ones begin there.
    fresh: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    patch: Option<PathBuf>,
    /// Why there is no patch.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_patch: Option<String>,
    /// The same on the hardware.
    #[serde(skip_serializing_if = "Option::is_none")]
    hardware: Option<hardware::Document>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    if let Some(file) = &args.check {
        return check::run(args, file);
    }
    let [folder] = args.files.as_slice() else {
        return Err(Failure::BadInput("expected the folder of one hunt".into()));
    };
    let progress = Progress::new("schedules");
    let recorded = Recorded::open(&Wanted { path: folder, seed: None, on: args.on }, &builder())?;
    recorded.check()?;
    let Recorded { subject, fail_if, .. } = &recorded;
    let hunted = Hunted::of(recorded.source(), fail_if, subject, recorded.entries())?;
    let kept = recorded.hunt.join("repro");
    let journal = Mutex::new(Journal::open(&kept, &hunted.identity()?)?);
    let step = |schedules: u64| (0..schedules).for_each(|_| progress.step());
    let bench =
        |level| -> Bench<'_> { hunted.bench(level).with_journal(&journal).with_progress(&step) };
    if args.search {
        let bench = bench(hunted.level());
        let rows = search(&hunted, &bench, args.schedules.unwrap_or(SEARCHED))?;
        let unaided = bench.rate(&Set::default(), args.schedules.unwrap_or(SEARCHED))?;
        drop(progress);
        return words::searched(args, &recorded, &hunted, &rows, &unaided);
    }
    let benches: Vec<Bench<'_>> = hunted.levels().into_iter().map(bench).collect();
    let proved = prove(&hunted, &benches)?;
    let on = hardware::wanted(args, &recorded);
    let tried = match (on, &proved) {
        (Some(on), Proved::Found(proof)) => {
            Some((on, hardware::tried(args, &recorded, &hunted, proof, on, &step)?))
        }
        _ => None,
    };
    drop(progress);
    let mut document = Document {
        schema: "crosstalk.repro/1",
        program: subject.name.clone(),
        on: recorded.on.name(),
        reproduced: false,
        confirmed: false,
        breakpoints: Vec::new(),
        forced: Vec::new(),
        opposite: Vec::new(),
        unaided: Vec::new(),
        fresh: hunted.fresh,
        file: None,
        patch: None,
        no_patch: None,
        hardware: None,
    };
    match &proved {
        Proved::Found(proof) => found(&recorded, &hunted, proof, &kept, &mut document)?,
        Proved::Nothing { best, unaided, .. } => {
            document.unaided = vec![*unaided];
            if let Some((candidate, rate)) = best {
                document.breakpoints = described(&candidate.forced, &hunted.places);
                document.forced = vec![*rate];
            }
        }
    }
    if let Some((on, tried)) = &tried {
        let shown = hardware::Document::of(tried, &recorded, &hunted, *on)?;
        if let Tried::Done(proof) = tried {
            document.reproduced &= proof.is_reproduced();
            document.confirmed &= proof.is_reproduced() && proof.is_confirmed();
        }
        document.hardware = Some(shown);
    }
    if args.out.json {
        print_json(&document)?;
    } else {
        let mut out = Out::new(args.out.color);
        words::write(&mut out, &document, &proved, recorded.on, tried.as_ref());
        out.print()?;
    }
    Ok(if document.reproduced { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Writes the files of a set that was found, and what is known of it into the answer.
fn found(
    recorded: &Recorded,
    hunted: &Hunted<'_>,
    proof: &Proof,
    folder: &Path,
    document: &mut Document,
) -> Result<(), Failure> {
    document.reproduced = true;
    document.confirmed = proof.is_confirmed();
    document.breakpoints = described(&proof.candidate.forced, &hunted.places);
    document.forced.clone_from(&proof.forced);
    document.opposite.clone_from(&proof.opposite);
    document.unaided.clone_from(&proof.unaided);
    let set = &proof.candidate.forced;
    document.file = Some(write_set(set, recorded, hunted, folder)?);
    let path = folder.join("breakpoints.patch");
    match patch(set, &hunted.places, &recorded.subject.sources) {
        Ok(text) => {
            write_atomic(&path, text.as_bytes()).map_err(Failure::bad_input)?;
            document.patch = Some(shown(&path));
        }
        Err(why) => {
            // One of an older set would be wrong.
            let _ = fs::remove_file(&path);
            document.no_patch = Some(why);
        }
    }
    Ok(())
}

/// Writes the breakpoint file into a folder.
fn write_set(
    set: &Set,
    recorded: &Recorded,
    hunted: &Hunted<'_>,
    folder: &Path,
) -> Result<PathBuf, Failure> {
    let facts = RunFacts {
        program: recorded.subject.name.clone(),
        elf: Some(hex(&hunted.elf)),
        arguments: recorded.arguments.clone(),
        harts: Some(recorded.harts()),
        fail_if: Some(recorded.fail_if.to_string()),
    };
    let text = File::text(set, &hunted.places, &facts).map_err(Failure::BadInput)?;
    let file = folder.join("breakpoints.toml");
    write_atomic(&file, text.as_bytes()).map_err(Failure::bad_input)?;
    Ok(shown(&file))
}

/// A path below the current folder as one types it: the same answer wherever that is.
fn shown(path: &Path) -> PathBuf {
    let here = env::current_dir().and_then(fs::canonicalize);
    let below = here.ok().and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    below.unwrap_or_else(|| path.to_owned())
}

impl From<crate::breakpoint::BreakpointError> for Failure {
    fn from(error: crate::breakpoint::BreakpointError) -> Self {
        Self::BadInput(error.to_string())
    }
}

/// A refusal of the machine, in words of the command.
fn refused(what: impl Into<String>) -> Failure {
    HuntError::Refused(what.into()).into()
}
