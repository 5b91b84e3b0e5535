//! Text in columns that fit the width of the terminal.

use super::fit::{cut, shorten};
use super::{Out, Paint};
use std::fmt::Write as _;

/// Columns between two columns.
const GAP: usize = 2;

/// Text in columns.
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<(Paint, String)>>,
}

/// A column of a table.
pub struct Column {
    head: &'static str,
    fit: Fit,
    /// The widest it may be.
    most: usize,
    /// How narrow it may become where the table is too wide.
    least: usize,
    /// Left out where the table is still too wide then: the highest number first; 0 never.
    optional: u8,
}

/// How a column deals with what is too long.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// Numbers, at the right; never shortened.
    Number,
    /// Text, cut at its end.
    Text,
    /// Code points, shortened from the left.
    Point,
}

/// A column of numbers.
pub fn right(head: &'static str) -> Column {
    Column { head, fit: Fit::Number, most: 16, least: 16, optional: 0 }
}

/// A column of text.
pub fn left(head: &'static str, most: usize) -> Column {
    Column { head, fit: Fit::Text, most, least: 0, optional: 0 }
}

/// A column of code points.
pub fn point(head: &'static str, most: usize) -> Column {
    Column { head, fit: Fit::Point, most, least: 16, optional: 0 }
}

impl Column {
    /// Left out where there is no room for it, before columns with a lower number.
    pub fn optional(self, number: u8) -> Self {
        Self { optional: number, ..self }
    }

    fn fitted(&self, text: &str, width: usize) -> String {
        match self.fit {
            Fit::Point => shorten(text, width),
            Fit::Number | Fit::Text => cut(text, width),
        }
    }
}

impl Table {
    /// A table without rows.
    pub fn new(columns: Vec<Column>) -> Self {
        Self { columns, rows: Vec::new() }
    }

    /// Adds a row: a cell for each column.
    pub fn row(&mut self, cells: Vec<(Paint, String)>) {
        self.rows.push(cells);
    }

    /// The lines of the table, none wider than the output.
    pub(super) fn lines(&self, out: &Out) -> Vec<String> {
        let widths = self.widths(out.width());
        let line = |cells: &[(Paint, String)]| {
            let mut line = String::new();
            let mut gap = "";
            for ((column, width), (paint, cell)) in self.columns.iter().zip(&widths).zip(cells) {
                let Some(width) = *width else { continue };
                let cell = column.fitted(cell, width);
                let padding = " ".repeat(width - cell.chars().count());
                let cell = out.paint(*paint, &cell);
                let _ = match column.fit {
                    Fit::Number => write!(line, "{gap}{padding}{cell}"),
                    Fit::Text | Fit::Point => write!(line, "{gap}{cell}{padding}"),
                };
                gap = "  ";
            }
            line
        };
        let head: Vec<_> = self.columns.iter().map(|c| (Paint::Dim, c.head.to_owned())).collect();
        std::iter::once(line(&head)).chain(self.rows.iter().map(|row| line(row))).collect()
    }

    /// The width of each column; `None`: left out.
    fn widths(&self, page: usize) -> Vec<Option<usize>> {
        let natural = |(place, column): (usize, &Column)| {
            let cells = self.rows.iter().filter_map(|row| row.get(place));
            let longest = cells.map(|cell| cell.1.chars().count()).max().unwrap_or(0);
            Some(longest.max(column.head.chars().count()).min(column.most))
        };
        let mut widths: Vec<Option<usize>> = self.columns.iter().enumerate().map(natural).collect();
        let least: Vec<usize> = widths
            .iter()
            .zip(&self.columns)
            .map(|(width, column)| width.unwrap_or(0).min(column.least))
            .collect();
        // Without what may be left out, if the rest would not fit at its narrowest.
        let mut optional: Vec<usize> =
            (0..widths.len()).filter(|place| self.columns[*place].optional > 0).collect();
        optional.sort_by_key(|place| (self.columns[*place].optional, *place));
        for place in optional.into_iter().rev() {
            let narrowest = widths.iter().zip(&least).map(|(width, least)| width.map(|_| *least));
            if total(narrowest) > page {
                widths[place] = None;
            }
        }
        // Text gives way first, from the right; then code points, the widest first; then what must.
        for place in (0..widths.len()).rev() {
            if self.columns[place].fit == Fit::Text {
                shrink(&mut widths, place, page, 0);
            }
        }
        for floor in [Some(()), None] {
            while total(widths.iter().copied()) > page {
                let can = |place: &usize| {
                    let floor = floor.map_or(1, |()| least[*place]);
                    self.columns[*place].fit == Fit::Point
                        && widths[*place].is_some_and(|w| w > floor)
                };
                let widest = (0..widths.len()).filter(can).max_by_key(|place| widths[*place]);
                let Some(place) = widest else { break };
                widths[place] = widths[place].map(|width| width - 1);
            }
        }
        for place in (0..widths.len()).rev() {
            shrink(&mut widths, place, page, 0);
        }
        widths
    }
}

