//! How a command ends when it does not end well: as all of the project's do.

pub use kit::{Failure, ended};
