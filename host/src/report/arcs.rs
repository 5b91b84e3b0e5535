//! The communication graph as a picture: lines in the order of the source, an arc for each edge.
//!
//! The layout is a function of the list of code points alone, so it is the same every time, no label
//! ever covers another, and a line stands where a reader of the source expects it.

use super::escape::{cut, text};
use super::graph::{GraphEdge, GraphView};
use super::words::grouped;
use crate::view::PointView;
use std::fmt::Write as _;

/// The width of the picture.
const WIDTH: i32 = 1040;
/// The widest room for arcs, at the left of the dots of code points.
const ARCS: i32 = 400;
/// The height of a row.
const ROW: i32 = 30;
/// The width of a character of source.
const LETTER: i32 = 8;
/// The height of a file's name.
const FILE: i32 = 40;

/// Where a code point is.
struct Placed<'a> {
    point: &'a PointView,
    y: i32,
    /// The name of its file, if it is the first of it.
    file: Option<&'a str>,
}

/// Draws the graph.
pub fn draw(graph: &GraphView) -> String {
    let (placed, height) = place(&graph.nodes);
    let widest = graph.edges.iter().map(|edge| reach(edge, &placed)).max().unwrap_or(0);
    // A bow gets three quarters of the way to where it is pulled.
    let axis = (widest * 3 / 4 + 32).clamp(96, ARCS);
    let mut svg = format!(
        "<svg id=\"graph\" class=\"arcs\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-labelledby=\"graph-title\">\n<title id=\"graph-title\">Which line communicated with which: \
         {} edges between {} code points</title>\n<defs>",
        graph.edges.len(),
        graph.nodes.len()
    );
    for name in ["bad", "usual"] {
        let _ = write!(
            svg,
            "<marker id=\"tip-{name}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" \
             markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
             <path class=\"tip {name}\" d=\"M0 0 10 5 0 10z\"/></marker>"
        );
    }
    svg.push_str("</defs>\n");
    // The best are drawn last, on top.
    for (place, edge) in graph.edges.iter().enumerate().rev() {
        svg.push_str(&arc(place, edge, &placed, axis));
    }
    for (node, placed) in placed.iter().enumerate() {
        let mut edges = graph.edges.iter().filter(|edge| edge.bug_only);
        let bad = edges.any(|edge| edge.source == node || edge.sink == node);
        svg.push_str(&label(node, placed, axis, bad));
    }
    svg.push_str("</svg>\n");
    svg
}

fn place(nodes: &[PointView]) -> (Vec<Placed<'_>>, i32) {
    let mut y = 8;
    let mut last_file = None;
    let mut placed = Vec::new();
    for point in nodes {
        let file = point.point.location.as_ref().map(|location| location.file.as_str());
        let new_file = file.filter(|_| file != last_file);
        last_file = file;
        y += if new_file.is_some() { FILE } else { 0 };
        placed.push(Placed { point, y: y + ROW / 2, file: new_file });
        y += ROW;
    }
    (placed, y + 8)
}

/// How far to the left an edge is pulled.
fn reach(edge: &GraphEdge, placed: &[Placed<'_>]) -> i32 {
    match (placed.get(edge.source), placed.get(edge.sink)) {
        (Some(source), Some(sink)) => (36 + (source.y - sink.y).abs() * 7 / 10).min(ARCS * 5 / 4),
        _ => 0,
    }
}

fn arc(place: usize, edge: &GraphEdge, placed: &[Placed<'_>], axis: i32) -> String {
    let (Some(source), Some(sink)) = (placed.get(edge.source), placed.get(edge.sink)) else {
        return String::new();
    };
    let name = if edge.bug_only { "bad" } else { "usual" };
    let end = axis - 8;
    let d = if edge.source == edge.sink {
        // The same line on two harts.
        let y = source.y;
        format!("M{end} {}c-36 -16 -36 22 0 6", y - 3)
    } else {
        // Leaving below and arriving above keeps the two ways between a pair apart.
        let (y1, y2) = (source.y + 3, sink.y - 3);
        format!("M{end} {y1}C{0} {y1} {0} {y2} {end} {y2}", end - reach(edge, placed))
    };
    let often = (edge.count.max(1) as f64).log10().min(6.0);
    let rank = edge.rank.map_or(String::new(), |rank| format!("; rank {rank}"));
    format!(
        "<path class=\"edge {name}\" data-place=\"{}\" data-rank=\"{}\" data-ends=\"{} {}\" d=\"{d}\" \
         stroke-width=\"{:.1}\" marker-end=\"url(#tip-{name})\"><title>{} → {}: {}, {} times{rank}; in {} \
         failing and {} passing runs</title></path>\n",
        place + 1,
        edge.rank.map_or(String::new(), |rank| rank.to_string()),
        edge.source,
        edge.sink,
        1.2 + 0.35 * often,
        text(&source.point.titled()),
        text(&sink.point.titled()),
        edge.kind,
        grouped(edge.count),
        edge.failing,
        edge.passing
    )
}

fn label(node: usize, placed: &Placed<'_>, axis: i32, bad: bool) -> String {
    let Placed { point, y, file } = placed;
    let mut svg = String::new();
    if let Some(file) = file {
        let _ = writeln!(
            svg,
            "<text class=\"file\" x=\"{}\" y=\"{}\">{}</text>",
            axis + 16,
            y - ROW / 2 - 8,
            cut(file, 72)
        );
    }
    let name = match &point.point.location {
        Some(location) => location.line.to_string(),
        None => point.name.clone(),
    };
    let code = point.point.text.as_deref().or(point.point.function.as_deref()).unwrap_or_default();
    // A line number is short, an address is not.
    let (name_x, code_x) = match point.point.location {
        Some(_) => (axis + 52, axis + 66),
        None => (axis + 110, axis + 124),
    };
    let fits = (WIDTH - code_x) / LETTER - 1;
    let class = if bad { "node bad" } else { "node" };
    let _ = writeln!(
        svg,
        "<g class=\"{class}\" data-node=\"{node}\"><title>{}</title><circle cx=\"{axis}\" cy=\"{y}\" \
         r=\"4\"/><text class=\"number\" x=\"{name_x}\" y=\"{}\">{}</text><text class=\"code\" \
         x=\"{code_x}\" y=\"{}\">{}</text></g>",
        text(&point.titled()),
        y + 5,
        text(&name),
        y + 5,
        cut(code, fits as usize)
    );
    svg
}
