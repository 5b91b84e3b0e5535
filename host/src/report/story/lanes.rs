//! A story with a lane for each thread. Time runs down; what belongs to a thread stands in its lane.
//!
//! An HTML list in a grid: rows grow with their text, and brackets at the left join the accesses whose order
//! decides. Where there is no room for columns, lanes become narrow rails beside the text (`story.css`).

use super::super::escape::text;
use super::super::words::html as in_html;
use super::spot;
use crate::verdict::account::{came_from, values};
use crate::verdict::telling::{awaited, deed};
use ::evidence::account::{Account, Failure, Link, Spot, Step, Waiting};
use ::evidence::cause::story::Tried;
use std::fmt::Write as _;

/// More threads than this get rails at any width.
const COLUMNS: usize = 4;

/// What happened in a row.
pub enum Row<'a> {
    /// An access.
    Did(&'a Step),
    /// The failure.
    Failed(&'a Failure),
    /// A signal that nobody waited for: by whom, where, on what.
    Sent(&'a str, &'a Spot, &'a str),
    /// A wait without an end.
    Waits(&'a Waiting),
    /// The run is over; what follows comes too late.
    Over,
}

/// Threads, and what they did.
pub struct Lanes<'a> {
    threads: Vec<&'a str>,
    rows: Vec<Row<'a>>,
    /// Pairs of rows, by place from 0, and how their order was tried.
    pairs: Vec<(usize, usize, Tried)>,
}

impl<'a> Lanes<'a> {
    /// The rows in order, accesses that come too late last; `decisive` counts accesses.
    pub fn of(account: &'a Account, rows: Vec<Row<'a>>, decisive: &[Link]) -> Self {
        let is_late = |row: &Row<'_>| matches!(row, Row::Did(step) if step.too_late);
        let mut numbers = 0..;
        let numbered = rows.into_iter().map(|row| {
            let number = if matches!(row, Row::Did(_)) { numbers.next() } else { None };
            (number, row)
        });
        let (late, mut all): (Vec<_>, Vec<_>) = numbered.partition(|(_, row)| is_late(row));
        if !late.is_empty() {
            all.push((None, Row::Over));
        }
        all.extend(late);
        let at = |step: usize| all.iter().position(|(number, _)| *number == Some(step));
        let pairs = decisive
            .iter()
            .filter_map(|link| Some((at(link.first)?, at(link.second)?, link.tried)));
        let mut pairs: Vec<_> = pairs.collect();
        pairs.sort_unstable();
        let rows: Vec<Row<'a>> = all.into_iter().map(|(_, row)| row).collect();
        let mut threads: Vec<&str> = account.threads.iter().map(String::as_str).collect();
        for thread in rows.iter().filter_map(Row::thread) {
            if !threads.contains(&thread) {
                threads.push(thread);
            }
        }
        Self { threads, rows, pairs }
    }

    /// The list.
    pub fn draw(&self) -> String {
        let places: Vec<_> = self.pairs.iter().map(|(from, to, _)| (*from, *to)).collect();
        let levels = levels(&places);
        let gutters = levels.iter().max().map_or(0, |highest| highest + 1);
        let many = if self.threads.len() > COLUMNS { " many" } else { "" };
        let mut html = format!(
            "<ol class=\"story{many}\" style=\"--threads:{};--gutters:{gutters}\">\n",
            self.threads.len().max(1)
        );
        for (lane, thread) in self.threads.iter().enumerate() {
            let _ = writeln!(
                html,
                "<li class=\"lane\" aria-hidden=\"true\" style=\"--lane:{lane};grid-row:1 / span {}\">\
                 <span>{}</span></li>",
                self.rows.len() + 1,
                text(thread)
            );
        }
        for (number, ((first, second, _), level)) in self.pairs.iter().zip(&levels).enumerate() {
            let _ = writeln!(
                html,
                "<li class=\"pair\" aria-hidden=\"true\" style=\"--level:{level};grid-row:{} / {}\">\
                 <b>{}</b></li>",
                first + 2,
                second + 2,
                number + 1
            );
        }
        for (place, row) in self.rows.iter().enumerate() {
            html.push_str(&self.row(place, row));
        }
        html.push_str("</ol>\n");
        html.push_str(&self.turned());
        html
    }

    fn row(&self, place: usize, row: &Row<'_>) -> String {
        let thread = row.thread();
        let lane = thread.and_then(|name| self.threads.iter().position(|one| *one == name));
        let paired =
            self.pairs.iter().any(|(first, second, _)| *first == place || *second == place);
        let class = match (row, paired) {
            (Row::Failed(_) | Row::Waits(_), _) => "step failed",
            (Row::Did(step), _) if step.too_late => "step late",
            (Row::Over, _) => "over",
            (_, true) => "step paired",
            (_, false) => "step",
        };
        let class = if lane.is_none() && class != "over" { "step failed whole" } else { class };
        let who = thread
            .map_or_else(String::new, |name| format!("<span class=\"who\">{}</span> ", text(name)));
        format!(
            "<li class=\"{class}\" style=\"--lane:{};grid-row:{}\">{who}{}</li>\n",
            lane.unwrap_or(0),
            place + 2,
            row.said()
        )
    }

    /// The decisive pairs in words.
    fn turned(&self) -> String {
        let step = |place: usize| match &self.rows[place] {
            Row::Did(step) => format!(
                "{} {} <code>{}</code> at <code>{}</code>",
                text(&step.thread),
                deed(step),
                text(&step.variable),
                text(&step.at.line)
            ),
            _ => String::new(),
        };
        if self.pairs.is_empty() {
            return String::new();
        }
        let pair = |(first, second, tried): &(usize, usize, Tried)| {
            let passes = match tried {
                Tried::Swapped => "the other way round it passes",
                Tried::Whole => "if nobody comes in between it passes",
                Tried::Together => "it passes with this and others the other way round",
                Tried::Seen => "part of the sequence that was interrupted",
            };
            format!("<li>{}, before {}: {passes}</li>", step(*first), step(*second))
        };
        let pairs: String = self.pairs.iter().map(pair).collect();
        format!(
            "<p class=\"turned\">What decides, and how that was tried:</p>\n\
             <ol class=\"pairs\">{pairs}</ol>\n"
        )
    }
}

impl<'a> Row<'a> {
    fn thread(&self) -> Option<&'a str> {
        match self {
            Self::Did(step) => Some(&step.thread),
            Self::Failed(failure) => failure.thread.as_deref(),
            Self::Sent(thread, ..) => Some(thread),
            Self::Waits(wait) => Some(&wait.thread),
            Self::Over => None,
        }
    }

    fn said(&self) -> String {
        match self {
            Self::Did(step) => {
                let value = values(step).map_or_else(String::new, |values| {
                    format!(" <span class=\"value\">{}</span>", text(&values))
                });
                format!(
                    "<span class=\"deed\">{} <code>{}</code>{value}</span>{}{}",
                    deed(step),
                    text(&step.variable),
                    spot::source(&step.at),
                    spot::stack(&step.stack)
                )
            }
            Self::Failed(failure) => {
                let who = if failure.thread.is_none() { "the program " } else { "" };
                let pointer = failure.pointer.as_ref().map(came_from);
                let pointer = pointer.map(|said| format!("<p>{}</p>", in_html(&said)));
                format!(
                    "<span class=\"deed\">{who}{}</span>{}{}",
                    text(&failure.how),
                    failure.at.as_ref().map(spot::source).unwrap_or_default(),
                    pointer.unwrap_or_default()
                )
            }
            Self::Sent(_, at, object) => format!(
                "<span class=\"deed\">signaled <code>{}</code> <span class=\"value\">nobody waited</span>\
                 </span>{}",
                text(object),
                spot::source(at)
            ),
            Self::Waits(wait) => format!(
                "<span class=\"deed\">waits for ever for {} <code>{}</code></span>{}{}",
                awaited(wait.function),
                text(&wait.object),
                spot::source(&wait.at),
                spot::stack(&wait.stack)
            ),
            Self::Over => "The failing run ended here. A passing run does this first:".to_owned(),
        }
    }
}

/// A gutter for each bracket, such that no two in one gutter meet.
fn levels(pairs: &[(usize, usize)]) -> Vec<usize> {
    let mut levels: Vec<usize> = Vec::new();
    for (place, (first, second)) in pairs.iter().enumerate() {
        let meets = |level: &usize| {
            let before = pairs[..place].iter().zip(&levels);
            let mut same = before.filter(|(_, other)| *other == level);
            same.any(|((from, to), _)| from <= second && first <= to)
        };
        levels.push((0..).find(|level| !meets(level)).unwrap_or(0));
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::levels;

    #[test]
    fn brackets_that_meet_get_gutters_of_their_own() {
        assert_eq!(levels(&[(0, 1), (2, 4), (1, 2), (3, 5)]), [0, 0, 1, 1]);
        assert_eq!(levels(&[(0, 9), (1, 2), (3, 4)]), [0, 1, 1]);
        assert!(levels(&[]).is_empty());
    }
}
