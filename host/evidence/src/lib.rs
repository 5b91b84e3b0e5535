//! Exact evidence: what threads did to which variable, in which order, and why that failed.
//!
//! ```text
//! golden machine ──Witness──► log (events of one run) ──► facts of a run ──► patterns over runs ──► cause
//!                                      └──► state ──► verdict
//! ```
//!
//! [`run::record`] makes the [`log::Log`] of a run: its events in the machine's order, and the [`state`] of
//! threads, locks and blocks at its end. [`names::Names`] calls what a log shows by the names of the source. Knows nothing of hunts, reports or files of runs. The contract is
//! `docs/evidence.md`.

#![forbid(unsafe_code)]

pub mod account;
pub mod cause;
pub mod code;
pub mod event;
pub mod examine;
pub mod log;
pub mod names;
pub mod run;
pub mod signature;
pub mod state;
pub mod verdict;
pub mod why;
