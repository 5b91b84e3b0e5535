//! One way of the data cache: a line of every set, with its tag, state and metadata.
//!
//! Everything about a line is read with one address in one cycle, so that a snoop knows at once who
//! holds a line, in which state, with which bytes and written by whom.

use config::Update;
use hdl::{
    Bundle, Enum, HwEnum, Module, Sig, array, bits, cat, hardware, input, lit, memory, output,
    ports, when,
};

use crate::geometry::{Geometry, WORD_BITS};
use crate::line_metadata::{LineMetadata, UpdateCause};
use crate::metadata::{Fields, Metadata};

/// What a cache may do with a line. Invalid is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum Mesi {
    /// Nothing: it is not here.
    Invalid,
    /// Read it; others may hold it too.
    Shared,
    /// Read it, and write it without asking: no other holds it.
    Exclusive,
    /// As Exclusive, and memory has not got the bytes.
    Modified,
}

/// What is known of a line beside its bytes.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Entry {
    /// Invalid (0), Shared (1), Exclusive (2) or Modified (3).
    pub state: Enum<Mesi>,
    /// Which line of all that share the set.
    pub tag: Sig,
}

/// What happens to a line's metadata.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct MetadataUpdate {
    /// Something happens.
    pub valid: Sig,
    /// Why.
    pub cause: Enum<UpdateCause>,
    /// The writer.
    pub meta: Metadata,
}

/// What a cache remembers of writers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriterMemory {
    /// What of each.
    pub fields: Fields,
    /// Which stores count.
    pub update: Update,
}

impl WriterMemory {
    /// As a configuration has it; none without the monitor.
    pub fn from_config(config: &config::Config) -> Option<WriterMemory> {
        let fields = Fields::from_config(config).ok()?;
        Some(WriterMemory { fields, update: config.metadata.update })
    }

    /// Whether a hit can change what is remembered.
    pub(crate) fn hits_mark(self) -> bool {
        self.update != Update::Miss
    }

    /// The part of a module's name that says what is remembered.
    pub(crate) fn tag_text(this: Option<WriterMemory>) -> String {
        match this {
            None => String::new(),
            Some(WriterMemory { fields, update }) => {
                let update = match update {
                    Update::Miss => "",
                    Update::FirstWrite => "_first_write",
                    Update::EveryWrite => "_every_write",
                };
                format!("_{}{update}", fields.tag())
            }
        }
    }
}

/// One way.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// The cache it is part of.
    pub geometry: Geometry,
    /// What is remembered of writers; `None`: nothing.
    pub writers: Option<WriterMemory>,
}

/// Ports of [`Way`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct WayIo {
    /// The set that is read.
    pub read_set: Sig,
    /// What was read in the cycle before.
    pub entry: Entry,
    /// The bytes that were read.
    pub line: Sig,
    /// The writer that was read.
    pub meta: Option<Metadata>,
    /// The set that is written.
    pub write_set: Sig,
    /// Writes tag and state.
    pub write_entry: Sig,
    /// Tag and state.
    pub new_entry: Entry,
    /// Which bytes are written.
    pub write_bytes: Sig,
    /// The bytes, in their places.
    pub new_line: Sig,
    /// What happens to the metadata.
    pub update: Option<MetadataUpdate>,
}

/// Tags and states, a bank of block RAM for every word of a line, and the metadata array. A row that
/// is read while it is written is not to be used: the cache reads it again.
#[hardware]
impl Module for Way {
    type Io = WayIo;

    fn name(&self) -> String {
        let Geometry { sets, line, .. } = self.geometry;
        let tag = self.geometry.tag_bits();
        format!("l1_data_way_{sets}x{line}_{tag}{}", WriterMemory::tag_text(self.writers))
    }

    fn build(&self) -> WayIo {
        let geometry = self.geometry;
        let set_width = geometry.set_width();
        let line_bits = geometry.line_bits();
        let entry = Entry { state: Mesi::shape(), tag: bits(geometry.tag_bits()) };
        let meta = self.writers.map(|writers| writers.fields.metadata());
        let update =
            meta.map(|meta| MetadataUpdate { valid: bits(1), cause: UpdateCause::shape(), meta });
        let io = ports(WayIo {
            read_set: input(set_width),
            entry: output(entry),
            line: output(line_bits),
            meta: meta.map(output),
            write_set: input(set_width),
            write_entry: input(1),
            new_entry: input(entry),
            write_bytes: input(geometry.line),
            new_line: input(line_bits),
            update: update.map(input),
        });

        /// Tag and state of every set's line.
        let entries = memory(geometry.sets, entry.total_width()).ignore_collisions();
        let entry_row = entries.read_sync(io.read_set, lit(1, 1));
        io.entry.drive(&entry.unpack(entry_row));
        when(io.write_entry, || entries.write(io.write_set, io.new_entry.pack()));

        // A bank a word: a read beside a write of another word of the line is not disturbed.
        let banks = array(geometry.words(), |word| {
            let bank = memory(geometry.sets, WORD_BITS).ignore_collisions();
            let low = word * WORD_BITS;
            let mask = io.write_bytes.bits(low / 8..low / 8 + WORD_BITS / 8);
            let data = io.new_line.bits(low..low + WORD_BITS);
            when(mask.any(), || bank.write_masked(io.write_set, data, mask));
            let row = bank.read_sync(io.read_set, lit(1, 1));
            row
        });
        io.line.set(cat(banks.into_iter().rev()));

        if let (Some(writers), Some(meta), Some(update)) = (self.writers, io.meta, io.update) {
            let line_metadata = LineMetadata {
                lines: geometry.sets,
                fields: writers.fields,
                update: writers.update,
                apart: true,
            }
            .instance();
            line_metadata.lookup_valid.set(1);
            line_metadata.lookup_line.set(io.read_set);
            meta.drive(&line_metadata.lookup_meta);
            line_metadata.update_valid.set(update.valid);
            line_metadata.update_line.set(io.write_set);
            line_metadata.update_cause.set_from(update.cause);
            line_metadata.update_meta.drive(&update.meta);
        }
        io
    }
}
