//! `crosstalk export`: runs for other programs, and back.

use super::common::{CodeArgs, RunArgs, node_name, union};
use super::failure::Failure;
use super::out::send;
use crate::formats::{self, Format};
use crate::graph::ContextView;
use crate::runs::{Family, RunFile};
use kit::file::{check_output, write_atomic};
use record::{Collected, Header, Run};
use std::path::PathBuf;
use std::process::ExitCode;

/// Write a run in another format, or the union of several runs.
///
/// Nothing is lost: every command reads exported files as it reads run files.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  crosstalk export runs/7.run --to dot | dot -Tsvg > 7.svg
  crosstalk export runs/ --to graphml --elf prog.elf --out all.graphml
  crosstalk export all.graphml --to run --out all.run")]
pub struct Args {
    #[command(flatten)]
    runs: RunArgs,
    #[command(flatten)]
    code: CodeArgs,
    /// The format: run, json, graphml or dot
    #[arg(long, value_name = "FORMAT", value_parser = parse_format)]
    to: Format,
    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

fn parse_format(name: &str) -> Result<Format, String> {
    Format::named(name).ok_or_else(|| "expected run, json, graphml or dot".to_owned())
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let files = args.runs.files()?;
    if let Some(path) = &args.out {
        check_output(path, files.iter().map(|file| &file.path))?;
    }
    let run = match &files[..] {
        [one] if args.runs.view() == ContextView::Full => one.load()?,
        files => together(files, args.runs.view())?,
    };
    let code = args.code.map(&run.header)?;
    let bytes = formats::write(&run, args.to, &|node| Some(node_name(&code, node)));
    match &args.out {
        Some(path) => write_atomic(path, &bytes)?,
        None => send(&bytes)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The union of runs as a run.
pub fn together(files: &[RunFile], view: ContextView) -> Result<Run, Failure> {
    let (graph, header) = union(files, view, &mut Family::default())?;
    let header =
        Header { collected: Collected::Union, label: record::Label::Unknown, seed: 0, ..header };
    Ok(Run { header, edges: graph.to_totals(), ..Run::default() })
}
