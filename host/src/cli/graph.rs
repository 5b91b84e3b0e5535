//! `crosstalk graph`: who communicated with whom.

use super::common::{CodeArgs, OutArgs, RunArgs, node_name, point_name, union};
use super::failure::Failure;
use super::out::{Out, Paint, Table, grouped, left, plural, point, print_json, right};
use crate::code::CodeMap;
use crate::graph::{EdgeKey, Graph, Kind, Node, Seen};
use crate::runs::Family;
use crate::view::events;
use kit::argument::number;
use serde::Serialize;
use std::process::ExitCode;

/// Show the communication graph of a run, or the union of several.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  crosstalk graph runs/7.run --elf prog.elf
  crosstalk graph runs/ --context 0 --top 50     without contexts: which lines communicate at all
  crosstalk export runs/7.run --to dot | dot -Tsvg > 7.svg")]
pub struct Args {
    #[command(flatten)]
    runs: RunArgs,
    #[command(flatten)]
    code: CodeArgs,
    /// Edges to show, the most frequent first
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number::<usize>)]
    top: usize,
    #[command(flatten)]
    out: OutArgs,
}

/// An edge with names.
#[derive(Serialize)]
pub struct EdgeView {
    source: End,
    sink: End,
    kind: Kind,
    count: u64,
    source_time: Option<u64>,
    sink_time: Option<u64>,
}

#[derive(Serialize)]
struct End {
    name: String,
    /// The name without the function.
    #[serde(skip)]
    point: String,
    pc: u64,
    context: Vec<&'static str>,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    runs: usize,
    nodes: usize,
    edges: Vec<EdgeView>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let files = args.runs.files()?;
    let (graph, header) = union(&files, args.runs.view(), &mut Family::default())?;
    let code = args.code.map(&header)?;
    let nodes = graph.nodes().len();
    if args.out.json {
        let edges = views(&graph, &code, header.events, usize::MAX);
        print_json(&Document { schema: "crosstalk.graph/1", runs: files.len(), nodes, edges })?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = Out::new(args.out.color);
    let title = format!(
        "{}: {}, {}",
        plural(files.len() as u64, "run"),
        plural(nodes as u64, "node"),
        plural(graph.len() as u64, "edge")
    );
    out.painted(Paint::Bold, &title);
    table(&mut out, &views(&graph, &code, header.events, args.top));
    out.print()?;
    Ok(ExitCode::SUCCESS)
}

/// The most frequent edges, with names.
pub fn views(graph: &Graph, code: &CodeMap, length: u8, top: usize) -> Vec<EdgeView> {
    let mut edges: Vec<(&EdgeKey, &Seen)> = graph.edges().collect();
    edges.sort_by_key(|(key, seen)| (std::cmp::Reverse(seen.count), **key));
    let end = |node: Node| End {
        name: node_name(code, node),
        point: point_name(code, node),
        pc: node.pc.0,
        context: events(node.ctx, length),
    };
    let view = |(key, seen): (&EdgeKey, &Seen)| EdgeView {
        source: end(key.source),
        sink: end(key.sink),
        kind: key.shown_kind(),
        count: seen.count,
        source_time: seen.last.map(|last| last.source_time.0),
        sink_time: seen.last.map(|last| last.sink_time.0),
    };
    edges.into_iter().take(top).map(view).collect()
}

/// Prints edges.
pub fn table(out: &mut Out, edges: &[EdgeView]) {
    let columns = vec![
        right("count"),
        left("kind", 11),
        point("source", 32),
        point("sink", 32),
        left("the sink's context, newest first", 40),
    ];
    let mut table = Table::new(columns);
    for edge in edges {
        table.row(vec![
            (Paint::Plain, grouped(edge.count)),
            (Paint::Dim, edge.kind.name().into()),
            (Paint::Plain, edge.source.point.clone()),
            (Paint::Plain, edge.sink.point.clone()),
            (Paint::Dim, edge.sink.context.join(" ")),
        ]);
    }
    out.table(&table);
}
