//! Properties at run time: which failed, and how often each event was seen.

use std::fmt;

use super::directory::Directory;
use super::graph::Property;
use crate::diag::Loc;
use crate::ir::PropertyKind;

/// An `assert` or `assume` that did not hold at a clock edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyFailure {
    /// Whose guarantee it was.
    pub kind: PropertyKind,
    /// The instance it is in, as a path from the top module; empty for the top module itself.
    pub path: String,
    /// Its label.
    pub label: String,
    /// What it means.
    pub message: String,
    /// The cycle that the clock edge ended, counted from power-up.
    pub cycle: u64,
    /// Where it is written.
    pub loc: Loc,
}

impl PropertyFailure {
    /// How many failures a simulator keeps.
    pub const MOST_KEPT: usize = 1000;
}

impl fmt::Display for PropertyFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            PropertyKind::Assert => "assert",
            PropertyKind::Assume => "assume",
            PropertyKind::Cover => "cover",
        };
        write!(f, "{kind} `{}` failed", self.label)?;
        if !self.path.is_empty() {
            write!(f, " in `{}`", self.path)?;
        }
        write!(f, " in cycle {}: {} ({})", self.cycle, self.message, self.loc)
    }
}

/// How often a `cover` happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverCount {
    /// The instance it is in, as a path from the top module; empty for the top module itself.
    pub path: String,
    /// Its label.
    pub label: String,
    /// What it means.
    pub message: String,
    /// Clock edges at which it held.
    pub count: u64,
}

/// The properties of a design and what became of them.
pub(super) struct Checker {
    /// In the order of the program's `fires`.
    properties: Vec<Watched>,
    failures: Vec<PropertyFailure>,
    covers: Vec<CoverCount>,
    collect: bool,
}

enum Watched {
    /// What to report if it fires, but for the cycle.
    Claim(PropertyFailure),
    /// Place in the list of counts.
    Cover(usize),
}

impl Checker {
    pub fn new(properties: Vec<Property>, directory: &Directory) -> Checker {
        let mut covers = Vec::new();
        let properties = properties
            .into_iter()
            .map(|Property { kind, frame, label, message, loc, .. }| {
                let path = directory.path(frame);
                if kind == PropertyKind::Cover {
                    covers.push(CoverCount { path, label, message, count: 0 });
                    Watched::Cover(covers.len() - 1)
                } else {
                    Watched::Claim(PropertyFailure { kind, path, label, message, cycle: 0, loc })
                }
            })
            .collect();
        Checker { properties, failures: Vec::new(), covers, collect: false }
    }

    pub fn collect(&mut self) {
        self.collect = true;
    }

    pub fn failures(&self) -> &[PropertyFailure] {
        &self.failures
    }

    pub fn covers(&self) -> &[CoverCount] {
        &self.covers
    }

    /// Looks at the bits of all properties just before a clock edge.
    #[track_caller]
    pub fn check(&mut self, fires: &[u32], words: &[u64], cycle: u64) {
        for (&place, property) in fires.iter().zip(&self.properties) {
            if words[place as usize] == 0 {
                continue;
            }
            match property {
                Watched::Cover(index) => self.covers[*index].count += 1,
                Watched::Claim(claim) => {
                    let failure = PropertyFailure { cycle, ..claim.clone() };
                    assert!(self.collect, "hdl: {failure}");
                    if self.failures.len() < PropertyFailure::MOST_KEPT {
                        self.failures.push(failure);
                    }
                }
            }
        }
    }
}
