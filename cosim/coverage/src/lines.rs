//! Sets of line numbers as Verilator writes them: `12-14,17`.

use std::fmt;

/// Ranges of lines, both ends included.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Lines(Vec<(u32, u32)>);

/// Longer than any generated file; a line number beyond means damaged data.
const MOST: u32 = 10_000_000;

impl Lines {
    /// From ranges; `None` if one is reversed or out of bounds.
    pub fn new(ranges: Vec<(u32, u32)>) -> Option<Self> {
        ranges.iter().all(|(first, last)| first <= last && *last <= MOST).then_some(Self(ranges))
    }

    /// From text like `12-14,17`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::default());
        }
        let range = |part: &str| match part.split_once('-') {
            Some((first, last)) => Some((first.parse().ok()?, last.parse().ok()?)),
            None => part.parse().ok().map(|line| (line, line)),
        };
        Self::new(text.split(',').map(range).collect::<Option<_>>()?)
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each line, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().flat_map(|(first, last)| *first..=*last)
    }
}

impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (first, last)) in self.0.iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            match first == last {
                true => write!(f, "{comma}{first}")?,
                false => write!(f, "{comma}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_single_lines_are_read() {
        let lines = Lines::parse("12-14,17").unwrap();
        assert_eq!(lines.iter().collect::<Vec<_>>(), [12, 13, 14, 17]);
        assert_eq!(lines.to_string(), "12-14,17");
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["x", "3-", "-3", "5-4", "1,,2", "1-4000000000"] {
            assert_eq!(Lines::parse(text), None, "{text}");
        }
    }
}
