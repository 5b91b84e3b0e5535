//! Places in the source that an instruction stands for, and the sources.

use super::tokens::{Token, tokens};
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

/// A place in the source, in a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The function.
    pub function: String,
    /// The file's whole name, as lines have it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if it is not known.
    pub column: u32,
}

/// A file of the program.
pub struct Source {
    pub lines: Arc<[String]>,
    pub tokens: Vec<Token>,
}

impl Source {
    pub fn new(lines: Arc<[String]>) -> Self {
        let tokens = tokens(&lines);
        Self { lines, tokens }
    }

    /// The token at a place.
    pub fn token(&self, line: u32, column: u32) -> Option<usize> {
        let place = |token: &Token| (token.line, token.column);
        self.tokens.binary_search_by_key(&(line, column), place).ok()
    }

    /// The lines of a function, from its name to its last brace.
    pub fn body(&self, function: &str) -> Option<RangeInclusive<u32>> {
        let is = |at: usize, text: &str| self.tokens.get(at).is_some_and(|one| one.text == text);
        let bodies = (0..self.tokens.len()).filter(|at| is(*at, function)).filter_map(|at| {
            let brace = self.closing(at + 1, "(", ")")? + 1;
            Some(self.tokens[at].line..=self.tokens[self.closing(brace, "{", "}")?].line)
        });
        bodies.min_by_key(|lines| *lines.start())
    }

    /// The token that closes what the one at `from` opens; none if that opens nothing.
    fn closing(&self, from: usize, open: &str, close: &str) -> Option<usize> {
        let mut depth = 0u32;
        for (at, token) in self.tokens.iter().enumerate().skip(from) {
            match &*token.text {
                text if text == open => depth += 1,
                text if text == close => depth = depth.checked_sub(1)?,
                _ => {}
            }
            if depth == 0 {
                return (at > from).then_some(at);
            }
        }
        None
    }

    /// The tokens of a line.
    pub fn on_line(&self, line: u32) -> Range<usize> {
        let start = self.tokens.partition_point(|token| token.line < line);
        let end = self.tokens.partition_point(|token| token.line <= line);
        start..end
    }
}

#[cfg(test)]
mod tests {
    use super::Source;

    #[test]
    fn a_functions_lines_end_with_its_last_brace() {
        let text = "int find(int a);\nint other(void) { return find(1); }\nint find(int a)\n{\n    if (a) {\n    }\n    return a;\n}\n";
        let source = Source::new(text.lines().map(str::to_owned).collect());
        assert_eq!(source.body("find"), Some(3..=8));
        assert_eq!(source.body("other"), Some(2..=2));
        assert_eq!(source.body("missing"), None);
    }
}
