//! What the benchmarks share: their command line, taking times, and saying what they were.
#![forbid(unsafe_code)]

pub mod command;
pub mod report;
pub mod timing;
