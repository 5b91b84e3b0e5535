//! `crosstalk rank`: which lines to look at first.

use super::common::{AnalysisArgs, OutArgs, analyze, headline};
use super::failure::Failure;
use super::out::{Out, Paint, Table, left, plural, point, print_json, right};
use crate::view::AnalysisView;
use kit::argument::number;
use serde::Serialize;
use std::collections::BTreeSet;
use std::process::ExitCode;

/// Rank the lines to look at first.
///
/// Gives two rankings: code points by their contexts (Bugaboo), and edges by how well what happened around them
/// explains the failures (Recon). With failing and passing runs, what only failing runs do counts; otherwise,
/// what is unusual.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  crosstalk rank runs/ --elf prog.elf
  crosstalk rank --failing bad/ --passing good/        labels from folders
  crosstalk rank runs/ --context 0                     without contexts: does the bug disappear?
  crosstalk rank runs/ --bug bank.c:31                 how many inspections until line 31")]
pub struct Args {
    #[command(flatten)]
    analysis: AnalysisArgs,
    /// Rows of each ranking to show
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = number::<usize>)]
    top: usize,
    /// A code point of a known bug (FILE:LINE, function or 0xADDRESS): count the inspections until it is found
    #[arg(long, value_name = "POINT")]
    bug: Vec<String>,
    #[command(flatten)]
    out: OutArgs,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    #[serde(flatten)]
    analysis: AnalysisView,
    bug: Option<Bug>,
}

/// How quickly a known bug is found.
#[derive(Serialize)]
struct Bug {
    points: Vec<String>,
    /// Code points to inspect until one is of the bug.
    inspections: Option<usize>,
    /// The rank of the first reconstruction whose edge touches the bug.
    reconstruction: Option<usize>,
    /// ReliefF of B, C and R.
    relief: Option<[f64; 3]>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let analysis = analyze(&args.analysis)?;
    // People get each pair of code points once, so more are looked at.
    let view = analysis.view(if args.out.json { args.top } else { args.top.saturating_mul(10) });
    let bug = (!args.bug.is_empty()).then(|| Bug {
        points: args.bug.clone(),
        inspections: analysis.inspections(&args.bug),
        reconstruction: analysis.reconstruction_rank(&args.bug),
        relief: analysis.relief(&args.bug),
    });
    if args.out.json {
        print_json(&Document { schema: "crosstalk.rank/1", analysis: view, bug })?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = Out::new(args.out.color);
    headline(&mut out, &view.runs);
    verdict(&mut out, &view);
    out.line("");
    code_points(&mut out, &view, args.top);
    if !view.reconstructions.is_empty() {
        out.line("");
        reconstructions(&mut out, &view, args.top);
    }
    if let Some(bug) = bug {
        out.line("");
        let found = |rank: Option<usize>| rank.map_or("never".into(), |rank| rank.to_string());
        out.line(&format!(
            "inspections until {}: {}",
            bug.points.join(", "),
            found(bug.inspections)
        ));
        out.line(&format!("first reconstruction that touches it: {}", found(bug.reconstruction)));
        if let Some([b, c, r]) = bug.relief {
            out.line(&format!("ReliefF: B {b:.2}, C {c:.2}, R {r:.2}"));
        }
    }
    out.print()?;
    Ok(ExitCode::SUCCESS)
}

/// The verdict, and how sure it is.
pub fn verdict(out: &mut Out, view: &AnalysisView) {
    out.phrase(Paint::Bold, &view.finding.sentence());
    if let Some(evidence) = view.finding.evidence() {
        out.phrase(Paint::Dim, &evidence);
    }
}

/// The first code points to inspect.
pub fn code_points(out: &mut Out, view: &AnalysisView, top: usize) {
    let title = format!(
        "Code points to inspect, {} ranking: {}",
        view.mode,
        plural(view.ranked as u64, "code point")
    );
    out.painted(Paint::Bold, &title);
    let columns = vec![
        right("rank"),
        right("score"),
        right("runs"),
        point("code point", 34),
        left("function", 18),
        left("", 60),
    ];
    let mut table = Table::new(columns);
    for row in view.ranking.iter().take(top) {
        let point = &row.point.point;
        let runs = row.contexts.first().map_or(0, |context| context.runs);
        table.row(vec![
            (Paint::Plain, row.rank.to_string()),
            (Paint::Yellow, format!("{:.3}", row.score)),
            (Paint::Plain, runs.to_string()),
            (Paint::Bold, row.point.name.clone()),
            (Paint::Plain, point.function_beside().unwrap_or_default().to_owned()),
            (Paint::Cyan, point.text_or_reason().to_owned()),
        ]);
    }
    out.table(&table);
}

/// The best reconstruction of each pair of code points; others differ in contexts only.
pub fn reconstructions(out: &mut Out, view: &AnalysisView, top: usize) {
    let title = format!(
        "Reconstructions around {} of {} of failing runs; `crosstalk explain` shows one",
        view.reconstructed,
        plural(view.considered as u64, "edge")
    );
    out.painted(Paint::Bold, &title);
    let columns = vec![
        right("rank"),
        right("score").optional(1),
        right("B").optional(2),
        right("C").optional(2),
        right("R").optional(2),
        right("S").optional(2),
        right("failing").optional(1),
        right("passing").optional(1),
        point("source", 60),
        point("sink", 60),
        left("kind", 11),
    ];
    let mut table = Table::new(columns);
    let mut shown = BTreeSet::new();
    for found in &view.reconstructions {
        let source = found.source.as_ref().map_or("memory", |point| &point.name);
        if shown.len() == top || !shown.insert((source, &found.sink.name, found.kind)) {
            continue;
        }
        let number = |value: f64| (Paint::Plain, format!("{value:.2}"));
        table.row(vec![
            (Paint::Plain, found.rank.to_string()),
            (Paint::Yellow, format!("{:.2}", found.score)),
            number(found.b),
            number(found.c),
            number(found.r),
            number(found.s),
            (Paint::Red, found.failing.to_string()),
            (Paint::Green, found.passing.to_string()),
            (Paint::Bold, source.to_owned()),
            (Paint::Bold, found.sink.name.clone()),
            (Paint::Plain, found.kind.name().to_owned()),
        ]);
    }
    out.table(&table);
}
