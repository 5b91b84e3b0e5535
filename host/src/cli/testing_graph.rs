//! `crosstalk testing-graph`: what testing showed.

use super::common::RunArgs;
use super::export::together;
use super::failure::Failure;
use super::out::{Color, Out, plural};
use kit::file::{check_output, write_atomic};
use record::Label;
use std::path::PathBuf;
use std::process::ExitCode;

/// Write the union of all runs of testing, to deploy with the program (Bugaboo §5).
///
/// `crosstalk watch` compares runs in the field with it. Failing runs are left out: what testing shows
/// is taken for correct.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    runs: RunArgs,
    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let files = args.runs.files()?;
    check_output(&args.out, files.iter().map(|file| &file.path))?;
    let all = files.len();
    let mut correct = Vec::new();
    for file in files {
        if file.read(|_| {})?.label != Label::Failing {
            correct.push(file);
        }
    }
    if correct.is_empty() {
        return Err(Failure::Failed("every run failed: there is nothing correct to unite".into()));
    }
    let run = together(&correct, args.runs.view())?;
    let bytes = run.write(Vec::new());
    write_atomic(&args.out, &bytes.map_err(|error| Failure::Failed(error.to_string()))?)?;
    let mut out = Out::new(Color::Never);
    let left_out = all - correct.len();
    let failing = match left_out {
        0 => String::new(),
        some => format!("; {} left out", plural(some as u64, "failing run")),
    };
    out.line(&format!(
        "{} of {}{failing}",
        plural(run.edges.len() as u64, "edge"),
        plural(correct.len() as u64, "run"),
    ));
    out.print()?;
    Ok(ExitCode::SUCCESS)
}
