//! The papers' tables, measured again on the bug suite.
//!
//! ```text
//! bugs ──► collect ──► Collection ──► measure ──► Measured ──► tables, plots ──► page (docs/results.md)
//!          hunt, then   runs as BB-HW     with marks   plain data    beside `published`
//!          BB-SW on     and BB-SW saw     (`evaluate`)
//!          the same order   them
//! ```
//!
//! Runs are collected once and kept by content below `target/paper`; everything after that is computed
//! from them in seconds. No figure of ours is written by hand anywhere.
#![forbid(unsafe_code)]

pub mod collect;
pub mod collection;
mod error;
pub mod evaluate;
pub mod exact;
pub mod fixed;
pub mod graphs;
pub mod known;
mod markdown;
pub mod measure;
pub mod measured;
pub mod page;
pub mod plot;
pub mod published;
pub mod tables;

pub use error::{Error, io};
