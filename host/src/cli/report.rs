//! `crosstalk report`: everything on one page.

use super::common::{AnalysisArgs, analyze};
use super::failure::Failure;
use super::out::send;
use crate::report::{Limits, Report};
use kit::argument::number;
use kit::file::{check_output, write_atomic};
use std::path::PathBuf;
use std::process::ExitCode;

/// Write an HTML page with the verdict, pictures, rankings and the communication graph.
///
/// The page needs no network and opens from disk. The same runs give the same bytes.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  crosstalk report runs/ --elf prog.elf --out report.html
  crosstalk report --failing bad/ --passing good/ --elf prog.elf > report.html")]
pub struct Args {
    #[command(flatten)]
    analysis: AnalysisArgs,
    /// Rows of each ranking
    #[arg(long, value_name = "N", default_value_t = Limits::default().rows, value_parser = number::<usize>)]
    top: usize,
    /// Reconstructions to draw
    #[arg(long, value_name = "N", default_value_t = Limits::default().pictures, value_parser = number::<usize>)]
    pictures: usize,
    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    if let Some(path) = &args.out {
        check_output(path, args.analysis.runs.files()?.iter().map(|file| &file.path))?;
    }
    let analysis = analyze(&args.analysis)?;
    let limits = Limits { rows: args.top, pictures: args.pictures, ..Limits::default() };
    let page = Report::of(&analysis, limits).html();
    match &args.out {
        Some(path) => write_atomic(path, page.as_bytes())?,
        None => send(page.as_bytes())?,
    }
    Ok(ExitCode::SUCCESS)
}
