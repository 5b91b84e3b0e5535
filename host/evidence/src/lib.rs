//! Exact evidence: what threads did to which variable, in which order, and why that failed.
//!
//! ```text
//! golden machine ──Witness──► log (events of one run) ──► facts of a run ──► patterns over runs ──► cause
//! ```
//!
//! Knows nothing of hunts, reports or files of runs.

#![forbid(unsafe_code)]

pub mod event;
