//! `crosstalk stats`: which runs there are.

use super::common::{OutArgs, RunArgs, headline};
use super::failure::Failure;
use super::out::{Out, Paint, Table, grouped, left, plural, point, print_json, right};
use super::progress::Progress;
use crate::analysis::{Analysis, Request};
use crate::recon;
use crate::view::{RunView, RunsView};
use kit::argument::number;
use serde::Serialize;
use std::process::ExitCode;

/// List runs: how they ended, what they recorded, what they lost.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    runs: RunArgs,
    /// Runs to list
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number::<usize>)]
    top: usize,
    #[command(flatten)]
    out: OutArgs,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    summary: RunsView,
    nodes: usize,
    code_points: usize,
    runs: Vec<RunView>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let request = Request {
        files: args.runs.files()?,
        view: args.runs.view(),
        recon: recon::Options { candidates: 0, ..recon::Options::default() },
        mode: Some(crate::bugaboo::Mode::Unlabeled),
        ..Request::default()
    };
    let progress = Progress::new("runs read");
    let analysis = Analysis::of(&request, &|| progress.step())?;
    drop(progress);
    let summary = analysis.runs_view();
    let nodes = analysis.census.nodes.len();
    let code_points = analysis.census.points.len();
    let runs = analysis.census.runs.iter().map(RunView::from);
    if args.out.json {
        let runs = runs.collect();
        let schema = "crosstalk.stats/1";
        print_json(&Document { schema, summary, nodes, code_points, runs })?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = Out::new(args.out.color);
    headline(&mut out, &summary);
    out.line(&format!(
        "{} of {} in {}",
        plural(summary.edges, "edge"),
        plural(nodes as u64, "node"),
        plural(code_points as u64, "code point"),
    ));
    for outcome in &summary.outcomes {
        out.painted(Paint::Plain, &format!("{:>6}  {}", grouped(outcome.runs.into()), outcome.how));
    }
    out.line("");
    let columns = vec![
        right("seed"),
        left("label", 8),
        right("distinct"),
        right("edges"),
        right("lost"),
        right("cycles"),
        point("run", 24),
        left("outcome", 40),
    ];
    let mut table = Table::new(columns);
    for run in runs.take(args.top) {
        let paint = match run.label {
            "failing" => Paint::Red,
            "passing" => Paint::Green,
            _ => Paint::Dim,
        };
        let lost = if run.lost_edges > 0 { Paint::Yellow } else { Paint::Plain };
        table.row(vec![
            (Paint::Plain, run.seed.to_string()),
            (paint, run.label.into()),
            (Paint::Plain, grouped(run.distinct_edges)),
            (Paint::Plain, grouped(run.edges)),
            (lost, grouped(run.lost_edges)),
            (Paint::Plain, grouped(run.cycles)),
            (Paint::Plain, run.name),
            (Paint::Plain, run.outcome),
        ]);
    }
    out.table(&table);
    let more = analysis.census.runs.len().saturating_sub(args.top);
    if more > 0 {
        out.painted(
            Paint::Dim,
            &format!("and {}; --top shows more", plural(more as u64, "more run")),
        );
    }
    out.print()?;
    Ok(ExitCode::SUCCESS)
}
