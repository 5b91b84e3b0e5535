//! `crosstalk-validate`: what `cargo xtask validate` runs.
#![forbid(unsafe_code)]

use clap::{Parser, ValueEnum};
use crosstalk::hunt::Search;
use firmware::bugs;
use firmware::validation::{self, Program};
use indicatif::{ProgressBar, ProgressStyle};
use kit::argument::{number, positive};
use kit::file::Unwritable;
use kit::{Failure, ended};
use std::path::PathBuf;
use std::process::ExitCode;
use validate::breakpoints;
use validate::last_writers::{self, TABLE_1};
use validate::measure::{How, Measured, measure};
use validate::store::Store;
use validate::table::Set;
use validate::{page, suite, table, version};

/// Measure how often answers are right, on the programs of four sets in firmware/.
///
/// Each program is hunted; its verdict is compared with the marks in its source. A set has two halves, by the
/// hash of a program's name: details are printed of the open half only, since the other one is not for tuning.
/// What was measured is kept in the target folder and not measured again until something changes that decides it.
#[derive(Parser)]
#[command(name = "cargo xtask validate", bin_name = "cargo xtask validate", max_term_width = 100)]
#[command(after_help = "\
Examples:
  cargo xtask validate                           all programs, on the golden machine
  cargo xtask validate --fixed 500               their fixed twins too, 500 schedules each
  cargo xtask validate --bursts 1000             and how many of 1,000 schedules in bursts fail
  cargo xtask validate --program blob-store      one program
  cargo xtask validate --suite --trials 5        the bug suite, five times with other schedules
  cargo xtask validate --last-writers            what `crosstalk why` says of seven published bugs
  cargo xtask validate --breakpoints             what `crosstalk repro` makes of the suite's bugs
  cargo xtask validate --breakpoints --runs 299  and what the hardware makes of that
  cargo xtask validate --set ~/my-programs       programs of your own, with headers and marks like these

Exit codes: 0 measured, 1 a fixed twin failed, 2 wrong use or a program that cannot be measured.")]
struct Args {
    /// The machine on which failing schedules are searched
    #[arg(long, value_enum, value_name = "MACHINE", default_value = "golden")]
    on: Search,
    /// At most this many schedules of each program [default: as many as a hunt tries by itself]
    #[arg(long, value_name = "N", value_parser = positive::<u64>)]
    schedules: Option<u64>,
    /// Run this many schedules of each program's fixed variant too
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::<u64>)]
    fixed: u64,
    /// Run this many schedules of each program in bursts, the hunt's first strategy, and say how many fail
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::<u64>)]
    bursts: u64,
    /// Measure the bug suite instead
    #[arg(long, conflicts_with_all = ["set", "half"])]
    suite: bool,
    /// Measure the bugs of Last Writer Slices instead: what `crosstalk why` says of each
    #[arg(long, conflicts_with_all = ["set", "half", "suite", "trials", "fixed", "schedules", "on"])]
    last_writers: bool,
    /// Measure breakpoints instead, on the suite and the programs written for them: is the cause of each bug found and proved?
    #[arg(long, conflicts_with_all = ["set", "half", "suite", "last_writers", "trials", "fixed", "schedules", "on"])]
    breakpoints: bool,
    /// With --breakpoints: run this many schedules of each order on the simulated hardware, about two a second
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::<u64>, requires = "breakpoints")]
    runs: u64,
    /// Measure each program this many times, each time with other schedules
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = positive::<u64>)]
    trials: u64,
    /// Only this half of each set
    #[arg(long, value_enum, value_name = "HALF")]
    half: Option<Half>,
    /// Only this program; may be given several times
    #[arg(long, value_name = "NAME")]
    program: Vec<String>,
    /// Only this folder of programs, laid out like firmware/validation
    #[arg(long, value_name = "DIR", conflicts_with = "write")]
    set: Option<PathBuf>,
    /// Write the figures to docs/results: validation.md, suite.md, last-writers.md or breakpoints.md
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
        return Err(Failure::BadInput(
            "--write needs all programs: leave out --program".to_owned(),
        ));
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

