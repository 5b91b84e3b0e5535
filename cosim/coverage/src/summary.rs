//! Coverage summarized by line of Verilog.

use std::collections::BTreeMap;
use std::fmt;

use crate::{Coverage, Kind, Point};

/// Covered items out of a total.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Share {
    /// Items reached.
    pub covered: usize,
    /// All items.
    pub total: usize,
}

impl Share {
    fn count(&mut self, covered: bool) {
        self.covered += usize::from(covered);
        self.total += 1;
    }

    /// Whether everything was reached.
    pub fn is_full(self) -> bool {
        self.covered == self.total
    }
}

impl std::ops::AddAssign for Share {
    fn add_assign(&mut self, other: Self) {
        self.covered += other.covered;
        self.total += other.total;
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}/{}", self.covered, self.total))
    }
}

/// A line that was not fully covered.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Gap {
    /// The Verilog file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// What was not reached.
    pub reason: Reason,
}

/// Why a line is not fully covered.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// It was never executed.
    NeverReached,
    /// It was executed, but this side was never taken.
    NeverTaken(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::NeverReached => f.write_str("never reached"),
            Reason::NeverTaken(way) => {
                let way = match way.as_str() {
                    "if" | "cond_then" | "elsif" => "true",
                    "else" | "cond_else" => "false",
                    other => other,
                };
                write!(f, "never {way}")
            }
        }
    }
}

/// Totals and gaps of coverage data.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// Lines that hold statements or conditions. One is covered if anything on it was executed.
    pub lines: Share,
    /// Blocks, and both sides of every branch and condition.
    pub branches: Share,
    /// Both directions of every bit.
    pub toggles: Share,
    /// Every line with something missing, in order.
    pub gaps: Vec<Gap>,
}

impl Summary {
    /// Summarizes coverage data.
    pub fn of(coverage: &Coverage) -> Self {
        let mut summary = Self::default();
        let mut lines: BTreeMap<(&str, u32), bool> = BTreeMap::new();
        let mut missed: Vec<&Point> = Vec::new();
        for (point, count) in coverage.points() {
            match point.kind {
                Kind::Toggle => summary.toggles.count(count > 0),
                Kind::Line | Kind::Branch => {
                    summary.branches.count(count > 0);
                    for line in point.lines.iter().chain([point.line]) {
                        *lines.entry((&point.file, line)).or_default() |= count > 0;
                    }
                    if count == 0 {
                        missed.push(point);
                    }
                }
                Kind::Other(_) => {}
            }
        }
        for ((file, line), covered) in &lines {
            summary.lines.count(*covered);
            if !covered {
                let (file, line, reason) = (file.to_string(), *line, Reason::NeverReached);
                summary.gaps.push(Gap { file, line, reason });
            }
        }
        for point in missed.iter().filter(|point| lines[&(point.file.as_str(), point.line)]) {
            let reason = Reason::NeverTaken(point.what.clone());
            summary.gaps.push(Gap { file: point.file.clone(), line: point.line, reason });
        }
        summary.gaps.sort();
        summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lines;

    fn point(line: u32, kind: Kind, what: &str, lines: &str) -> Point {
        let (file, what) = ("m.v".to_owned(), what.to_owned());
        Point { file, line, column: 0, kind, what, lines: Lines::parse(lines).unwrap() }
    }

    fn summary(points: &[(Point, u64)]) -> Summary {
        let mut coverage = Coverage::default();
        for (point, count) in points {
            coverage.add(point.clone(), *count);
        }
        Summary::of(&coverage)
    }

    fn gaps(summary: &Summary) -> Vec<String> {
        summary.gaps.iter().map(|gap| format!("{}: {}", gap.line, gap.reason)).collect()
    }

    #[test]
    fn a_condition_that_was_never_true_leaves_its_body_unreached() {
        let found = summary(&[
            (point(1, Kind::Line, "block", "1"), 9),
            (point(2, Kind::Branch, "if", "2-4"), 0),
            (point(2, Kind::Branch, "else", ""), 9),
        ]);
        assert_eq!(found.lines, Share { covered: 2, total: 4 });
        assert_eq!(found.branches, Share { covered: 2, total: 3 });
        assert_eq!(gaps(&found), ["2: never true", "3: never reached", "4: never reached"]);
    }

    #[test]
    fn a_condition_that_was_never_false_is_a_gap_on_a_covered_line() {
        let found = summary(&[
            (point(2, Kind::Branch, "if", "2-3"), 5),
            (point(2, Kind::Branch, "else", ""), 0),
        ]);
        assert!(found.lines.is_full() && !found.branches.is_full());
        assert_eq!(gaps(&found), ["2: never false"]);
    }

    #[test]
    fn toggles_are_counted_apart_from_lines() {
        let found = summary(&[
            (point(7, Kind::Toggle, "a:0->1", ""), 1),
            (point(7, Kind::Toggle, "a:1->0", ""), 0),
            (point(8, Kind::Other("user".into()), "", ""), 0),
        ]);
        assert_eq!((found.toggles.covered, found.toggles.total), (1, 2));
        assert_eq!((found.lines.total, found.gaps.len()), (0, 0));
    }
}
