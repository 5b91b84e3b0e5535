//! Programs with firmware and runtime on the golden machine.

mod absent;
mod alone;
mod benchmarks;
mod colors;
mod common;
mod counted;
mod drain;
mod endings;
mod given;
mod layout;
mod levels;
mod ordinary;
mod programs;
mod protection;
mod reproducible;
mod threads;
mod waiting;
