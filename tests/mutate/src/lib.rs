//! Mutants of the generated Verilog: do the tests of the units notice mistakes?
//!
//! Yosys makes hundreds of small changes to a unit, all in one model with an input that selects one
//! ([`netlist`]). Each is put in the place of the unit under the unit's own co-simulation tests
//! ([`trial`]). A mutant that no test notices is either proved equivalent ([`equivalence`])
//! or shows a hole in the tests, and is reported with its line ([`report`]).
#![forbid(unsafe_code)]

pub mod campaign;
pub mod equivalence;
mod files;
pub mod model;
pub mod mutant;
pub mod netlist;
pub mod place;
pub mod report;
mod rows;
mod solver;
pub mod targets;
pub mod trial;
mod verdicts;
