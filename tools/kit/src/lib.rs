//! What every program of the project needs once.
//!
//! - [`file`]: files that are written whole or not at all.
//! - [`cache`]: results kept under the hash of everything that decides them.
//! - [`exit`]: exit codes, and the sentence of a command that failed.
//! - [`random`]: the one seeded generator.
//! - [`numbers`]: numbers as text.
//!
//! Knows no other crate of the project.
#![forbid(unsafe_code)]

pub mod cache;
pub mod exit;
pub mod file;
pub mod numbers;
pub mod random;

pub use exit::{Failure, ended, say};
pub use random::Dice;
