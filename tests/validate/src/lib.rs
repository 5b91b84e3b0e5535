//! Answers measured on the validation set: is the bug found, and is the verdict right?
//!
//! `judge` compares a verdict with the marks of a program and knows nothing of hunts; `measure` hunts one
//! program; `table` adds up both halves of the set, and `page` writes that down.
#![forbid(unsafe_code)]

pub mod judge;
pub mod measure;
pub mod page;
pub mod table;
