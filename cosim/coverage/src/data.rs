//! Coverage points and their counts.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::Lines;

/// A coverage point: a block, one side of a branch, or one direction of a bit.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// The Verilog file.
    pub file: String,
    /// The line it begins on, from 1.
    pub line: u32,
    /// The column; both sides of a branch have neighbouring ones.
    pub column: u32,
    /// The type of point.
    pub kind: Kind,
    /// Distinguishes points at one location: `if`, `else`, `count[3]:0->1`.
    pub what: String,
    /// The lines that are executed when it is reached; may be empty.
    pub lines: Lines,
}

/// The type of a point.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Executions of a block.
    Line,
    /// Executions of one side of a branch.
    Branch,
    /// Changes of a bit in one direction.
    Toggle,
    /// Any other type of Verilator's.
    Other(String),
}

impl Kind {
    /// Its name in the data.
    pub fn name(&self) -> &str {
        match self {
            Kind::Line => "line",
            Kind::Branch => "branch",
            Kind::Toggle => "toggle",
            Kind::Other(name) => name,
        }
    }

    pub(crate) fn named(name: &str) -> Self {
        match name {
            "line" => Kind::Line,
            "branch" => Kind::Branch,
            "toggle" => Kind::Toggle,
            other => Kind::Other(other.to_owned()),
        }
    }
}

/// Counts by point.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Coverage {
    pub(crate) points: BTreeMap<Point, u64>,
}

impl Coverage {
    /// All points ordered by location, with their counts.
    pub fn points(&self) -> impl Iterator<Item = (&Point, u64)> {
        self.points.iter().map(|(point, count)| (point, *count))
    }

    /// Adds `count` to a point, which may be new.
    pub fn add(&mut self, point: Point, count: u64) {
        let total = self.points.entry(point).or_default();
        *total = total.saturating_add(count);
    }

    /// Adds the counts of another run. Returns whether it added anything new: a point that was not
    /// known, or not reached so far.
    pub fn merge(&mut self, other: Coverage) -> bool {
        let mut news = false;
        for (point, count) in other.points {
            match self.points.entry(point) {
                Entry::Vacant(place) => {
                    news = true;
                    place.insert(count);
                }
                Entry::Occupied(mut place) => {
                    news |= *place.get() == 0 && count > 0;
                    *place.get_mut() = place.get().saturating_add(count);
                }
            }
        }
        news
    }
}
