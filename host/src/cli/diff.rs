//! `crosstalk diff`: edges that some runs have and others do not.

use super::common::{CodeArgs, OutArgs, RunArgs, union};
use super::failure::Failure;
use super::graph::{EdgeView, table, views};
use super::out::{Out, Paint, plural, print_json};
use crate::graph::Graph;
use crate::runs::{self, Family, RunFile};
use kit::argument::number;
use record::Label;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Show the edges that failing runs have and passing runs do not.
///
/// With --against, the edges that the given runs have and those others do not, whatever their labels.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  crosstalk diff runs/ --elf prog.elf
  crosstalk diff runs/ --context 0               is the bug visible without contexts?
  crosstalk diff new.run --against old.run")]
pub struct Args {
    #[command(flatten)]
    runs: RunArgs,
    /// Compare with these runs
    #[arg(long, value_name = "RUNS", num_args = 1..)]
    against: Vec<PathBuf>,
    #[command(flatten)]
    code: CodeArgs,
    /// Edges to show, the most frequent first
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number::<usize>)]
    top: usize,
    #[command(flatten)]
    out: OutArgs,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    /// Runs whose edges are shown, and runs whose edges are taken away.
    runs: usize,
    against: usize,
    edges: Vec<EdgeView>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let files = args.runs.files()?;
    let (these, others) = match args.against.is_empty() {
        false => (files, runs::find(&args.against, None)?),
        true => by_label(files)?,
    };
    let view = args.runs.view();
    let mut family = Family::default();
    let (mine, header) = union(&these, view, &mut family)?;
    let theirs = match others.is_empty() {
        true => Graph::default(),
        false => union(&others, view, &mut family)?.0,
    };
    let only = mine.difference(&theirs);
    let code = args.code.map(&header)?;
    if args.out.json {
        let edges = views(&only, &code, header.events, usize::MAX);
        let (runs, against) = (these.len(), others.len());
        print_json(&Document { schema: "crosstalk.diff/1", runs, against, edges })?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = Out::new(args.out.color);
    let title = format!(
        "{} in {} and not in {}",
        plural(only.len() as u64, "edge"),
        plural(these.len() as u64, if args.against.is_empty() { "failing run" } else { "run" }),
        plural(others.len() as u64, if args.against.is_empty() { "passing run" } else { "other" }),
    );
    out.painted(Paint::Bold, &title);
    table(&mut out, &views(&only, &code, header.events, args.top));
    out.print()?;
    Ok(ExitCode::SUCCESS)
}

/// Failing runs, and passing runs.
fn by_label(files: Vec<RunFile>) -> Result<(Vec<RunFile>, Vec<RunFile>), Failure> {
    let (mut failing, mut passing) = (Vec::new(), Vec::new());
    for file in files {
        match file.read(|_| {})?.label {
            Label::Failing => failing.push(file),
            Label::Passing => passing.push(file),
            Label::Unknown => {}
        }
    }
    if failing.is_empty() {
        let why = "no run failed, so there is nothing to compare; --against names other runs";
        return Err(Failure::Failed(why.into()));
    }
    Ok((failing, passing))
}
