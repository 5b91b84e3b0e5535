//! Mistakes that proofs must notice, each a change of one line of the generated Verilog.
//!
//! A proof that cannot fail shows nothing. `cargo xtask prove --mistakes` makes each of these in turn
//! and asks its proof for a run from reset that breaks the property.

mod coherence;
mod monitor;
mod rendezvous;
mod turns;

use std::ops::Range;

use super::Proof;

/// One mistake.
#[derive(Clone, Copy, Debug)]
pub struct Mistake {
    /// The proof that must notice it.
    pub proof: &'static str,
    /// What is wrong, in words.
    pub what: &'static str,
    /// How the name of the module that has it begins.
    pub module: &'static str,
    /// A piece of the module's Verilog, there once.
    pub was: &'static str,
    /// What stands there instead.
    pub becomes: &'static str,
    /// How the name of the property that must fail begins.
    pub fails: &'static str,
    /// The cycle in which to look for it, if not in every one from reset on. A run that is long is found sooner when
    /// the shorter ones need not be ruled out first.
    pub cycle: Option<u32>,
}

impl Mistake {
    /// The cycles in which to look for it.
    pub fn cycles(&self, proof: &Proof) -> Range<u32> {
        self.cycle.map_or(0..proof.cover_depth, |cycle| cycle..cycle + 1)
    }
}

/// All of them, in the order of the proofs.
pub fn all_mistakes() -> impl Iterator<Item = &'static Mistake> {
    [monitor::MISTAKES, turns::MISTAKES, rendezvous::MISTAKES, coherence::MISTAKES]
        .into_iter()
        .flatten()
}
