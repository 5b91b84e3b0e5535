//! Places in the program, as HTML: the line, its text, and the calls that led there on a click.

use super::super::escape::text;
use ::evidence::account::Spot;
use std::fmt::Write as _;

/// `queue.c:41` and the function around it.
pub fn place(spot: &Spot) -> String {
    let mut html = format!("<code>{}</code>", text(&spot.line));
    if let Some(function) = &spot.function {
        let _ = write!(html, " <span class=\"in\">in {}</span>", text(function));
    }
    html
}

/// The line's text, and below it where it is.
pub fn source(spot: &Spot) -> String {
    let mut html = String::new();
    if let Some(line) = &spot.text {
        let _ = write!(html, "<code class=\"source\">{}</code>", text(line));
    }
    let _ = write!(html, "<span class=\"where\">{}</span>", place(spot));
    html
}

/// The calls that led to a place, innermost first; nothing if the thread began there.
pub fn stack(calls: &[Spot]) -> String {
    if calls.is_empty() {
        return String::new();
    }
    let call = |spot: &Spot| format!("<li>{}</li>", source(spot));
    let calls: String = calls.iter().map(call).collect();
    format!("<details class=\"stack\"><summary>called from</summary><ol>{calls}</ol></details>")
}
