//! The metadata array of a cache: for every line, who wrote it last.
//!
//! Bugaboo §4.2.2 extends every cache line by the pc and the context of its last writer. The array
//! stands beside the cache's data array and is addressed like it: the cache looks up what it
//! supplies to others, and tells what happened to a line.

use config::{Config, Update};
use hdl::{
    Bundle, Enum, HwEnum, Module, Sig, cover, hardware, index_width, input, memory, output, ports,
    when,
};

use crate::metadata::{Fields, Metadata};
pub use crate::observer::UpdateCause;

/// The metadata of all lines of one cache.
#[derive(Clone, Debug, PartialEq)]
pub struct LineMetadata {
    /// How many lines there are, at least 1.
    pub lines: usize,
    /// What is kept of a writer.
    pub fields: Fields,
    /// Which stores replace it.
    pub update: Update,
    /// A line is never looked up in the cycle of its update, or the answer is not used: what it would
    /// be need not be defined on a device. It takes logic around a block RAM to define it.
    pub apart: bool,
}

/// Ports of [`LineMetadata`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct LineMetadataIo {
    /// `lookup_line` is looked up in this cycle.
    pub lookup_valid: Sig,
    /// The number of the line to look up.
    pub lookup_line: Sig,
    /// The metadata of the line before the cycle of the lookup; valid from the next cycle until the
    /// next lookup.
    pub lookup_meta: Metadata,
    /// `update_line` is filled or written in this cycle.
    pub update_valid: Sig,
    /// The number of the line that is filled or written; valid with `update_valid`.
    pub update_line: Sig,
    /// Filled for a load (0), ReadX or Upgrade (1), store hit in E (2), store hit in M (3). The
    /// update policy decides for which of these `update_meta` is stored.
    pub update_cause: Enum<UpdateCause>,
    /// The metadata to store.
    pub update_meta: Metadata,
}

/// A row for each line, read and written in the same cycle. Not reset: a row is undefined until its
/// line is filled.
#[hardware]
impl Module for LineMetadata {
    type Io = LineMetadataIo;

    fn name(&self) -> String {
        let policy = match self.update {
            Update::Miss => "miss",
            Update::FirstWrite => "first_write",
            Update::EveryWrite => "every_write",
        };
        let apart = if self.apart { "_apart" } else { "" };
        format!("line_metadata_{}_{}_{policy}{apart}", self.lines, self.fields.tag())
    }

    fn build(&self) -> LineMetadataIo {
        let meta = self.fields.metadata();
        let line_bits = index_width(self.lines);
        let io = ports(LineMetadataIo {
            lookup_valid: input(1),
            lookup_line: input(line_bits),
            lookup_meta: output(meta),
            update_valid: input(1),
            update_line: input(line_bits),
            update_cause: input(UpdateCause::shape()),
            update_meta: input(meta),
        });

        /// The last writer of each line.
        let writers = memory(self.lines, meta.total_width());
        let writers = if self.apart { writers.ignore_collisions() } else { writers };
        let looked_up = writers.read_sync(io.lookup_line, io.lookup_valid);
        io.lookup_meta.drive(&meta.unpack(looked_up));

        let cause = io.update_cause;
        let store = match self.update {
            Update::Miss => {
                io.update_valid & (cause.is(UpdateCause::Fill) | cause.is(UpdateCause::Miss))
            }
            Update::FirstWrite => io.update_valid & !cause.is(UpdateCause::WriteHit),
            Update::EveryWrite => io.update_valid,
        };
        when(store, || writers.write(io.update_line, io.update_meta.pack()));

        cover(
            "lookup_during_update",
            io.lookup_valid & store & io.lookup_line.eq(io.update_line),
            "a line is looked up and updated in one cycle",
        );
        io
    }
}

impl LineMetadata {
    /// The array beside the data cache of a configuration. `Err` names the key that switches it off.
    pub fn from_config(config: &Config) -> Result<Self, &'static str> {
        Ok(LineMetadata {
            lines: (config.l1.data.bytes / config.l1.line) as usize,
            fields: Fields::from_config(config)?,
            update: config.metadata.update,
            apart: false,
        })
    }
}
