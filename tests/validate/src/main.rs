//! `crosstalk-validate`: what `cargo xtask validate` runs.
#![forbid(unsafe_code)]

use clap::{Parser, ValueEnum};
use crosstalk::hunt::Search;
use firmware::{bugs, validation};
use indicatif::{ProgressBar, ProgressStyle};
use kit::argument::{number, positive};
use kit::{Failure, ended};
use std::path::PathBuf;
use std::process::ExitCode;
use validate::last_writers::{self, TABLE_1};
use validate::measure::{How, measure};
use validate::{page, suite, table};

/// Measure how often answers are right, on the programs of firmware/validation.
///
/// Each program is hunted; its verdict is compared with the marks in its source. The set has two halves, by the
/// hash of a program's name: details are printed of the open half only, since the other one is not for tuning.
#[derive(Parser)]
#[command(name = "cargo xtask validate", bin_name = "cargo xtask validate", max_term_width = 100)]
#[command(after_help = "\
Examples:
  cargo xtask validate                           all programs, on the golden machine
  cargo xtask validate --fixed 500               their fixed twins too, 500 schedules each
  cargo xtask validate --program blob-store      one program
  cargo xtask validate --suite --trials 5        the bug suite, five times with other schedules
  cargo xtask validate --last-writers            what `crosstalk why` says of seven published bugs
  cargo xtask validate --set ~/my-programs       programs of your own, with headers and marks like these

Exit codes: 0 measured, 1 a fixed twin failed, 2 wrong use or a program that cannot be measured.")]
struct Args {
    /// Where failing schedules are looked for
    #[arg(long, value_enum, value_name = "MACHINE", default_value = "golden")]
    on: Search,
    /// At most this many schedules of each program [default: as many as a hunt tries by itself]
    #[arg(long, value_name = "N", value_parser = positive::<u64>)]
    schedules: Option<u64>,
    /// This many schedules of each fixed twin
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::<u64>)]
    fixed: u64,
    /// The bug suite instead
    #[arg(long, conflicts_with_all = ["set", "half"])]
    suite: bool,
    /// The bugs of Last Writer Slices instead: what `crosstalk why` says of each
    #[arg(long, conflicts_with_all = ["set", "half", "suite", "trials", "fixed", "schedules", "on"])]
    last_writers: bool,
    /// Measure each program so many times, each time with other schedules
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = positive::<u64>)]
    trials: u64,
    /// Only this half
    #[arg(long, value_enum, value_name = "HALF")]
    half: Option<Half>,
    /// Only this program; may be given several times
    #[arg(long, value_name = "NAME")]
    program: Vec<String>,
    /// Another folder of programs in the form of firmware/validation
    #[arg(long, value_name = "DIR", conflicts_with = "write")]
    set: Option<PathBuf>,
    /// Write the figures to docs/results: validation.md, suite.md or last-writers.md
    #[arg(long)]
    write: bool,
}

/// A half of the set.
#[derive(Clone, Copy, ValueEnum)]
enum Half {
    /// The one that may be looked at while choosing
    Open,
    /// The one that is only ever measured
    HeldOut,
}

impl From<Half> for validation::Half {
    fn from(half: Half) -> Self {
        match half {
            Half::Open => Self::Open,
            Half::HeldOut => Self::HeldOut,
        }
    }
}

fn main() -> ExitCode {
    ended(run(&Args::parse()))
}

/// What `why` says of the bugs of Last Writer Slices.
fn last_writers(args: &Args) -> Result<ExitCode, Failure> {
    let bad = |error: &dyn std::fmt::Display| Failure::BadInput(error.to_string());
    let names = TABLE_1.map(|row| row.bug);
    let is_known = |name: &&String| names.contains(&name.as_str());
    if let Some(unknown) = args.program.iter().find(|name| !is_known(name)) {
        let names = names.join(", ");
        return Err(Failure::BadInput(format!(
            "unknown program `{unknown}`; expected one of {names}"
        )));
    }
    if args.write && !args.program.is_empty() {
        return Err(Failure::BadInput("--write is for all programs".to_owned()));
    }
    let is_wanted = |name: &str| args.program.is_empty() || args.program.iter().any(|p| p == name);
    let bugs = names.iter().filter(|name| is_wanted(name));
    let bugs = bugs.filter_map(|name| bugs::built_in().find(|bug| bug.name == *name));
    let answered: Result<Vec<_>, _> = bugs.map(last_writers::measure).collect();
    let answered = answered.map_err(|error| bad(&error))?;
    print!("{}", last_writers::page(&answered));
    if args.write {
        last_writers::write(&answered).map_err(|error| bad(&error))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn run(args: &Args) -> Result<ExitCode, Failure> {
    if args.last_writers {
        return last_writers(args);
    }
    let bad = |error: &dyn std::fmt::Display| Failure::BadInput(error.to_string());
    let programs = match &args.set {
        _ if args.suite => suite::programs(),
        Some(folder) => validation::all_in(folder),
        None => validation::all(),
    };
    let mut programs = programs.map_err(|error| bad(&error))?;
    if let Some(unknown) =
        args.program.iter().find(|name| !programs.iter().any(|p| p.name == **name))
    {
        return Err(Failure::BadInput(format!(
            "unknown program `{unknown}`; expected one of the set"
        )));
    }
    programs.retain(|program| args.program.is_empty() || args.program.contains(&program.name));
    programs.retain(|program| {
        args.half.is_none_or(|half| validation::Half::from(half) == program.half)
    });
    let bar = ProgressBar::new(programs.len() as u64 * args.trials);
    if let Ok(style) = ProgressStyle::with_template("{pos} of {len} programs, {msg}") {
        bar.set_style(style);
    }
    let mut measured = Vec::new();
    for program in &programs {
        bar.set_message(program.name.clone());
        for trial in 0..args.trials {
            let Args { on, schedules, fixed, .. } = *args;
            let how = How { on, schedules, fixed, trial };
            measured.push(measure(program, how).map_err(|error| bad(&error))?);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    let figures = match args.suite || args.trials > 1 {
        true => table::trials(&measured, args.trials),
        false => format!("{}\n{}", table::halves(&measured), table::plain(&measured)),
    };
    print!("{}\n{figures}", table::details(&measured));
    if args.write {
        let written = match args.suite {
            true => page::write_suite(&figures),
            false => page::write(&figures, &measured),
        };
        written.map_err(|error| bad(&error))?;
    }
    let unsound: Vec<_> = measured.iter().filter(|one| one.fixed_failed > 0).collect();
    for one in &unsound {
        println!("{}: {} schedules of the fixed twin failed", one.name, one.fixed_failed);
    }
    Ok(if unsound.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
