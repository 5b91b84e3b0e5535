//! A sentence whose code and numbers are marked.

use kit::numbers::grouped;
use std::fmt;

/// A part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Span {
    /// Plain words.
    Words(String),
    /// A code point, function or option.
    Code(String),
    /// A number.
    Count(u64),
}

/// A sentence, part by part. As plain text it is what `to_string` gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phrase(Vec<Span>);

impl Phrase {
    /// A sentence that begins with these words.
    pub fn new(words: impl Into<String>) -> Self {
        Self::default().words(words)
    }

    /// Adds words.
    pub fn words(mut self, words: impl Into<String>) -> Self {
        self.0.push(Span::Words(words.into()));
        self
    }

    /// Adds code.
    pub fn code(mut self, code: impl Into<String>) -> Self {
        self.0.push(Span::Code(code.into()));
        self
    }

    /// Adds a number.
    pub fn count(mut self, number: impl Into<u64>) -> Self {
        self.0.push(Span::Count(number.into()));
        self
    }

    /// Adds a number and what it counts, which gets an `s` unless the number is 1.
    pub fn counted(self, number: impl Into<u64>, what: &str) -> Self {
        let number = number.into();
        let plural = if number == 1 { "" } else { "s" };
        self.count(number).words(format!(" {what}{plural}"))
    }

    /// Adds another phrase.
    pub fn then(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Its parts.
    pub fn spans(&self) -> &[Span] {
        &self.0
    }
}

impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|span| match span {
            Span::Words(text) | Span::Code(text) => f.write_str(text),
            Span::Count(number) => f.write_str(&grouped(*number)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_is_plain_text_with_numbers_in_groups() {
        let phrase = Phrase::new("In ").counted(1234u64, "run").words(", ").code("a.c:1");
        assert_eq!(phrase.to_string(), "In 1,234 runs, a.c:1");
        assert_eq!(Phrase::default().counted(1u64, "run").to_string(), "1 run");
    }
}
