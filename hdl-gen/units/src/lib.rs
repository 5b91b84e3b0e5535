//! The hardware of Crosstalk, one unit a file, written in the hardware language.
//!
//! A unit is a [`hdl::Module`] whose parameters are plain Rust values; [`generate`] is the only place
//! that takes them from a configuration. A unit that the configuration switches off is not generated.
#![forbid(unsafe_code)]

mod catalog;
pub mod context_register;

pub use catalog::{GenerateError, RtlFile, generate, names};
