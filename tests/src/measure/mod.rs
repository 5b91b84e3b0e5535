//! What the benchmarks share: taking times, and saying what they were.

pub mod report;
pub mod timing;
