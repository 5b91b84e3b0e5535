//! The machine on boards: what a board has around it, and the way from Verilog to a bitstream.
//!
//! `hardware` is written in the hardware language. What that has no words for, pins that go both ways and the
//! device's own cells, is a small file of Verilog for each board. [`Board`] knows both, and the pins.
#![forbid(unsafe_code)]

pub mod board;
pub mod chip;
pub mod flow;
pub mod hardware;
pub mod memories;
pub mod report;
mod steps;

pub use board::Board;
pub use steps::Steps;
