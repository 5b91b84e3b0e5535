//! `crosstalk explain`: what happened, in which order.

use super::common::{AnalysisArgs, OutArgs, analyze, headline};
use super::failure::Failure;
use super::lanes;
use super::out::{Out, Paint, Table, left, point, print_json, right};
use crate::verdict::{EdgeFinding, Labels};
use crate::view::{MemberView, PointView, ReconstructionView};
use kit::argument::number;
use serde::Serialize;
use std::process::ExitCode;

/// Show what happened around an edge of failing runs, in time order.
///
/// A reconstruction shows the two accesses of an edge, what ran before, between and after them, and in what
/// share of the failing runs; then one failing run's accesses in time order, with a lane for each hart.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  crosstalk explain runs/ --elf prog.elf               the first of the ranking
  crosstalk explain runs/ --elf prog.elf --rank 3      the third in the list of `crosstalk rank`
  crosstalk explain runs/ --elf prog.elf --top 3       the first three")]
pub struct Args {
    #[command(flatten)]
    analysis: AnalysisArgs,
    /// The rank of the reconstruction to show, from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<usize>)]
    rank: usize,
    /// Show this many, starting with that rank
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<usize>)]
    top: usize,
    #[command(flatten)]
    out: OutArgs,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    reconstructions: Vec<ReconstructionView>,
    reconstructed: usize,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let analysis = analyze(&args.analysis)?;
    let all = analysis.findings.reconstructions.len();
    if analysis.census.labels.failing == 0 {
        let why = "no run failed, so there is nothing to explain; --failing names failing runs";
        return Err(Failure::Failed(why.into()));
    }
    if all == 0 {
        let why = match analysis.census.edges.iter().any(|edge| edge.runs.failing > 0) {
            true if !args.analysis.code.library => {
                "every edge of the failing runs is the thread library's, so nothing is left to explain; \
                 --library shows them"
            }
            true => {
                "no instruction of the failing runs' edges is known, so nothing can be explained"
            }
            false => "the failing runs have no edges, so there is nothing to explain",
        };
        return Err(Failure::Failed(why.into()));
    }
    if args.rank == 0 || args.rank > all {
        let rank = args.rank;
        return Err(Failure::BadInput(format!(
            "there is no reconstruction {rank}; expected 1 to {all}"
        )));
    }
    let chosen = args.rank - 1..(args.rank - 1).saturating_add(args.top.max(1)).min(all);
    let chosen: Vec<_> = chosen.map(|place| analysis.reconstruction(place)).collect();
    if args.out.json {
        let schema = "crosstalk.explain/1";
        print_json(&Document { schema, reconstructions: chosen, reconstructed: all })?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = Out::new(args.out.color);
    headline(&mut out, &analysis.runs_view());
    for found in &chosen {
        out.line("");
        show(&mut out, found, analysis.census.labels.into(), all);
    }
    out.print()?;
    Ok(ExitCode::SUCCESS)
}

fn show(out: &mut Out, found: &ReconstructionView, labels: Labels, all: usize) {
    let ReconstructionView { rank, score, b, c, r, s, .. } = found;
    let title = format!("Reconstruction {rank} of {all}");
    let numbers = format!("score {score:.2}: B {b:.2}, C {c:.2}, R {r:.2}, S {s:.2}");
    let line = format!("{}   {}", out.paint(Paint::Bold, &title), out.paint(Paint::Dim, &numbers));
    out.line(&line);
    let edge = EdgeFinding::of(found, labels);
    out.phrase(Paint::Plain, &edge.sentence());
    if let Some(evidence) = edge.evidence() {
        out.phrase(Paint::Dim, &evidence);
    }
    out.line("");
    let mut table = Table::new(vec![
        left("", 8),
        right("sure"),
        point("code point", 36),
        left("function", 18),
        left("", 60),
    ]);
    let members = |table: &mut Table, name: &str, members: &[MemberView]| {
        for (place, member) in members.iter().enumerate() {
            let name = if place == 0 { name } else { "" };
            let sure = format!("{:.0} %", 100.0 * member.confidence);
            table.row(row(Paint::Plain, name, sure, &member.point));
        }
    };
    members(&mut table, "before", &found.prefix);
    if let Some(source) = &found.source {
        table.row(row(Paint::Red, "source", String::new(), source));
    }
    members(&mut table, "between", &found.body);
    table.row(row(Paint::Red, "sink", String::new(), &found.sink));
    members(&mut table, "after", &found.suffix);
    out.table(&table);
    if let Some(run) = &found.example_run {
        out.line("");
        out.painted(Paint::Bold, &format!("One of them, in time order: {run}"));
        lanes::draw(out, &found.example);
    }
}

fn row(paint: Paint, part: &str, sure: String, point: &PointView) -> Vec<(Paint, String)> {
    vec![
        (Paint::Dim, part.to_owned()),
        (Paint::Plain, sure),
        (paint, point.name.clone()),
        (Paint::Plain, point.function_beside().unwrap_or_default().to_owned()),
        (Paint::Cyan, point.point.text_or_reason().to_owned()),
    ]
}
