//! From runs to answers: the papers' worked examples, laws that must hold, what commands print.

#[path = "../../record/tests/runs/samples.rs"]
#[allow(dead_code)]
mod samples;
#[path = "../support/mod.rs"]
mod support;

mod bugaboo_figures;
mod code_points;
mod commands;
mod field;
mod formats;
mod fst;
mod inspections;
mod laws;
mod memory;
mod outputs;
mod recon_figures;
mod run;
mod stopped;
mod strength;
