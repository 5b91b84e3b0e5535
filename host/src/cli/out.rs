//! Output for people, as wide as the terminal but at most 100 columns, with color on a terminal; or JSON.

mod fit;
mod table;

pub use fit::{cut, shorten};
pub use table::{Table, left, point, right};

pub use kit::numbers::{grouped, plural};

use super::failure::Failure;
use crate::verdict::{Phrase, Span};
use clap::ValueEnum;
use fit::wrapped;
use serde::Serialize;
use std::io::{IsTerminal, Write as _};

/// The widest line.
const WIDEST: usize = 100;
/// A terminal that says it is narrower is taken for this wide.
const NARROWEST: usize = 40;
/// The longest code point within running text.
const LONGEST_NAME: usize = 60;

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
    /// The terminal's own color.
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
    /// Source code.
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
    width: usize,
}

impl Out {
    /// Nothing yet; as wide as the terminal, or 100 columns if it goes elsewhere.
    pub fn new(color: Color) -> Self {
        Self::with_width(color, terminal_width().unwrap_or(WIDEST).clamp(NARROWEST, WIDEST))
    }

    /// Nothing yet, for so many columns.
    pub fn with_width(color: Color, width: usize) -> Self {
        let color = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
            }
        };
        Self { text: String::new(), color, width }
    }

    /// The widest line.
    pub fn width(&self) -> usize {
        self.width
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
        let line = self.paint(paint, &cut(text, self.width));
        self.line(&line);
    }

    /// Running text, broken between words.
    pub fn paragraph(&mut self, paint: Paint, text: &str) {
        for line in wrapped(text, self.width) {
            self.painted(paint, &line);
        }
    }

    /// A sentence, broken between words; code points too long for a line are shortened.
    pub fn phrase(&mut self, paint: Paint, phrase: &Phrase) {
        let longest = LONGEST_NAME.min(self.width);
        let span = |span: &Span| match span {
            Span::Words(words) => words.clone(),
            Span::Code(code) => shorten(code, longest),
            Span::Count(number) => grouped(*number),
        };
        let text: String = phrase.spans().iter().map(span).collect();
        self.paragraph(paint, &text);
    }

    /// A table.
    pub fn table(&mut self, table: &Table) {
        for line in table.lines(self) {
            self.line(&line);
        }
    }

    /// All of it so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Sends it to standard output.
    pub fn print(self) -> Result<(), Failure> {
        send(self.text.as_bytes())
    }
}

/// The width of the terminal that standard output is, if it is one.
fn terminal_width() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
    (size.ws_col > 0).then_some(size.ws_col.into())
}

/// Sends a value as JSON to standard output.
pub fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let mut bytes = serde_json::to_vec_pretty(value).unwrap_or_default();
    bytes.push(b'\n');
    send(&bytes)
}

/// Sends an answer to standard output. A reader may close its end, but an answer that cannot be written, as on a
/// full disk, is a failure.
pub fn send(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    sent(out.write_all(bytes).and_then(|()| out.flush()))
}

fn sent(written: std::io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::Failed(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_may_leave_but_a_full_disk_is_a_failure() {
        use std::io::{Error, ErrorKind};
        assert_eq!(sent(Err(Error::from(ErrorKind::BrokenPipe))), Ok(()));
        let Err(Failure::Failed(said)) = sent(Err(Error::from(ErrorKind::StorageFull))) else {
            panic!("an answer that was not written is a failure")
        };
        assert!(said.starts_with("cannot write to standard output: "), "{said}");
    }

    #[test]
    fn a_sentence_keeps_the_lines_of_long_paths() {
        let long = format!("{}queue.c:417", "folder/".repeat(27));
        let sentence = Phrase::new("In all 25 failing runs, ").code(long).words(" read.");
        for width in [40, 60, 80, 100] {
            let mut out = Out::with_width(Color::Never, width);
            out.phrase(Paint::Plain, &sentence);
            assert!(out.text.contains("/queue.c:417"), "{}", out.text);
            assert!(out.text.lines().all(|line| line.chars().count() <= width), "{}", out.text);
        }
    }
}
