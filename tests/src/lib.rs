//! Tests and benchmarks that cross crates.
//!
//! The library holds what they share: random circuits ([`circuit`]), packed many to a design
//! ([`pack`]), driven by the same stimulus ([`stimulus`]) in every simulator there is
//! ([`simulators`]), and compared ([`differ`]); chance that is the same for ever ([`dice`]); and programs
//! on whole machines ([`machine`]).

#![forbid(unsafe_code)]

pub mod circuit;
pub mod differ;
pub mod machine;
pub mod pack;
pub mod simulators;
pub mod stimulus;
