//! Concurrent breakpoints (docs/machine.md §12): harts meet at given instructions and go on in order.
//!
//! One [`rendezvous`] for all harts decides who waits and who goes; its [`entries`] are what software writes.

pub mod entries;
pub mod rendezvous;

pub use rendezvous::Rendezvous;
