//! The border between hardware, golden model, firmware and host: every number that crosses it, once.
//!
//! Addresses, window words, interrupt numbers, host calls, the parameter block and record words are data
//! here, with a type each, so that a bare number does not compile where one of them is wanted. The C header
//! of the firmware and the tables in `docs/` are generated from the same rows.
//!
//! Of the machine numbers only: what a register does is written twice, in hardware and in the golden model,
//! and not here.
//!
//! Beside the numbers stands what everything that runs a program shares: a [`Program`] and its [`Settings`],
//! parsed once; the [`Target`] it runs on and how it is served there ([`tohost`]); and its [`End`].
#![forbid(unsafe_code)]

#[macro_use]
mod numbered;
#[macro_use]
pub mod register;
#[macro_use]
pub mod layout;

pub mod breakpoint;
pub mod c_header;
pub mod clint;
pub mod color;
mod end;
pub mod event;
pub mod generated;
pub mod host_call;
pub mod interrupt;
pub mod map;
pub mod monitor;
pub mod mstatus;
pub mod parameters;
mod program;
pub mod record;
mod settings;
pub mod tables;
mod target;
pub mod tohost;
pub mod uart;

pub use end::End;
pub use numbered::{Numbered, Row};
pub use parameters::{Drain, Out, Records};
pub use program::{Place, Program, ProgramError, Segment};
pub use settings::{Settings, SettingsError};
pub use target::{Doing, Stop, Target, Whereabouts};
