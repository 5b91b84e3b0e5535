//! A reconstruction as a picture: a lane for each hart, time running down, the source beside it.

use super::escape::{cut, text};
use super::words::percent;
use crate::graph::Kind;
use crate::view::{EventView, MemberView, PointView, ReconstructionView};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The width of the picture, in units that are pixels on a laptop.
const WIDTH: u32 = 1040;
/// Where lanes begin; parts are named at their left.
const LANES: u32 = 96;
/// A row with a line of source and its place below it.
const ROW: u32 = 42;
/// The names of lanes.
const HEAD: u32 = 40;
/// The most accesses drawn of a part; the rest is counted.
const MOST: usize = 8;
/// The width of a character of source.
const LETTER: u32 = 8;

/// An access, or some that are left out.
enum Row<'a> {
    Access {
        lane: usize,
        part: &'a str,
        point: &'a PointView,
        confidence: Option<f64>,
        time: Option<u64>,
    },
    Gap {
        part: &'a str,
        left_out: usize,
    },
}

impl Row<'_> {
    fn part(&self) -> &str {
        match self {
            Self::Access { part, .. } | Self::Gap { part, .. } => part,
        }
    }

    fn lane_of(&self, wanted: &str) -> Option<usize> {
        match self {
            Self::Access { lane, part, .. } if *part == wanted => Some(*lane),
            _ => None,
        }
    }
}

/// Whether there is an example with times: both ends are in it, or no writer is known.
pub fn is_timed(found: &ReconstructionView) -> bool {
    let has = |part: &str| found.example.iter().any(|event| event.part == part);
    has("sink") && (has("source") || found.source.is_none())
}

