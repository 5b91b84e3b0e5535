//! How a run failed: what tells a hunt's failure from others.

use crate::hunt::Probe;
use ::evidence::examine::stuck;
use ::evidence::log::Log;
use ::evidence::verdict::deadlock;
use border::End;
use serde::{Deserialize, Serialize};

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// With this code.
    Exit(i32),
    /// An assertion failed.
    Assertion {
        /// The file, as the program names it.
        file: String,
        /// Its line.
        line: u32,
    },
    /// An instruction could not be executed.
    Fault {
        /// The instruction.
        pc: u64,
    },
    /// Threads wait for ever.
    Stuck {
        /// For each other.
        cycle: bool,
        /// Their calls.
        sites: Vec<u32>,
    },
    /// It was stopped at the limit.
    Limit,
}

impl How {
    /// How a probe ended; `log` makes it again and records it, which only a deadlock needs.
    pub fn of<E>(probe: &Probe, log: impl FnOnce() -> Result<Log, E>) -> Result<Self, E> {
        Ok(match &probe.end {
            End::Exit { code } => Self::Exit(*code),
            End::Assertion { file, line } => Self::Assertion { file: file.clone(), line: *line },
            End::Fault { pc, .. } => Self::Fault { pc: *pc },
            End::Deadlock => {
                let log = log()?;
                let cycle = deadlock(&log).is_some();
                Self::Stuck { cycle, sites: stuck(&log) }
            }
            End::CycleLimit | End::Unknown => Self::Limit,
        })
    }

    /// Whether it is a failure of the same kind, wherever it showed: the hunted failures that count as one.
    pub fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Fault { .. }, Self::Fault { .. }) => true,
            (Self::Stuck { cycle: one, .. }, Self::Stuck { cycle: other, .. }) => one == other,
            (one, other) => one == other,
        }
    }
}

/// What a hunt's failure looks like: of its commonest kind, every form in which the hunt saw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature(Vec<How>);

impl Signature {
    /// The commonest kind among failing runs; of several the one that came first.
    pub fn commonest(all: &[How]) -> Option<Self> {
        let count = |how: &How| all.iter().filter(|other| how.is_like(other)).count();
        let first = all.iter().rev().max_by_key(|how| count(how))?;
        let mut forms: Vec<How> = all.iter().filter(|how| how.is_like(first)).cloned().collect();
        forms.sort();
        forms.dedup();
        Some(Self(forms))
    }

    /// Whether a failing run shows it. Threads that wait for ever show it if each of them waits in a call that was seen to.
    pub fn includes(&self, how: &How) -> bool {
        match how {
            How::Stuck { cycle, sites } => sites.iter().all(|site| {
                self.0.iter().any(|known| match known {
                    How::Stuck { cycle: other, sites } => cycle == other && sites.contains(site),
                    _ => false,
                })
            }),
            how => self.0.contains(how),
        }
    }

    /// Failures of this kind in other forms, which another machine has shown.
    #[must_use]
    pub fn and(mut self, others: impl Iterator<Item = How>) -> Self {
        let others: Vec<How> = others.filter(|how| self.is_like(how)).collect();
        self.0.extend(others);
        self.0.sort();
        self.0.dedup();
        self
    }

    /// Whether a failing run of the hunt is of this kind.
    pub fn is_like(&self, how: &How) -> bool {
        self.0.first().is_some_and(|first| first.is_like(how))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stuck_at(sites: &[u32]) -> How {
        How::Stuck { cycle: true, sites: sites.to_vec() }
    }

    #[test]
    fn the_commonest_kind_counts_in_all_its_forms() {
        let runs = [How::Exit(1), stuck_at(&[4]), stuck_at(&[8, 12]), How::Exit(2)];
        let signature = Signature::commonest(&runs).unwrap();
        assert!(signature.includes(&stuck_at(&[4])) && signature.includes(&stuck_at(&[4, 12])));
        assert!(!signature.includes(&stuck_at(&[4, 16])) && !signature.includes(&How::Exit(1)));
        assert!(!signature.includes(&How::Stuck { cycle: false, sites: vec![4] }));
        assert_eq!(Signature::commonest(&[]), None);
    }

    #[test]
    fn a_fault_elsewhere_is_another_failure() {
        let runs = [How::Fault { pc: 4 }, How::Fault { pc: 8 }, How::Exit(1)];
        let signature = Signature::commonest(&runs).unwrap();
        assert!(signature.includes(&How::Fault { pc: 8 }));
        assert!(!signature.includes(&How::Fault { pc: 12 }));
    }
}
