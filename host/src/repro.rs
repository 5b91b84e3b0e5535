//! From an explanation to a cause: a set of breakpoints under which the failure comes every time, and whose opposite order
//! never fails.
//!
//! ```text
//! hunt's folder ──Hunted──► Evidence ──► Candidates ──Bench──► Rates ──prove──► Proof ──► file, patch, check
//! ```
//!
//! Correlation suggests, intervention decides: what a hunt tells is a suspicion until the order was forced both ways in fresh
//! schedules. The contract is docs/breakpoints.md.

mod around;
mod bench;
mod candidate;
mod check;
mod distance;
mod elsewhere;
mod evidence;
mod failure;
mod halves;
mod hunted;
mod journal;
mod opposite;
mod patch;
mod proof;
mod prove;
mod quick;
mod rounds;
mod search;
mod sections;
mod shrink;
mod values;
mod variants;

pub use bench::{Bench, Progress, Rate};
pub use candidate::Candidate;
pub use check::{Check, Checked};
pub use elsewhere::elsewhere;
pub use failure::How;
pub use hunted::Hunted;
pub use journal::Journal;
pub use patch::patch;
pub use proof::{Opposite, Proof};
pub use prove::{Proved, prove};
pub use quick::{Beside, Confirmation, OnHardware, confirm};
pub use search::{Row, search};

/// Schedules without a miss that make a probability of 0.99 sure to 95 %.
pub const SURE: u64 = 299;
/// The same with one miss.
pub const SURE_WITH_ONE_MISS: u64 = 473;

/// All entries of a set that is accepted have hits in this part of the schedules.
const MET: f64 = 0.95;
/// A wait where nothing is known of distances.
const USUAL_WAIT: u32 = 20_000;