/// Draws a reconstruction. `id` is unique in the page.
pub fn draw(found: &ReconstructionView, id: &str) -> String {
    let (lanes, rows) = match is_timed(found) {
        true => example(&found.example),
        false => without_times(found),
    };
    let step = (360 / lanes.len().max(1) as u32).clamp(16, 120);
    let lane_x = |lane: usize| LANES + step / 2 + step * lane as u32;
    let text_x = LANES + step * lanes.len() as u32 + 24;
    let row_y = |row: usize| HEAD + ROW / 2 + ROW * row as u32;
    let height = HEAD + ROW * rows.len() as u32 + 8;
    let mut svg = String::new();
    let _ = write!(
        svg,
        "<svg class=\"lanes\" id=\"{id}\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-labelledby=\"{id}-title\">\n<title id=\"{id}-title\">{}</title>\n\
         <defs><marker id=\"{id}-tip\" viewBox=\"0 0 10 10\" refX=\"8\" refY=\"5\" markerWidth=\"5\" \
         markerHeight=\"5\" orient=\"auto\"><path class=\"tip\" d=\"M0 0 10 5 0 10z\"/></marker></defs>\n",
        text(&described(found, &rows))
    );
    let find = |part: &str| {
        let mut all = rows.iter().enumerate();
        all.find_map(|(row, it)| it.lane_of(part).map(|lane| (row, lane)))
    };
    let (source, sink) = (find("source"), find("sink"));
    if let (Some((from, _)), Some((to, _))) = (source, sink) {
        let (top, bottom) = (row_y(from) - ROW / 2, row_y(to) + ROW / 2);
        let _ = writeln!(
            svg,
            "<rect class=\"window\" x=\"0\" y=\"{top}\" width=\"{WIDTH}\" height=\"{}\" rx=\"6\"/>",
            bottom - top
        );
    }
    let narrow = step < 48;
    if narrow {
        svg.push_str("<text class=\"part\" x=\"10\" y=\"20\">hart</text>\n");
    }
    for (lane, name) in lanes.iter().enumerate() {
        let x = lane_x(lane);
        let name = if narrow { name.trim_start_matches("hart ") } else { name };
        let _ = writeln!(
            svg,
            "<text class=\"lane-name\" x=\"{x}\" y=\"20\">{}</text>\
             <path class=\"lane\" d=\"M{x} {}V{height}\"/>",
            text(name),
            HEAD - 8
        );
    }
    if let Some((to, lane)) = sink {
        let (x2, y2) = (lane_x(lane), row_y(to));
        let d = match source {
            Some((from, lane)) => arrow(lane_x(lane), row_y(from), x2, y2),
            // No writer is known: the value comes from outside the picture.
            None => format!("M{} {}L{} {}", x2 - 40, y2 - 20, x2 - 9, y2 - 5),
        };
        let _ = writeln!(svg, "<path class=\"flow\" d=\"{d}\" marker-end=\"url(#{id}-tip)\"/>");
    }
    let mut last_part = "";
    for (place, row) in rows.iter().enumerate() {
        let y = row_y(place);
        if row.part() != last_part {
            let _ = writeln!(
                svg,
                "<text class=\"part {0}\" x=\"10\" y=\"{1}\">{2}</text>",
                row.part(),
                y + 5,
                part_name(row.part(), found.kind)
            );
        }
        last_part = row.part();
        match row {
            Row::Gap { left_out, .. } => {
                let _ = writeln!(
                    svg,
                    "<text class=\"gap\" x=\"{text_x}\" y=\"{}\">⋮ {left_out} more, left out here</text>",
                    y + 5
                );
            }
            Row::Access { lane, part, point, confidence, time } => {
                let x = lane_x(*lane);
                let _ =
                    write!(svg, "<g class=\"access {part}\"><title>{}</title>", hint(point, *time));
                svg.push_str(&mark(part, x, y, *confidence));
                svg.push_str(&beside(point, *confidence, part, found.kind, text_x, y));
                svg.push_str("</g>\n");
            }
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// From the source's mark to the sink's, leaving and arriving downward.
fn arrow(x1: u32, y1: u32, x2: u32, y2: u32) -> String {
    if x1 == x2 {
        let bow = x1 + 34;
        return format!("M{} {y1}C{bow} {y1} {bow} {y2} {} {y2}", x1 + 10, x2 + 12);
    }
    if y2 - y1 < 2 * ROW {
        // Too near for a bend: out to the side, then down.
        let side = if x1 < x2 { x1 + 11 } else { x1 - 11 };
        return format!("M{side} {y1}Q{x2} {y1} {x2} {}", y2 - 12);
    }
    let bend = (y2 - y1) / 2;
    format!("M{x1} {}C{x1} {} {x2} {} {x2} {}", y1 + 9, y1 + bend, y2 - bend, y2 - 12)
}

/// A diamond for the two ends, a dot for the rest: the surer, the larger and the darker.
fn mark(part: &str, x: u32, y: u32, confidence: Option<f64>) -> String {
    let sure = confidence.unwrap_or(1.0).clamp(0.0, 1.0);
    match part {
        "source" | "sink" => format!("<path class=\"mark\" d=\"M{x} {}l9 9-9 9-9-9z\"/>", y - 9),
        _ => format!(
            "<circle class=\"mark\" cx=\"{x}\" cy=\"{y}\" r=\"{:.1}\" fill-opacity=\"{:.2}\"/>",
            3.0 + 3.5 * sure,
            0.25 + 0.75 * sure
        ),
    }
}

/// The line of source, where it is, and how sure that is.
fn beside(
    point: &PointView,
    confidence: Option<f64>,
    part: &str,
    kind: Kind,
    x: u32,
    y: u32,
) -> String {
    let (sure_x, code_x) = (x + 40, x + 56);
    let fits = ((WIDTH - code_x) / LETTER) as usize - 1;
    let place = point.titled();
    let (code, below) = match &point.point.text {
        Some(code) => (code.as_str(), place.as_str()),
        None => (place.as_str(), ""),
    };
    let did = match (part, kind) {
        ("source", _) => "writes the value",
        ("sink", Kind::Raw) => "reads it",
        ("sink", Kind::Waw) => "overwrites it",
        ("sink", Kind::Memory) => "reads memory",
        ("sink", Kind::FirstWrite) => "writes first",
        _ => "",
    };
    let did = match did {
        "" => String::new(),
        did if below.is_empty() => format!("<tspan class=\"did\">{did}</tspan>"),
        did => format!("<tspan class=\"did\"> — {did}</tspan>"),
    };
    let code_y = if below.is_empty() && did.is_empty() { y + 5 } else { y - 4 };
    let mut svg = format!(
        "<text class=\"sure\" x=\"{sure_x}\" y=\"{code_y}\">{}</text>\
         <text class=\"code\" x=\"{code_x}\" y=\"{code_y}\">{}</text>",
        confidence.map(percent).unwrap_or_default(),
        cut(code, fits)
    );
    if code_y < y {
        let _ = write!(
            svg,
            "<text class=\"place\" x=\"{code_x}\" y=\"{}\">{}{did}</text>",
            y + 13,
            cut(below, fits)
        );
    }
    svg
}

fn hint(point: &PointView, time: Option<u64>) -> String {
    let mut hint = text(&point.titled());
    if let Some(code) = &point.point.text {
        let _ = write!(hint, ": {}", text(code));
    }
    for call in &point.point.inlined_at {
        let _ = write!(hint, "; inlined into {}", text(&call.function));
    }
    if let Some(time) = time {
        let _ = write!(hint, "; transaction {time}");
    }
    hint
}

fn part_name(part: &str, kind: Kind) -> &'static str {
    match (part, kind) {
        ("prefix", _) => "before",
        ("source", _) => "write",
        ("body", _) => "between",
        ("sink", Kind::Waw) => "overwrite",
        ("sink", Kind::FirstWrite) => "write",
        ("sink", _) => "read",
        _ => "after",
    }
}

/// The picture in words, for screen readers.
fn described(found: &ReconstructionView, rows: &[Row<'_>]) -> String {
    let accesses: Vec<String> = rows
        .iter()
        .filter_map(|row| match row {
            Row::Access { part, point, confidence, .. } => {
                let part = part_name(part, found.kind);
                let sure = confidence.map(|sure| format!(" ({})", percent(sure)));
                Some(format!("{part}: {}{}", point.titled(), sure.unwrap_or_default()))
            }
            Row::Gap { .. } => None,
        })
        .collect();
    format!("In time order: {}.", accesses.join(", then "))
}

/// One failing run's accesses, a lane for each hart that is seen.
fn example(events: &[EventView]) -> (Vec<String>, Vec<Row<'_>>) {
    let mut shown: Vec<Result<&EventView, Row<'_>>> = Vec::new();
    for part in events.chunk_by(|a, b| a.part == b.part) {
        let left_out = part.len().saturating_sub(MOST);
        // The nearest to the edge stay.
        let (first, second) = match part[0].part {
            _ if left_out == 0 => (part, &part[..0]),
            "prefix" => (&part[..0], &part[left_out..]),
            "suffix" => (&part[..MOST], &part[..0]),
            _ => (&part[..MOST / 2], &part[part.len() - MOST / 2..]),
        };
        shown.extend(first.iter().map(Ok));
        if left_out > 0 {
            shown.push(Err(Row::Gap { part: part[0].part, left_out }));
        }
        shown.extend(second.iter().map(Ok));
    }
    let harts: BTreeSet<Option<u8>> = shown.iter().flatten().map(|event| event.hart).collect();
    let harts: Vec<Option<u8>> = harts.into_iter().collect();
    let lane = |event: &EventView| harts.binary_search(&event.hart).unwrap_or(0);
    let rows = shown.into_iter().map(|shown| match shown {
        Err(gap) => gap,
        Ok(event) => Row::Access {
            lane: lane(event),
            part: event.part,
            point: &event.point,
            confidence: Some(event.confidence),
            time: Some(event.time),
        },
    });
    let rows = rows.collect();
    (harts.iter().map(|hart| EventView::lane(*hart)).collect(), rows)
}

/// Where no times were recorded, the parts are still known, and the ends; not who did the rest.
fn without_times(found: &ReconstructionView) -> (Vec<String>, Vec<Row<'_>>) {
    let reader = if found.kind.writes() { "overwriter" } else { "reader" };
    let regions = [&found.prefix, &found.body, &found.suffix];
    let lanes = match regions.iter().all(|region| region.is_empty()) {
        true => vec!["writer", reader],
        false => vec!["writer", reader, "anyone"],
    };
    let mut rows = Vec::new();
    fn members<'a>(rows: &mut Vec<Row<'a>>, part: &'a str, members: &'a [MemberView]) {
        rows.extend(members.iter().take(MOST).map(|member| Row::Access {
            lane: 2,
            part,
            point: &member.point,
            confidence: Some(member.confidence),
            time: None,
        }));
        if members.len() > MOST {
            rows.push(Row::Gap { part, left_out: members.len() - MOST });
        }
    }
    let end = |lane, part, point| Row::Access { lane, part, point, confidence: None, time: None };
    members(&mut rows, "prefix", &found.prefix);
    rows.extend(found.source.as_ref().map(|source| end(0, "source", source)));
    members(&mut rows, "body", &found.body);
    rows.push(end(1, "sink", &found.sink));
    members(&mut rows, "suffix", &found.suffix);
    (lanes.into_iter().map(str::to_owned).collect(), rows)
}
