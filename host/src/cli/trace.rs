//! `crosstalk trace`: a run, instruction by instruction.

use super::failure::Failure;
use super::progress::Progress;
use super::recorded::RecordedArgs;
use crate::trace::{CommitLog, Filter, Signature};
use debuginfo::LineMap;
use golden::isa::{Hart, Retired};
use kit::argument::{number, within};
use kit::file::{check_apart, check_output, write_atomic};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

/// Write every instruction of a run, in the form that Spike prints.
///
/// The run is made again from its seed. Each instruction has a line with its disassembly, as of `spike -l`, and a
/// line with what it changed, as of `--log-commits`: mode, register, CSR, memory. Instructions of all harts are in
/// the machine's order.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  crosstalk trace crosstalk-hunt/prog --out 7.log              the first run that failed
  crosstalk trace crosstalk-hunt/prog/golden/runs/7.run --hart 1 --hart 2
  crosstalk trace crosstalk-hunt/prog --range deposit --user   one function, without the firmware
  crosstalk trace crosstalk-hunt/prog --range 0x80010000-0x80010100 --bare
  crosstalk trace tests/hunt --signature dump.txt --out /dev/null

A line of --bare:  core   1: 0 0x80010abc (0x00a5a023) mem 0x80017c60 0x00000007

Exit codes: 0 written, 1 the output could not be written, 2 wrong use or bad input.")]
pub struct Args {
    #[command(flatten)]
    recorded: RecordedArgs,
    /// Only this hart; repeatable
    #[arg(long = "hart", value_name = "N", value_parser = within(0..=15u32))]
    harts: Vec<u32>,
    /// Only instructions of a function, or at FIRST-LAST; repeatable
    #[arg(long = "range", value_name = "RANGE")]
    ranges: Vec<String>,
    /// Only U mode: the program and its library, not the firmware
    #[arg(long)]
    user: bool,
    /// Only commits: no disassembly, no symbols
    #[arg(long)]
    bare: bool,
    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write the words between `begin_signature` and `end_signature` at the end, as RISC-V's
    /// architecture tests do
    #[arg(long, value_name = "FILE")]
    signature: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    for output in args.out.iter().chain(&args.signature) {
        check_output(output, [&args.recorded.run])?;
    }
    if let (Some(out), Some(signature)) = (&args.out, &args.signature) {
        check_apart(out, signature)?;
    }
    let progress = Progress::waiting("repeating the run");
    let recorded = args.recorded.open()?;
    // Lines are printed as they come.
    recorded.check()?;
    let program = &recorded.subject.program;
    let lines = LineMap::read(recorded.subject.elf(), Vec::new()).map_err(Failure::BadInput)?;
    let lines = Arc::new(lines);
    let addresses: Result<Vec<_>, _> =
        args.ranges.iter().map(|text| range(text, |name| lines.symbols().named(name))).collect();
    let filter = Filter {
        harts: args.harts.clone(),
        addresses: addresses.map_err(Failure::BadInput)?,
        user: args.user,
        bare: args.bare,
    };
    let signature = args.signature.as_ref().map(|_| Signature::of(program)).transpose();
    let signature = signature.map_err(Failure::BadInput)?;
    let unwritable = |error: &io::Error| {
        let path = args.out.as_ref().map(|path| path.display().to_string());
        let name = path.unwrap_or_else(|| "standard output".to_owned());
        Failure::Failed(format!("cannot write to {name}: {error}"))
    };
    let to: Box<dyn Write + Send> = match &args.out {
        Some(path) => Box::new(File::create(path).map_err(|error| unwritable(&error))?),
        None => Box::new(io::stdout()),
    };
    let log = CommitLog::new(BufWriter::new(to), filter, lines);
    let both = Arc::new(Mutex::new(Some((log, signature))));
    let shown = both.clone();
    recorded.show(Box::new(move |number: usize, hart: &Hart, retired: &Retired| {
        let mut both = shown.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((log, signature)) = both.as_mut() {
            log.see(number, hart, retired);
            signature.iter_mut().for_each(|signature| signature.see(retired));
        }
    }))?;
    let both = both.lock().unwrap_or_else(PoisonError::into_inner).take();
    drop(progress);
    let Some((log, signature)) = both else { return Ok(ExitCode::SUCCESS) };
    match log.finish() {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe && args.out.is_none() => {}
        Err(error) => return Err(unwritable(&error)),
        Ok(0) => {
            return Err(Failure::Failed("the selected part of the run has no instructions".into()));
        }
        Ok(_) => {}
    }
    if let (Some(path), Some(signature)) = (&args.signature, signature) {
        write_atomic(path, signature.text().as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A function's addresses, or those from one number to another.
fn range(text: &str, function: impl Fn(&str) -> Option<Range<u64>>) -> Result<Range<u64>, String> {
    if !text.starts_with(|letter: char| letter.is_ascii_digit()) {
        return function(text).ok_or_else(|| {
            format!("the program has no function `{text}`; the compiler may have inlined it")
        });
    }
    let wrong = || {
        format!("expected a function or FIRST-LAST, such as 0x80000000-0x8000ffff, got `{text}`")
    };
    let (first, last) = text.split_once('-').ok_or_else(wrong)?;
    let number = |text: &str| number::<u64>(text).map_err(|_| wrong());
    let range = number(first)?..number(last)?.saturating_add(1);
    if range.is_empty() { Err(wrong()) } else { Ok(range) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_a_function_or_two_addresses() {
        let function = |name: &str| (name == "main").then_some(16..32);
        assert_eq!(range("main", function), Ok(16..32));
        assert_eq!(range("0x10-0x1f", function), Ok(16..32));
        assert_eq!(range("16-16", function), Ok(16..17));
        for wrong in
            ["", "mian", "0x10", "0x10-", "0x20-0x10", "-3", "1-x", "0x10-0xfffffffffffffffff"]
        {
            assert!(range(wrong, function).is_err(), "{wrong}");
        }
    }
}
