//! A run with breakpoints: what it came to.

use super::{FailIf, Tail};
use crate::breakpoint::Count;
use ::evidence::log::Log;
use border::End;

/// A run with breakpoints that is over.
#[derive(Debug)]
pub struct Probe {
    /// How it ended.
    pub end: End,
    /// What the program printed.
    pub console: Tail,
    /// What it, or the firmware for it, complained of.
    pub errors: Tail,
    /// Cycles, or on the golden machine instructions of all harts.
    pub cycles: u64,
    /// What each entry counted.
    pub counts: Vec<Count>,
    /// All that it did, if that was asked for.
    pub log: Option<Log>,
}

impl Probe {
    /// Whether it fails by a hunt's rule.
    pub fn fails(&self, rule: &FailIf) -> bool {
        rule.is_met(&self.end, &self.console, &self.errors)
    }
}
