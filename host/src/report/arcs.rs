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
/// How far to the left the shortest arc gets.
const SHORTEST: i32 = 30;
/// The height of a row.
const ROW: i32 = 30;
/// The width of a character of source.
const LETTER: i32 = 8;
/// The height of a file's name.
const FILE: i32 = 40;

/// A code point and its row.
struct Placed<'a> {
    point: &'a PointView,
    y: i32,
    /// The name of its file, if it is the first of it.
    file: Option<&'a str>,
}

/// Draws the graph.
pub fn draw(graph: &GraphView) -> String {
    let (placed, height) = place(&graph.nodes);
    let scale = Scale::of(graph, &placed);
    let axis = scale.axis;
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
        svg.push_str(&arc(place, edge, &placed, &scale));
    }
    for (node, placed) in placed.iter().enumerate() {
        let mut edges = graph.edges.iter().filter(|edge| scale.is_sure(edge));
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

/// The scale of all arcs.
struct Scale {
    /// The most rows' height that an arc bridges.
    longest: i32,
    /// Where the dots of code points are.
    axis: i32,
    /// The most failing runs that an edge is in which no passing run has.
    surest: u32,
}

impl Scale {
    fn of(graph: &GraphView, placed: &[Placed<'_>]) -> Self {
        let y = |node: usize| placed.get(node).map_or(0, |placed| placed.y);
        let lengths = graph.edges.iter().map(|edge| (y(edge.source) - y(edge.sink)).abs());
        let longest = lengths.max().unwrap_or(0);
        let surest = graph.edges.iter().map(|edge| edge.bug_only).max().unwrap_or(0);
        let mut scale = Self { longest, axis: ARCS, surest };
        scale.axis = (scale.width(longest) + 24).max(96);
        scale
    }

    /// Whether an edge is as good as any at telling failing runs from passing ones.
    fn is_sure(&self, edge: &GraphEdge) -> bool {
        edge.bug_only > 0 && 2 * u64::from(edge.bug_only) >= u64::from(self.surest)
    }

    /// How far to the left an arc gets: the longest as far as there is room, others in proportion.
    fn width(&self, length: i32) -> i32 {
        let room = (self.longest / 2).clamp(1, ARCS - 24 - SHORTEST);
        SHORTEST + room * length / self.longest.max(1)
    }
}

fn arc(place: usize, edge: &GraphEdge, placed: &[Placed<'_>], scale: &Scale) -> String {
    let (Some(source), Some(sink)) = (placed.get(edge.source), placed.get(edge.sink)) else {
        return String::new();
    };
    let name = if edge.bug_only > 0 { "bad" } else { "usual" };
    let end = scale.axis - 8;
    let d = if edge.source == edge.sink {
        // The same line on two harts.
        let y = source.y;
        format!("M{end} {}c-36 -16 -36 22 0 6", y - 3)
    } else {
        // Leaving below and arriving above keeps the two ways between a pair apart.
        let (y1, y2) = (source.y + 3, sink.y - 3);
        // A bow gets three quarters of the way to where it is pulled.
        let pulled = end - scale.width((source.y - sink.y).abs()) * 4 / 3;
        format!("M{end} {y1}C{pulled} {y1} {pulled} {y2} {end} {y2}")
    };
    // The surer, the darker and thicker; what is normal stays in the background.
    let sure = f64::from(edge.bug_only) / f64::from(scale.surest.max(1));
    let (opacity, width) = match edge.bug_only {
        0 => (0.5, 1.3),
        _ => (0.2 + 0.8 * sure * sure, 1.0 + 1.6 * sure),
    };
    let rank = edge.rank.map_or(String::new(), |rank| format!("; rank {rank}"));
    format!(
        "<path class=\"edge {name}\" data-place=\"{}\" data-rank=\"{}\" data-ends=\"{} {}\" d=\"{d}\" \
         opacity=\"{opacity:.2}\" stroke-width=\"{width:.1}\" marker-end=\"url(#tip-{name})\"><title>{} → {}: {}, {} times{rank}; in {} \
         failing and {} passing runs</title></path>\n",
        place + 1,
        edge.rank.map_or(String::new(), |rank| rank.to_string()),
        edge.source,
        edge.sink,
        text(&source.point.titled()),
        text(&sink.point.titled()),
        edge.kind.name(),
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
