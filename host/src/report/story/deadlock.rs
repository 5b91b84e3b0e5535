//! A deadlock: threads and locks as a ring, and the same as a list with stacks.

use super::super::escape::{cut, text};
use super::spot;
use ::evidence::account::{Spot, Want};
use std::fmt::Write as _;

/// As wide as a phone, so that text needs no scaling there.
const WIDTH: i32 = 360;
const MIDDLE: i32 = WIDTH / 2;
/// From the middle to the nodes at the sides.
const SIDE: i32 = 108;
/// From row to row.
const ROW: i32 = 112;
const BOX: (i32, i32) = (140, 40);
const TOP: i32 = 30;
/// Letters that fit into a node, and into a label.
const LETTERS: usize = 16;
const LABEL: usize = 18;
/// From the middle to the labels of lines that go to a side, and to where these lines meet a node.
const ASIDE: i32 = 68;
const PORT: i32 = 24;

/// Who or what is at a corner of the ring.
struct Node {
    class: &'static str,
    name: String,
    at: (i32, i32),
}

/// From where to where, and on which side around the middle: -1, 1, or 0 for straight on.
type Line = ((i32, i32), (i32, i32), i32);

/// Picture and list.
pub fn of(wants: &[Want], cycle: bool, number: usize) -> String {
    let items: String = wants.iter().map(item).collect();
    format!(
        "<div class=\"deadlock\">\n{}<ol class=\"wants\">\n{items}</ol>\n</div>\n",
        draw(wants, cycle, number)
    )
}

/// A want and who has it, with stacks.
fn item(want: &Want) -> String {
    let object = text(&want.object);
    let mut html = format!(
        "<li><p><b>{}</b> <span class=\"failing\">wants</span> <code>{object}</code>{}</p>{}",
        text(&want.thread),
        spot::source(&want.at),
        spot::stack(&want.stack)
    );
    if let Some(taken) = &want.taken {
        let _ = write!(
            html,
            "<p><b>{}</b> <span class=\"usual\">has</span> <code>{object}</code> since{}</p>{}",
            text(&want.holder),
            spot::source(taken),
            spot::stack(&want.taken_stack)
        );
    }
    html.push_str("</li>\n");
    html
}

/// Threads and what they want in turn, around a ring; in a row where the last holder has ended.
fn draw(wants: &[Want], cycle: bool, number: usize) -> String {
    let mut nodes = Vec::new();
    for want in wants {
        nodes.push(("thread", want.thread.clone()));
        nodes.push(("lock", want.object.clone()));
    }
    if let Some(last) = wants.last().filter(|_| !cycle) {
        nodes.push(("thread ended", last.holder.clone()));
    }
    let count = nodes.len();
    let place = |at: usize| if cycle { corner(at, count) } else { (MIDDLE, TOP + at as i32 * ROW) };
    let nodes = nodes.into_iter().enumerate();
    let nodes: Vec<Node> =
        nodes.map(|(at, (class, name))| Node { class, name, at: place(at) }).collect();
    let lowest = nodes.iter().map(|node| node.at.1).max().unwrap_or(TOP);
    let height = lowest + BOX.1 / 2 + 10;
    let id = format!("deadlock-{number}");
    let mut svg = format!(
        "<svg class=\"ring\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-labelledby=\"{id}-title\">\n\
         <title id=\"{id}-title\">{}</title>\n\
         <defs><marker id=\"{id}-tip\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"9\" \
         markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
         <path class=\"tip\" d=\"M0 0L10 5L0 10z\"/></marker></defs>\n",
        text(&described(wants))
    );
    let mut labels = String::new();
    for (place, want) in wants.iter().enumerate() {
        let (thread, lock) = (nodes[2 * place].at, nodes[2 * place + 1].at);
        let holder = nodes[(2 * place + 2) % count].at;
        // Two nodes in a ring have both lines between them: down on the right, up on the left.
        let side = i32::from(cycle && count == 2);
        let (asks, has) = ((thread, lock, side), (lock, holder, -side));
        let _ = writeln!(
            svg,
            "<path class=\"wants\" d=\"{}\" marker-end=\"url(#{id}-tip)\"/>\n<path class=\"has\" d=\"{}\"/>",
            line(asks),
            line(has)
        );
        labels.push_str(&label("wants", "wants at", &want.at, asks));
        if let Some(taken) = &want.taken {
            labels.push_str(&label("has", "has since", taken, has));
        }
    }
    svg.push_str(&labels);
    nodes.iter().for_each(|node| svg.push_str(&drawn(node)));
    svg.push_str("</svg>\n");
    svg
}