/// Makes a column narrower by as much as the table is too wide, down to `least`; an empty one is left out.
fn shrink(widths: &mut [Option<usize>], place: usize, page: usize, least: usize) {
    let over = total(widths.iter().copied()).saturating_sub(page);
    if let Some(width) = widths[place].filter(|_| over > 0) {
        widths[place] = Some(width.saturating_sub(over).max(least)).filter(|width| *width > 0);
    }
}

fn total(widths: impl Iterator<Item = Option<usize>>) -> usize {
    let widths: Vec<usize> = widths.flatten().collect();
    widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::super::Color;
    use super::*;

    fn plain(width: usize) -> Out {
        Out::with_width(Color::Never, width)
    }

    #[test]
    fn tables_are_never_wider_than_the_page() {
        let mut table = Table::new(vec![right("n"), left("name", 40), left("text", 90)]);
        let long = "x".repeat(300);
        table.row(vec![
            (Paint::Plain, "1".into()),
            (Paint::Cyan, long.clone()),
            (Paint::Plain, long),
        ]);
        for width in 1..=100 {
            let lines = table.lines(&plain(width));
            assert!(lines.iter().all(|line| line.chars().count() <= width), "{width}: {lines:?}");
        }
        assert!(table.lines(&plain(100))[1].ends_with('…'));
    }

    #[test]
    fn a_long_path_leaves_room_for_the_other_end_and_both_lines() {
        let long = format!("{}queue.c:417", "folder/".repeat(27));
        let columns = vec![
            right("rank"),
            right("score").optional(1),
            right("B").optional(2),
            right("failing").optional(1),
            point("source", 60),
            point("sink", 60),
            left("kind", 11),
        ];
        let mut table = Table::new(columns);
        let text = |text: &str| (Paint::Plain, text.to_owned());
        table.row(vec![
            text("1"),
            text("13.87"),
            text("26.00"),
            text("25"),
            text(&long),
            text(&long.replace("417", "98")),
            text("RAW"),
        ]);
        for width in [100, 80, 60, 50] {
            let lines = table.lines(&plain(width));
            assert!(lines.iter().all(|line| line.chars().count() <= width), "{width}: {lines:?}");
            let row = &lines[1];
            assert!(row.contains("/queue.c:417") && row.contains("/queue.c:98"), "{width}: {row}");
        }
        assert!(table.lines(&plain(100))[0].contains('B'));
        let narrow = table.lines(&plain(60));
        assert!(narrow[0].contains("failing") && !narrow[0].contains('B'), "{narrow:?}");
        let narrowest = table.lines(&plain(20));
        assert!(narrowest[1].contains(":417") && narrowest[1].contains(":98"), "{narrowest:?}");
    }

    #[test]
    fn color_adds_no_width() {
        let mut table = Table::new(vec![left("a", 10), left("b", 10)]);
        table.row(vec![(Paint::Red, "ab".into()), (Paint::Bold, "cd".into())]);
        assert_eq!(table.lines(&plain(100))[1], "ab  cd");
        let colored = table.lines(&Out::with_width(Color::Always, 100));
        assert_eq!(colored[1], "\x1b[31mab\x1b[0m  \x1b[1mcd\x1b[0m");
    }
}
