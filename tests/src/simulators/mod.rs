//! The simulators that must agree, behind one interface.
//!
//! A cycle is the same everywhere: inputs are applied while the clock is low, outputs are sampled
//! once everything has settled, then the clock rises.

mod cache;
mod icarus;
pub mod lint;
mod native;
mod reference;
mod verilated;
mod yosys;

pub use icarus::Icarus;
pub use native::Native;
pub use reference::Reference;
pub use verilated::Verilated;
pub use yosys::Yosys;

use std::process::Command;

use crate::pack::Subject;
use crate::stimulus::{Response, Stimulus};

/// Something that runs circuits.
pub trait Simulator: Send + Sync {
    /// What to call it in reports.
    fn name(&self) -> &'static str;

    /// The outputs for these inputs, from power-up.
    fn run(&self, subject: &Subject, stimulus: &Stimulus) -> Result<Response, String>;

    /// How many circuits may be built one by one to find the smallest that fails.
    fn patience(&self) -> usize;
}

/// Simulators to compare.
pub type Simulators = Vec<Box<dyn Simulator>>;

/// Every simulator that the reference judges; and a line for each one that is not there.
pub fn all() -> Result<(Simulators, Vec<String>), String> {
    let mut found: Vec<Box<dyn Simulator>> =
        vec![Box::new(Native), Box::new(Verilated::new()?), Box::new(Yosys::new()?)];
    let mut skipped = Vec::new();
    match Icarus::new() {
        Some(icarus) => found.push(Box::new(icarus)),
        None => skipped.push("Icarus is not on the PATH (Debian package `iverilog`)".to_owned()),
    }
    Ok((found, skipped))
}

/// Runs a command; its last words if it fails.
fn failed(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let start = said.char_indices().rev().nth(4000).map_or(0, |(at, _)| at);
    Err(format!("{:?}: {}: {}", command.get_program(), output.status, &said[start..]))
}
