//! Places in the source that an instruction stands for, and the sources.

use super::tokens::{Token, tokens};
use std::ops::Range;
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

    /// The tokens of a line.
    pub fn on_line(&self, line: u32) -> Range<usize> {
        let start = self.tokens.partition_point(|token| token.line < line);
        let end = self.tokens.partition_point(|token| token.line <= line);
        start..end
    }
}
