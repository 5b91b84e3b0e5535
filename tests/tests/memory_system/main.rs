//! The memory system under random traffic, without any core: data caches, tiny and fighting over few
//! lines, against a plain map of words and lists of lines.
//!
//! A failure names the seed: every run is the same again.

mod bench;
mod devices;
mod dice;
mod directed;
mod memory;
mod ports;
mod random;
mod reference;
mod schedules;
mod traffic;
