//! Helpers shared by every program of the project.
//!
//! - [`argument`]: numbers as they are given on a command line.
//! - [`file`]: files that are written completely or not at all.
//! - [`cache`]: results stored under the hash of their inputs.
//! - [`exit`]: exit codes, and the error message of a failed command.
//! - [`random`]: the one seeded generator.
//! - [`numbers`]: numbers as text.
//! - `progress`: the bar of long commands, with the feature of that name.
//!
//! Depends on no other crate of the project.
#![forbid(unsafe_code)]

pub mod argument;
pub mod cache;
pub mod exit;
pub mod file;
pub mod numbers;
#[cfg(feature = "progress")]
pub mod progress;
pub mod random;

pub use exit::{Failure, ended, say};
pub use random::Dice;
