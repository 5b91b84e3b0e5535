//! Concurrent breakpoints (docs/machine.md §12): harts meet at given instructions and go on in order.
//!
//! Two halves: [`comparators`] beside each hart find out where it stands and hold it there, and one
//! [`rendezvous`] for all harts, an observer of coherence without a port on the bus, decides who waits and who goes.

pub mod comparators;
pub mod entries;
pub mod observer;
pub mod rendezvous;

pub use comparators::Comparators;
pub use observer::Breakpoints;
pub use rendezvous::Rendezvous;
