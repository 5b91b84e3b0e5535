//! Accesses in time order, a lane for each hart.

use super::out::{Out, Paint, shorten};
use crate::view::EventView;

/// Draws the accesses. Many harts get narrow lanes, which still hold a line number.
pub fn draw(out: &mut Out, events: &[EventView]) {
    let mut harts: Vec<Option<u8>> = events.iter().map(|event| event.hart).collect();
    harts.sort_unstable();
    harts.dedup();
    const TIME: usize = 10;
    const PART: usize = 8;
    let room = out.width().saturating_sub(TIME + PART);
    let lane = (room / harts.len().max(1)).clamp(6, 28);
    let shown = room / lane;
    let harts = &harts[..harts.len().min(shown)];
    let mut head = format!("{:>width$}", "time", width = TIME - 2);
    head += &" ".repeat(PART + 2);
    for hart in harts {
        head += &format!("{:<lane$}", shorten(&EventView::lane(*hart), lane - 1));
    }
    out.painted(Paint::Dim, head.trim_end());
    for event in events {
        let Some(place) = harts.iter().position(|hart| *hart == event.hart) else { continue };
        let paint = match event.part {
            "source" | "sink" => Paint::Red,
            "body" => Paint::Yellow,
            _ => Paint::Plain,
        };
        let mark = if matches!(event.part, "source" | "sink") { "◆" } else { "·" };
        let name = shorten(&event.point.name, lane.saturating_sub(3));
        let before: String = (0..place).map(|_| format!("{:<lane$}", "│")).collect();
        let here = format!("{mark} {name}");
        let padding = " ".repeat(lane - here.chars().count());
        let after: String = (place + 1..harts.len()).map(|_| format!("{:<lane$}", "│")).collect();
        let line = format!(
            "{:>width$}  {:<PART$}{before}{}{padding}{after}",
            event.time,
            event.part,
            out.paint(paint, &here),
            width = TIME - 2
        );
        out.line(&line);
    }
}
