//! Answers measured on the validation sets: is the bug found, and is the verdict right?
//!
//! `judge` compares a verdict with the marks of a program and knows nothing of hunts; `measure` hunts one
//! program, in a trial with seeds of its own (`shifted`), unless `store` has it; `table` adds up both halves of each set, and `page` writes that
//! down with the version that was measured (`version`). `suite` is the bug suite in the same form.
#![forbid(unsafe_code)]

pub mod judge;
pub mod measure;
pub mod page;
pub mod shifted;
pub mod store;
pub mod suite;
pub mod table;
pub mod version;
