//! The border between hardware, golden model, firmware and host: every number that crosses it, once.
//!
//! Addresses, window words, interrupt numbers, host calls, the parameter block and record words are data
//! here, with a type each, so that a bare number does not compile where one of them is wanted. The C header
//! of the firmware and the tables in `docs/` are generated from the same rows.
//!
//! Numbers only: what a register does is written twice, in hardware and in the golden model, and not here.
#![forbid(unsafe_code)]

#[macro_use]
mod numbered;
#[macro_use]
pub mod register;

pub mod c_header;
pub mod clint;
pub mod generated;
pub mod host_call;
pub mod interrupt;
pub mod map;
pub mod monitor;
pub mod mstatus;
pub mod parameters;
pub mod record;
pub mod tables;
pub mod uart;

pub use numbered::{Numbered, Row};