/// Corner `at` of so many: down the right side, up the left.
fn corner(at: usize, count: usize) -> (i32, i32) {
    let half = count / 2;
    let (x, row) = match at {
        0 => (MIDDLE, 0),
        at if at == half => (MIDDLE, half),
        at if at < half => (MIDDLE + SIDE, at),
        at => (MIDDLE - SIDE, count - at),
    };
    (x, TOP + row as i32 * ROW)
}

/// A line between two nodes, from border to border; around the middle on this side, if on any.
fn line((from, to, side): Line) -> String {
    if side != 0 {
        let (x, out) = (MIDDLE + side * BOX.0 / 2, MIDDLE + side * (SIDE + 40));
        return format!("M{x} {}C{out} {} {out} {} {x} {}", from.1, from.1, to.1, to.1);
    }
    let half = BOX.1 / 2 * (to.1 - from.1).signum();
    let (y1, y2) = (from.1 + half, to.1 - half);
    // Nodes in the middle have two lines at one border.
    let port = |x: i32, other: i32| if x == MIDDLE { x + PORT * (other - x).signum() } else { x };
    let (x1, x2) = (port(from.0, to.0), port(to.0, from.0));
    if x1 == x2 {
        return format!("M{x1} {y1}V{y2}");
    }
    let bend = (y1 + y2) / 2;
    format!("M{x1} {y1}C{x1} {bend} {x2} {bend} {x2} {y2}")
}

/// What an edge means and where in the program, over its middle.
fn label(class: &str, what: &str, at: &Spot, (from, to, side): Line) -> String {
    let y = (from.1 + to.1) / 2;
    let x = match (from.0 + to.0 - 2 * MIDDLE).signum() {
        0 => MIDDLE + side * SIDE,
        _ if from.0 == to.0 => from.0,
        side => MIDDLE + side * ASIDE,
    };
    format!(
        "<g class=\"{class}\"><text x=\"{x}\" y=\"{}\">{what}</text><text class=\"code\" x=\"{x}\" y=\"{}\">\
         {}</text></g>\n",
        y - 4,
        y + 13,
        text(&ending(&at.line))
    )
}

/// The end of a place, which has the line's number.
fn ending(line: &str) -> String {
    let letters: Vec<char> = line.chars().collect();
    match letters.len() > LABEL {
        true => std::iter::once('…')
            .chain(letters[letters.len() - LABEL + 1..].iter().copied())
            .collect(),
        false => line.to_owned(),
    }
}

fn drawn(node: &Node) -> String {
    let (x, y) = node.at;
    let (width, height) = BOX;
    let round = if node.class == "lock" { 3 } else { height / 2 };
    let ended = if node.class == "thread ended" { " (has ended)" } else { "" };
    format!(
        "<g class=\"node {}\"><title>{}{ended}</title><rect x=\"{}\" y=\"{}\" width=\"{width}\" \
         height=\"{height}\" rx=\"{round}\"/><text x=\"{x}\" y=\"{}\">{}</text></g>\n",
        node.class,
        text(&node.name),
        x - width / 2,
        y - height / 2,
        y + 5,
        cut(&node.name, LETTERS)
    )
}

/// The picture in words, for screen readers.
fn described(wants: &[Want]) -> String {
    let one =
        |want: &Want| format!("{} wants {}, which {} has", want.thread, want.object, want.holder);
    wants.iter().map(one).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::{LABEL, MIDDLE, corner, ending};

    #[test]
    fn corners_go_around_and_no_two_are_one() {
        for count in [2, 4, 6, 10] {
            let corners: Vec<_> = (0..count).map(|at| corner(at, count)).collect();
            let distinct: std::collections::BTreeSet<_> = corners.iter().collect();
            assert_eq!(distinct.len(), count, "{corners:?}");
            assert!(corners[0].0 == MIDDLE && corners[count / 2].0 == MIDDLE, "{corners:?}");
        }
    }

    #[test]
    fn a_long_place_keeps_its_number() {
        let short = ending("a-very-long-name-of-a-file.c:1234");
        assert!(short.ends_with(".c:1234") && short.chars().count() == LABEL, "{short}");
        assert_eq!(ending("a.c:1"), "a.c:1");
    }
}
