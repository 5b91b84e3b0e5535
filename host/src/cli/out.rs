//! What people see: text of at most 100 columns, with color on a terminal, or JSON.

pub use kit::numbers::{grouped, plural};

use super::failure::Failure;
use clap::ValueEnum;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};

/// The widest line.
pub const WIDTH: usize = 100;

/// When to use color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// A color or weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// As it is.
    Plain,
    /// A heading.
    Bold,
    /// Less important.
    Dim,
    /// What broke.
    Red,
    /// What is fine.
    Green,
    /// What to look at.
    Yellow,
    /// Code.
    Cyan,
}

impl Paint {
    fn code(self) -> &'static str {
        match self {
            Self::Plain => "0",
            Self::Bold => "1",
            Self::Dim => "2",
            Self::Red => "31",
            Self::Green => "32",
            Self::Yellow => "33",
            Self::Cyan => "36",
        }
    }
}

/// Text in the making. It goes out in one piece.
pub struct Out {
    text: String,
    color: bool,
}

impl Out {
    /// Nothing yet.
    pub fn new(color: Color) -> Self {
        let color = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
            }
        };
        Self { text: String::new(), color }
    }

    /// Text with color, if there is to be any.
    pub fn paint(&self, paint: Paint, text: &str) -> String {
        match paint {
            Paint::Plain => text.to_owned(),
            _ if !self.color => text.to_owned(),
            paint => format!("\x1b[{}m{text}\x1b[0m", paint.code()),
        }
    }

    /// A line.
    pub fn line(&mut self, text: &str) {
        self.text.push_str(text.trim_end());
        self.text.push('\n');
    }

    /// A line of one color, cut if it is too long.
    pub fn painted(&mut self, paint: Paint, text: &str) {
        let line = self.paint(paint, &cut(text, WIDTH));
        self.line(&line);
    }

    /// Running text, broken between words.
    pub fn paragraph(&mut self, paint: Paint, text: &str) {
        for line in wrapped(text, WIDTH) {
            self.painted(paint, &line);
        }
    }

    /// A table.
    pub fn table(&mut self, table: &Table) {
        for line in table.lines(self) {
            self.line(&line);
        }
    }

    /// Sends it to standard output.
    pub fn print(self) -> Result<(), Failure> {
        send(self.text.as_bytes())
    }
}

/// Sends a value as JSON to standard output.
pub fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let mut bytes = serde_json::to_vec_pretty(value).unwrap_or_default();
    bytes.push(b'\n');
    send(&bytes)
}

/// Sends an answer to standard output. Whoever reads may stop reading, but an answer that could not be
/// written, as on a full disk, is none.
pub fn send(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    sent(out.write_all(bytes).and_then(|()| out.flush()))
}

fn sent(written: std::io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::Failed(format!("standard output cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// Text in columns.
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<(Paint, String)>>,
}

/// A column of a table.
pub struct Column {
    /// Its heading.
    pub head: &'static str,
    /// Numbers stand at the right.
    pub right: bool,
    /// The widest it may be; what is longer is cut.
    pub most: usize,
}

impl Table {
    /// No rows yet. The last column takes what is left of the line.
    pub fn new(columns: Vec<Column>) -> Self {
        Self { columns, rows: Vec::new() }
    }

    /// One more row.
    pub fn row(&mut self, cells: Vec<(Paint, String)>) {
        self.rows.push(cells);
    }

    fn lines(&self, out: &Out) -> Vec<String> {
        let width = |place: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(place));
            let longest = cells.map(|cell| cell.1.chars().count()).max().unwrap_or(0);
            longest.max(self.columns[place].head.chars().count()).min(self.columns[place].most)
        };
        let mut widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let all: usize = widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1);
        if let Some(last) = widths.last_mut() {
            *last = last.saturating_sub(all.saturating_sub(WIDTH));
        }
        let line = |cells: &[(Paint, String)]| {
            let mut line = String::new();
            for (place, (paint, cell)) in cells.iter().enumerate() {
                let width = widths[place];
                let cell = cut(cell, width);
                let padding = " ".repeat(width - cell.chars().count());
                let cell = out.paint(*paint, &cell);
                let gap = if place == 0 { "" } else { "  " };
                let _ = match self.columns[place].right {
                    true => write!(line, "{gap}{padding}{cell}"),
                    false => write!(line, "{gap}{cell}{padding}"),
                };
            }
            line
        };
        let head: Vec<_> = self.columns.iter().map(|c| (Paint::Dim, c.head.to_owned())).collect();
        std::iter::once(line(&head)).chain(self.rows.iter().map(|row| line(row))).collect()
    }
}

/// A column that holds text.
pub fn left(head: &'static str, most: usize) -> Column {
    Column { head, right: false, most }
}

/// A column that holds numbers.
pub fn right(head: &'static str) -> Column {
    Column { head, right: true, most: 16 }
}

/// As much of a text as fits; control characters are not shown.
pub fn cut(text: &str, width: usize) -> String {
    let clean = |letter: char| if letter.is_control() { ' ' } else { letter };
    let clean: Vec<char> = text.chars().map(clean).collect();
    match clean.len() > width {
        true if width > 0 => clean[..width - 1].iter().chain(&['…']).collect(),
        true => String::new(),
        false => clean.into_iter().collect(),
    }
}

/// Text broken between words.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().map(|line| line.chars().count()).unwrap_or(0);
        if line > 0 && line + 1 + word.chars().count() > width {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_never_wider_than_the_page() {
        let mut table = Table::new(vec![right("n"), left("name", 40), left("text", 90)]);
        let long = "x".repeat(300);
        table.row(vec![
            (Paint::Plain, "1".into()),
            (Paint::Cyan, long.clone()),
            (Paint::Plain, long),
        ]);
        let lines = table.lines(&Out::new(Color::Never));
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH), "{lines:?}");
        assert!(lines[1].ends_with('…'));
    }

    #[test]
    fn a_reader_may_leave_but_a_full_disk_is_a_failure() {
        use std::io::{Error, ErrorKind};
        assert_eq!(sent(Err(Error::from(ErrorKind::BrokenPipe))), Ok(()));
        let Err(Failure::Failed(said)) = sent(Err(Error::from(ErrorKind::StorageFull))) else {
            panic!("an answer that was not written is a failure")
        };
        assert!(said.starts_with("standard output cannot be written: "), "{said}");
    }

    #[test]
    fn color_adds_no_width() {
        let mut table = Table::new(vec![left("a", 10), left("b", 10)]);
        table.row(vec![(Paint::Red, "ab".into()), (Paint::Bold, "cd".into())]);
        let plain = table.lines(&Out::new(Color::Never));
        let colored = table.lines(&Out::new(Color::Always));
        assert_eq!(plain[1], "ab  cd");
        assert_eq!(colored[1], "\x1b[31mab\x1b[0m  \x1b[1mcd\x1b[0m");
    }

    #[test]
    fn text_is_broken_between_words_and_cut_where_it_must_be() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(cut("abcdef", 4), "abc…");
        assert_eq!(cut("a\tb", 4), "a b");
    }
}
