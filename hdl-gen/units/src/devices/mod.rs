//! The devices of the machine, behind one port that answers everything after one cycle.

mod clint;
mod uart;

pub use clint::{Clint, ClintIo};
pub use uart::{Uart, UartIo};
