//! From a flaky program to its bug: many seeded schedules, labeled, stored and analyzed.
//!
//! ```text
//! Subject ──load(Setup)──► Loaded ──► Source (Rtl | Golden) ──► Collector ──► Collection ──► Analysis
//! sources, ELF              settings    one run a schedule        in seed order   files on disk
//! ```
//!
//! | you want | use |
//! |---|---|
//! | a program or a variant of one (`-DFIXED`) | [`Subject::compile`], [`Subject::linked`] |
//! | to say how it is run and monitored | [`Setup`], then [`Subject::load`] |
//! | to know how many harts it needs | [`FirstLook::at`] |
//! | one run of a schedule, in memory | [`Source::run`] of [`Rtl`] or [`Golden`], or of what [`On`] chooses |
//! | a run once more, with all that it did | [`Source::replay`], [`Collection::schedules`] |
//! | a run of a hunt's folder once more | [`Recorded::open`] |
//! | so many failing and passing runs | [`Collector::collect`] |
//! | the runs that count, and what they show | [`Collection::files`], [`Collection::analyze`] |
//! | a hunt again, with other schedules | [`Shifted::to`] |
//! | all of that as one hunt, in one or two stages | [`Campaign::run`] |
//!
//! ```no_run
//! use crosstalk::hunt::{Collector, FailIf, Goal, Golden, Setup, Subject};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let build = firmware::Build { files: vec!["bank.c".into()], flags: vec!["-DFIXED".into()] };
//! let (subject, _warnings) = Subject::compile("bank", &build)?;
//! let setup = Setup::new(config::Config::default());
//! let source = Golden::new(subject.load(&setup)?)?;
//! let collector = Collector {
//!     source: &source,
//!     fail_if: &FailIf::Exit,
//!     goal: Goal { failing: 25, passing: 25, max_runs: 2000, ..Goal::default() },
//!     folder: "runs-of-bank".as_ref(),
//!     progress: &|_| (),
//! };
//! let collection = collector.collect()?;
//! println!("{} of {} failed", collection.failing(), collection.entries.len());
//! # Ok(())
//! # }
//! ```
//!
//! Seeds are 1, 2, 3 and so on. Whatever is decided is decided from a completed prefix of them: when to
//! stop, how much to perturb, which runs count. So a hunt gives the same files however many threads ran
//! it, and one that was interrupted and resumed gives those of one that was not. Threads are rayon's.

mod both;
mod campaign;
mod collect;
mod collection;
mod colored;
mod confirm;
mod error;
mod examine;
mod finish;
mod folder;
mod golden;
mod harts;
mod journal;
mod judge;
mod label;
mod levels;
mod notes;
mod opened;
mod plain;
mod probe;
mod recorded;
mod replay;
mod rtl;
mod search;
mod shifted;
mod source;
pub mod sources;
mod stages;
mod strategies;
mod subject;
mod tail;
mod visits;
mod why;

pub use crate::run_record::edge as recorded;
pub use campaign::{Answer, Beside, Campaign, Event, Monitor, Open, Outcome};
pub use collect::{Collector, Standing};
pub use collection::Collection;
pub use colored::{Colored, Coloring, Transactions};
pub use error::HuntError;
pub use golden::Golden;
pub(crate) use golden::give_breakpoints;
pub use harts::FirstLook;
pub use journal::Entry;
pub use judge::{Goal, Stop, Tally};
pub use label::FailIf;
pub use levels::Level;
pub use probe::Probe;
pub use recorded::{Recorded, Wanted};
pub use replay::{Replay, ReplayLimits};
pub use rtl::Rtl;
pub use search::Search;
pub use shifted::Shifted;
pub use source::{DataAccess, Finished, Schedule, Source, Work};
pub use sources::On;
pub use strategies::Strategy;
pub use subject::{Collect, Loaded, Scope, Setup, Subject};
pub use tail::Tail;
pub use visits::Visit;

use std::path::Path;

/// Removes what a collection in this folder has left, and nothing else.
///
/// # Errors
/// If a file cannot be removed.
pub fn clear(folder: &Path) -> Result<(), crate::Error> {
    journal::Journal::clear(folder)
}
