//! Branch prediction: a small table of branches and jumps that were taken lately.

use hdl::{
    Bundle, Module, Sig, bits, cat, hardware, index_width, input, lit, memory, output, ports, reg,
    set_when, when,
};

/// Bits of an entry's tag. A pc that looks like another's costs a wrong guess, nothing more: what
/// was guessed is checked when the instruction is executed.
const TAG_BITS: usize = 10;

/// The branch predictor.
#[derive(Clone, Debug, PartialEq)]
pub struct BranchPredictor {
    /// Entries, a power of two, at least 2.
    pub entries: usize,
}

/// What the table knew of a pc; travels with the instruction to where the table is updated.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Prediction {
    /// The pc is in the table of the branch predictor.
    pub known: Sig,
    /// A saturating count of how often the branch was taken lately, 0 to 3; 2 and 3 predict taken.
    /// Valid with `known`.
    pub strength: Sig,
}

impl Prediction {
    /// Its shape.
    pub fn shape() -> Prediction {
        Prediction { known: bits(1), strength: bits(2) }
    }
}

/// What an instruction did, for the table: a cycle later, since the table is in no hurry.
#[derive(Clone, Copy, Debug, Bundle)]
struct Update {
    pc: Sig,
    prediction: Prediction,
    branches: Sig,
    always: Sig,
    taken: Sig,
    target: Sig,
}

impl Update {
    fn shape() -> Update {
        Update {
            pc: bits(32),
            prediction: Prediction::shape(),
            branches: bits(1),
            always: bits(1),
            taken: bits(1),
            target: bits(32),
        }
    }
}

/// Ports of [`BranchPredictor`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct BranchPredictorIo {
    /// The pc to look up.
    pub pc: Sig,
    /// The table's entry for `pc`, to be given back with the update.
    pub prediction: Prediction,
    /// The instruction at `pc` is predicted to jump to `target`.
    pub taken: Sig,
    /// The predicted target; valid with `taken`.
    pub target: Sig,
    /// An instruction was executed: the table is updated with the other `update` signals.
    pub update_valid: Sig,
    /// The pc of the executed instruction.
    pub update_pc: Sig,
    /// What `prediction` was when the executed instruction was fetched.
    pub update_prediction: Prediction,
    /// The executed instruction is a branch or jump.
    pub update_branches: Sig,
    /// The executed instruction is a jump, which is always taken.
    pub update_always: Sig,
    /// The executed branch or jump was taken.
    pub update_taken: Sig,
    /// The target of the executed branch or jump; valid with `update_taken`.
    pub update_target: Sig,
}

/// Direct-mapped, with a two-bit counter per entry. An entry is made when a branch is first taken
/// and dropped when its pc turns out not to branch.
#[hardware]
impl Module for BranchPredictor {
    type Io = BranchPredictorIo;

    fn name(&self) -> String {
        format!("branch_predictor_{}", self.entries)
    }

    fn build(&self) -> BranchPredictorIo {
        let io = ports(BranchPredictorIo {
            pc: input(32),
            prediction: output(Prediction::shape()),
            taken: output(1),
            target: output(32),
            update_valid: input(1),
            update_pc: input(32),
            update_prediction: input(Prediction::shape()),
            update_branches: input(1),
            update_always: input(1),
            update_taken: input(1),
            update_target: input(32),
        });
        let index_bits = index_width(self.entries);
        let index_of = |pc: Sig| pc.bits(2..2 + index_bits);
        let tag_of = |pc: Sig| pc.bits(2 + index_bits..2 + index_bits + TAG_BITS);

        // After reset the entries are made invalid, one in a cycle. A flag for each in registers would have to
        // be chosen before it is known whether an entry fits.
        /// The entries are being made invalid after reset.
        let clearing = reg(1).reset(1);
        let clear_index = reg(index_bits).reset(0);
        clear_index.set(clear_index + 1);
        set_when(clear_index.eq(self.entries - 1), clearing, 0);
        /// Of each entry: whether it is valid (top bit), and bits of its pc.
        let tags = memory(self.entries, 1 + TAG_BITS);
        let strengths = memory(self.entries, 2);
        /// Targets without their low two bits, which are zero.
        let targets = memory(self.entries, 30);

        let index = index_of(io.pc);
        let known = !clearing & tags.read_async(index).eq(cat([lit(1, 1), tag_of(io.pc)]));
        let strength = strengths.read_async(index);
        io.prediction.known.set(known);
        io.prediction.strength.set(strength);
        io.taken.set(known & strength.bit(1));
        io.target.set(cat([targets.read_async(index), lit(2, 0)]));

        // A counter moves one step towards what happened; a new entry starts in the middle.
        /// An instruction was executed in the cycle before.
        let executed = reg(1).reset(0);
        /// The update of the cycle before.
        let update = reg(Update::shape());
        executed.set(io.update_valid);
        update.pc.set(io.update_pc);
        update.prediction.drive(&io.update_prediction);
        update.branches.set(io.update_branches);
        update.always.set(io.update_always);
        update.taken.set(io.update_taken);
        update.target.set(io.update_target);
        let old = update.prediction;
        let stronger = old.strength.all().mux(old.strength, old.strength + 1);
        let weaker = old.strength.any().mux(old.strength - 1, old.strength);
        let counted = old.known.mux(update.taken.mux(stronger, weaker), 2);
        let update_index = index_of(update.pc);
        let learns = executed & update.branches & (update.taken | old.known);
        let forgets = executed & !update.branches & old.known;
        let tag_row = cat([learns & !clearing, tag_of(update.pc)]);
        when(clearing | learns | forgets, || {
            tags.write(clearing.mux(clear_index, update_index), tag_row);
        });
        when(learns, || strengths.write(update_index, update.always.mux(lit(2, 3), counted)));
        when(executed & update.branches & update.taken, || {
            targets.write(update_index, update.target.bits(2..));
        });
        io
    }
}