/// Breakpoints that reproduce the suite's bugs, and those that were written for them.
fn breakpoints(args: &Args) -> Result<ExitCode, Failure> {
    let bad = |error: &dyn std::fmt::Display| Failure::BadInput(error.to_string());
    let all = || bugs::ALL.iter().chain(bugs::BREAKPOINTS);
    if let Some(unknown) = args.program.iter().find(|name| all().all(|bug| bug.name != **name)) {
        let names: Vec<_> = all().map(|bug| bug.name).collect();
        let names = names.join(", ");
        return Err(Failure::BadInput(format!(
            "unknown program `{unknown}`; expected one of {names}"
        )));
    }
    let is_wanted = |name: &str| args.program.is_empty() || args.program.iter().any(|p| p == name);
    let store = Store::open().map_err(|error| bad(&error))?;
    let mut measured = Vec::new();
    for bug in all().filter(|bug| is_wanted(bug.name)) {
        let folder = store.folder().join("breakpoints").join(bug.name);
        std::fs::create_dir_all(&folder).map_err(|error| bad(&error))?;
        measured.push(breakpoints::measure(bug, &folder, args.runs).map_err(|error| bad(&error))?);
        eprintln!("{} of {} programs", measured.len(), all().count());
    }
    print!("{}", breakpoints::page(&measured));
    if args.write {
        breakpoints::write(&measured).map_err(|error| bad(&error))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The sets that are measured: what each is called, and its programs.
fn sets(args: &Args) -> std::io::Result<Vec<(String, Vec<Program>)>> {
    if args.suite {
        return Ok(vec![("suite".into(), suite::programs()?)]);
    }
    if let Some(folder) = &args.set {
        let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy();
        return Ok(vec![(name.into_owned(), validation::all_in(folder)?)]);
    }
    validation::SETS.iter().map(|set| Ok((set.name.to_owned(), set.programs()?))).collect()
}

fn run(args: &Args) -> Result<ExitCode, Failure> {
    if args.last_writers {
        return last_writers(args);
    }
    if args.breakpoints {
        return breakpoints(args);
    }
    let bad = |error: &dyn std::fmt::Display| Failure::BadInput(error.to_string());
    let mut sets = sets(args).map_err(|error| bad(&error))?;
    let store = Store::open().map_err(|error| bad(&error))?;
    let is_known = |name: &String| sets.iter().flat_map(|set| &set.1).any(|p| p.name == *name);
    if let Some(unknown) = args.program.iter().find(|name| !is_known(name)) {
        return Err(Failure::BadInput(format!(
            "unknown program `{unknown}`; expected a program of the sets in firmware/, or of --set"
        )));
    }
    for (_, programs) in &mut sets {
        programs.retain(|program| args.program.is_empty() || args.program.contains(&program.name));
        programs.retain(|program| {
            args.half.is_none_or(|half| validation::Half::from(half) == program.half)
        });
    }
    let all: usize = sets.iter().map(|set| set.1.len()).sum();
    let bar = ProgressBar::new(all as u64 * args.trials);
    if let Ok(style) = ProgressStyle::with_template("{pos} of {len} programs, {msg}") {
        bar.set_style(style);
    }
    let mut measured_sets = Vec::new();
    for (name, programs) in sets {
        let mut measured = Vec::new();
        for program in &programs {
            bar.set_message(program.name.clone());
            for trial in 0..args.trials {
                let Args { on, schedules, fixed, bursts, .. } = *args;
                let how = How { on, schedules, fixed, bursts, trial };
                measured.push(measure(program, how, &store).map_err(|error| bad(&error))?);
                bar.inc(1);
            }
        }
        measured_sets.push(Set { name, measured });
    }
    bar.finish_and_clear();
    report(args, &measured_sets, &store).map_err(|error| bad(&error))
}

/// Prints what was measured, and writes it down if that is wanted.
fn report(args: &Args, sets: &[Set], store: &Store) -> Result<ExitCode, Unwritable> {
    let all: Vec<Measured> = sets.iter().flat_map(|set| set.measured.clone()).collect();
    let version = version::sentence(store.version());
    let figures = match args.suite || args.trials > 1 {
        true => format!("{}\n{version}", table::trials(&all, args.trials)),
        false => format!(
            "{}\n{}\n{}\n{version}",
            table::halves(sets),
            table::plain(&all),
            table::bursts(sets, args.bursts),
        ),
    };
    print!("{}\n{figures}", table::details(&all));
    if args.write {
        match args.suite {
            true => page::write_suite(&figures)?,
            false => page::write(&figures, sets)?,
        }
    }
    let fails = |one: &&Measured| one.fixed_failed.is_some_and(|failed| failed > 0);
    let unsound: Vec<_> = all.iter().filter(fails).collect();
    for one in unsound.iter().filter(|one| one.half == validation::Half::Open) {
        let failed = one.fixed_failed.unwrap_or_default();
        println!("{}: {failed} schedules of the fixed twin failed", one.name);
    }
    Ok(if unsound.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
