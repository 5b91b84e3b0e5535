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

use crate::pack::Subject;
use crate::stimulus::{Response, Stimulus};

/// Something that runs circuits.
pub trait Simulator {
    /// What to call it in reports.
    fn name(&self) -> &'static str;

    /// The outputs for these inputs, from power-up.
    fn run(&self, subject: &Subject, stimulus: &Stimulus) -> Result<Response, String>;

    /// How many circuits may be built one by one to find the smallest that fails.
    fn patience(&self) -> usize;
}

/// Every simulator there is, the reference first; and a line for each one that is not there.
pub fn all() -> Result<(Vec<Box<dyn Simulator>>, Vec<String>), String> {
    let mut found: Vec<Box<dyn Simulator>> = vec![
        Box::new(Reference),
        Box::new(Native),
        Box::new(Verilated::new()?),
        Box::new(Yosys::new()?),
    ];
    let mut skipped = Vec::new();
    match Icarus::new() {
        Some(icarus) => found.push(Box::new(icarus)),
        None => skipped.push("Icarus is not on the PATH (Debian package `iverilog`)".to_owned()),
    }
    Ok((found, skipped))
}
