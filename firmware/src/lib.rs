//! Programs for the machine, and how they are compiled.
//!
//! [`Compiler`] calls the pinned cross-compiler and keeps what it made, by content: the same sources
//! and the same pin are compiled once. [`suites`] lists the programs that test the machine.
#![forbid(unsafe_code)]

mod compiler;
mod error;
pub mod suites;

pub use compiler::{Compiler, Source};
pub use error::Error;
