//! The compiled circuit: what to compute, where it is stored and what a clock edge does.

use super::execute::execute;
use super::kernel::{Context, Group, Record, Rows};

/// Groups to run in order, once or until nothing changes.
#[derive(Debug)]
pub(super) struct Block {
    /// First and one past the last group.
    pub groups: (u32, u32),
    /// Values that groups of this block read before they are computed: copied back after each
    /// round. Empty for nearly all blocks, which run once.
    pub feedback: Vec<Feedback>,
    /// Rounds after which a block without a combinational loop is stable.
    pub rounds: u64,
}

/// A value that is read a round later than it is computed.
#[derive(Debug)]
pub(super) struct Feedback {
    pub computed: u32,
    pub read: u32,
    pub words: u32,
}

/// A write port of a memory, by places.
pub(super) struct WritePort {
    pub memory: u32,
    pub enable: Option<u32>,
    pub addr: u32,
    pub data: u32,
    /// Place of the mask, and bits a lane.
    pub mask: Option<(u32, u32)>,
    pub width: u32,
}

/// Everything that does not change while a simulation runs.
pub(super) struct Program {
    /// What the design does needs.
    pub hot: Vec<Block>,
    /// What only an onlooker needs.
    pub cold: Vec<Block>,
    pub groups: Vec<Group>,
    pub records: Vec<Record>,
    pub tables: Vec<u32>,
    pub memories: Vec<Rows>,
    /// Values from this place on are computed by `cold`.
    pub first_cold: u32,
    /// For each word of state, which lies at the very beginning, the place of its next value.
    pub next: Vec<u32>,
    /// Places and values that reset puts in place.
    pub resets: Vec<(u32, u64)>,
    pub writes: Vec<WritePort>,
    /// The place of each property's bit.
    pub fires: Vec<u32>,
    /// For each value of the source its place.
    pub places: Vec<u32>,
}

impl Program {
    /// Computes the values of `blocks`.
    pub fn run(&self, blocks: &[Block], words: &mut [u64], contents: &[u64]) {
        let context = Context { memories: &self.memories, contents, tables: &self.tables };
        for block in blocks {
            let groups = &self.groups[block.groups.0 as usize..block.groups.1 as usize];
            self.round(groups, words, &context);
            let mut rounds = 1;
            while copy_back(&block.feedback, words) {
                assert!(rounds <= block.rounds, "hdl: a combinational loop does not settle");
                self.round(groups, words, &context);
                rounds += 1;
            }
        }
    }

    fn round(&self, groups: &[Group], words: &mut [u64], context: &Context<'_>) {
        for group in groups {
            let start = group.start as usize;
            let records = &self.records[start..start + group.len as usize];
            execute(group, records, words, context);
        }
    }
}

/// Moves computed values to where they are read; says whether any was different.
fn copy_back(feedback: &[Feedback], words: &mut [u64]) -> bool {
    let mut changed = false;
    for value in feedback {
        let computed = value.computed as usize..(value.computed + value.words) as usize;
        let read = value.read as usize;
        if words[computed.clone()] != words[read..read + value.words as usize] {
            words.copy_within(computed, read);
            changed = true;
        }
    }
    changed
}
