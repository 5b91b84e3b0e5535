//! Concurrent breakpoints (docs/machine.md §12): entries, who arrives, who meets whom.
//!
//! [`Table`] has the registers, [`Next::at`] compares an instruction with them, [`Rendezvous`] decides who waits and who goes, a cycle
//! at a time; [`Breakpoints`] joins them for a machine whose harts execute whole instructions.

mod comparator;
mod rendezvous;
mod table;
mod unit;

pub use comparator::{At, Next};
pub use rendezvous::{Events, Heard, Rendezvous};
pub use table::{Entry, Party, Table};
pub use unit::{Breakpoints, Happened, Written};

#[cfg(test)]
mod tests;
