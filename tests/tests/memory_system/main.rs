//! The memory system under traffic, without any core: data caches, tiny and fighting over few lines,
//! against the golden machine's memory, which is told of every access in the order that the hardware
//! exports.
//!
//! A failure names the seed: every run is the same again.

mod bench;
mod check;
mod coverage;
mod directed;
mod drive;
mod memory;
mod model;
mod patterns;
mod ports;
mod random;
mod request;
mod schedules;
mod speculation;
mod traffic;
mod transactions;
