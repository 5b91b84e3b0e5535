//! The error type of all commands.

pub use kit::{Failure, ended};
