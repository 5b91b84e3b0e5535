//! Answers measured on the validation sets: is the bug found, and is the verdict right?
//!
//! `judge` compares a verdict with the marks of a program and knows nothing of hunts; `measure` hunts one
//! program, in a trial with seeds of its own, unless `store` has it; `table` adds up both halves of each set, and `page` writes that
//! down with the version that was measured (`version`). `suite` is the bug suite in the same form. `last_writers` asks `why` about the bugs of
//! Last Writer Slices, and puts the answers beside the paper's table; `breakpoints` has `repro` prove the causes of the suite's bugs.
#![forbid(unsafe_code)]

pub mod breakpoints;
pub mod judge;
pub mod last_writers;
pub mod measure;
pub mod page;
pub mod store;
pub mod suite;
pub mod table;
pub mod version;
