//! Programs for the machine, and how they are compiled.
//!
//! [`Compiler`] calls the pinned cross-compiler and keeps what it made, by content: the same sources
//! and the same pin are compiled once. [`Runtime`] adds what an ordinary threaded C program needs:
//! boot code, drain handler, threads, C library. [`suites`] lists the programs that test the machine, [`programs`] the ordinary ones, [`bugs`]
//! those with a bug, [`validation`] those that answers are measured on, [`benchmarks`] those that measure one hart.
//! [`coremark`] compiles a person's own copy of that benchmark. [`image`] is a program as Verilog reads it.
#![forbid(unsafe_code)]

mod absent;
pub mod benchmarks;
pub mod bugs;
mod compiler;
pub mod coremark;
mod error;
pub mod flags;
mod given;
pub mod image;
mod messages;
pub mod programs;
mod runtime;
pub mod sources;
pub mod suites;
pub mod validation;

pub use compiler::{Compiler, Source};
pub use error::Error;
pub use runtime::{Build, Runtime};
