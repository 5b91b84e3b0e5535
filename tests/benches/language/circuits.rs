//! A circuit of any size, of the mix that real ones have.

use hdl::{
    Bundle, Module, Sig, cat, elaborate, hardware, input, ir::Design, output, ports, reg, when,
    wire,
};

/// Bits of a value.
const WIDTH: usize = 32;

/// `stages` small stages, one behind the other: sums, comparisons, choices, registers under
/// conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct Pipeline {
    /// How many of them stand behind one another.
    pub stages: usize,
}

/// Ports of [`Pipeline`].
#[derive(Clone, Debug, Bundle)]
pub struct PipelineIo {
    /// New values come in.
    pub valid: Sig,
    /// One value.
    pub left: Sig,
    /// The other.
    pub right: Sig,
    /// What the last stage makes of them.
    pub result: Sig,
}

/// A long pipeline.
#[hardware]
impl Module for Pipeline {
    type Io = PipelineIo;

    fn name(&self) -> String {
        format!("pipeline_{}", self.stages)
    }

    fn build(&self) -> PipelineIo {
        let io = ports(PipelineIo {
            valid: input(1),
            left: input(WIDTH),
            right: input(WIDTH),
            result: output(WIDTH),
        });
        let (mut valid, mut left, mut right) = (io.valid, io.left, io.right);
        for stage in 0..self.stages {
            (valid, left, right) = one_stage(stage, valid, left, right);
        }
        io.result.set(valid.mux(left, right));
        io
    }
}

/// What a stage holds at the next clock edge, for what comes in.
#[hardware]
fn one_stage(stage: usize, valid: Sig, left: Sig, right: Sig) -> (Sig, Sig, Sig) {
    let stage_valid = reg(1).reset(0);
    /// The sum, or what stands in for it.
    let low = reg(WIDTH).reset(0);
    let high = reg(WIDTH);

    let sum = left + right;
    let rotated = cat([right.bits(..7), right.bits(7..)]);
    let smaller = left.lt(right);
    let mixed = (rotated ^ sum) + (stage as u64 & 0xffff);
    let chosen = wire(WIDTH);
    chosen.set(smaller.mux(sum, mixed));
    when(sum.bit(stage % WIDTH) & !smaller, || chosen.set(left & !mixed));

    stage_valid.set(valid);
    when(valid, || {
        low.set(chosen);
        when(smaller, || high.set(sum | 1)).otherwise(|| high.set(left));
    });
    (stage_valid, low, high)
}

/// A pipeline of about as many nodes.
pub fn pipeline(nodes: usize) -> Pipeline {
    let count = |stages| nodes_of(&elaborated(Pipeline { stages }));
    let few = count(1);
    Pipeline { stages: (nodes.saturating_sub(few) / (count(2) - few)).max(1) }
}

/// The circuit, elaborated and checked.
pub fn elaborated(module: impl Module) -> Design {
    elaborate(module).expect("a legal circuit")
}

/// Nodes of all modules.
pub fn nodes_of(design: &Design) -> usize {
    design.modules.iter().map(|module| module.nodes.len()).sum()
}
