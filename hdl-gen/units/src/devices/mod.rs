//! The devices of the machine. Each sees every device access, and answers those to its own window in the next cycle.

mod clint;
mod uart;

pub use clint::{Clint, ClintIo};
pub use uart::{Uart, UartIo};
