//! `crosstalk-validate`: what `cargo xtask validate` runs.
#![forbid(unsafe_code)]

use clap::Parser;
use crosstalk::hunt::Search;
use firmware::validation;
use indicatif::{ProgressBar, ProgressStyle};
use kit::argument::{number, positive};
use kit::{Failure, ended};
use std::process::ExitCode;
use validate::measure::{How, measure};
use validate::{page, table};

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
    /// Only this program; may be given several times
    #[arg(long, value_name = "NAME")]
    program: Vec<String>,
    /// Write the figures to docs/results/validation.md
    #[arg(long)]
    write: bool,
}

fn main() -> ExitCode {
    ended(run(&Args::parse()))
}

fn run(args: &Args) -> Result<ExitCode, Failure> {
    let bad = |error: &dyn std::fmt::Display| Failure::BadInput(error.to_string());
    let mut programs = validation::all().map_err(|error| bad(&error))?;
    if let Some(unknown) =
        args.program.iter().find(|name| !programs.iter().any(|p| p.name == **name))
    {
        return Err(Failure::BadInput(format!(
            "unknown program `{unknown}`; expected one of firmware/validation"
        )));
    }
    programs.retain(|program| args.program.is_empty() || args.program.contains(&program.name));
    let how = How { on: args.on, schedules: args.schedules, fixed: args.fixed };
    let bar = ProgressBar::new(programs.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{pos} of {len} programs, {msg}") {
        bar.set_style(style);
    }
    let mut measured = Vec::new();
    for program in &programs {
        bar.set_message(program.name.clone());
        measured.push(measure(program, how).map_err(|error| bad(&error))?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let figures = format!("{}\n{}", table::halves(&measured), table::plain(&measured));
    print!("{}\n{figures}", table::details(&measured));
    if args.write {
        page::write(&figures, &measured).map_err(|error| bad(&error))?;
    }
    let unsound: Vec<_> = measured.iter().filter(|one| one.fixed_failed > 0).collect();
    for one in &unsound {
        println!("{}: {} schedules of the fixed twin failed", one.name, one.fixed_failed);
    }
    Ok(if unsound.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
