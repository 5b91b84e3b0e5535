//! `crosstalk watch`: runs in the field beside what testing showed.

use super::common::{CodeArgs, OutArgs};
use super::failure::{Failure, say};
use super::out::{Out, Paint, cut, plural, send};
use crate::bugaboo::Formula;
use crate::code::CodeMap;
use crate::deployed::{Finding, Watch};
use crate::graph::{ContextView, Graph};
use crate::runs::{self, RunFile};
use record::{Item, StreamReader, Totals};
use serde::Serialize;
use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;

/// Compare runs in the field with the testing graph, and report code points that behave as never in
/// testing.
///
/// Each run is compared as it comes; what testing did not show is ranked over all field runs so far.
/// `-` reads a stream from standard input, as a board sends it. Exits with 1 if anything was reported.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  crosstalk testing-graph tests/ --out testing.run
  crosstalk watch testing.run field/ --elf prog.elf
  crosstalk watch testing.run - < /dev/ttyUSB0")]
pub struct Args {
    /// What `crosstalk testing-graph` wrote
    #[arg(value_name = "TESTING_GRAPH")]
    testing: PathBuf,
    /// Runs from the field: files, folders, or - for a stream on standard input
    #[arg(value_name = "RUNS", required = true)]
    runs: Vec<PathBuf>,
    /// Report code points with at least this score: the share of field runs that have the same new
    /// context
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    threshold: f64,
    #[command(flatten)]
    code: CodeArgs,
    #[command(flatten)]
    out: OutArgs,
}

/// One line of `--json`: a run.
#[derive(Serialize)]
struct Line {
    schema: &'static str,
    run: String,
    new_edges: usize,
    damaged: u64,
    suspicious: Vec<Suspicious>,
}

#[derive(Serialize)]
struct Suspicious {
    name: String,
    function: Option<String>,
    score: f64,
    runs: u32,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let testing =
        RunFile { path: args.testing.clone(), name: String::new(), label: None }.load()?;
    let code = args.code.map(&testing.header)?;
    let graph = Graph::of_run(&testing, ContextView::Full);
    let mut watch = Watch::new(graph, Formula::Exception);
    let mut reported = false;
    for path in &args.runs {
        if path.as_os_str() == "-" {
            reported |= stream(std::io::stdin().lock(), &mut watch, &code, args)?;
            continue;
        }
        for file in runs::find(std::slice::from_ref(path), None)? {
            let run = file.load()?;
            let found = watch.observe(&run.edges, &code, args.threshold);
            reported |= !found.suspicious.is_empty();
            report(&file.name, 0, &found, &code, args)?;
        }
    }
    Ok(if reported { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Every run of a stream; whether anything was reported.
fn stream(
    bytes: impl Read,
    watch: &mut Watch,
    code: &CodeMap,
    args: &Args,
) -> Result<bool, Failure> {
    let mut reported = false;
    let mut totals = Totals::default();
    let (mut runs, mut damaged, mut open) = (0, 0, false);
    let mut finish = |totals: &mut Totals, damaged: &mut u64| {
        runs += 1;
        let edges = std::mem::take(totals).into_sorted();
        let found = watch.observe(&edges, code, args.threshold);
        reported |= !found.suspicious.is_empty();
        report(&format!("stream, run {runs}"), std::mem::take(damaged), &found, code, args)
    };
    for item in StreamReader::new(bytes) {
        match item {
            Item::Header(_) if open => finish(&mut totals, &mut damaged)?,
            Item::Header(_) => open = true,
            Item::Records(records) => {
                open = true;
                records.iter().for_each(|total| totals.add(total));
            }
            Item::Lost(..) => {}
            Item::End { .. } => {
                finish(&mut totals, &mut damaged)?;
                open = false;
            }
            Item::Damage(damage) => {
                let record::Damage { bytes, offset, reason } = damage;
                say(format_args!("warning: {bytes} bytes at {offset}: {reason}\n"));
                damaged += bytes;
            }
        }
    }
    if open {
        finish(&mut totals, &mut damaged)?;
    }
    Ok(reported)
}

fn report(
    name: &str,
    damaged: u64,
    found: &Finding,
    code: &CodeMap,
    args: &Args,
) -> Result<(), Failure> {
    let point = |point| code.describe(point, &watch_pcs(found, point));
    if args.out.json {
        let suspicious = found.suspicious.iter().map(|row| {
            let described = point(row.point);
            Suspicious {
                name: described.name,
                function: described.function,
                score: row.score,
                runs: row.contexts.first().map_or(0, |context| context.runs),
            }
        });
        let line = Line {
            schema: "crosstalk.watch/1",
            run: name.to_owned(),
            new_edges: found.new_edges,
            damaged,
            suspicious: suspicious.collect(),
        };
        let line = serde_json::to_string(&line).unwrap_or_default();
        return send(format!("{line}\n").as_bytes());
    }
    let mut out = Out::new(args.out.color);
    let title =
        format!("{name}: {} that testing never showed", plural(found.new_edges as u64, "edge"));
    out.painted(if found.suspicious.is_empty() { Paint::Plain } else { Paint::Bold }, &title);
    for row in &found.suspicious {
        let described = point(row.point);
        let function = described.function.clone().unwrap_or_default();
        let text = format!("{} {function}", described.name);
        let line = format!(
            "  {}  {}",
            out.paint(Paint::Yellow, &format!("{:.2}", row.score)),
            cut(&text, 88)
        );
        out.line(&line);
    }
    out.print()
}

/// The instructions of a code point among the new edges.
fn watch_pcs(found: &Finding, point: crate::code::PointKey) -> Vec<record::Pc> {
    found.instructions.get(&point).cloned().unwrap_or_default()
}
