//! One way of the data cache: a line of every set, with its tag, state and what observers keep.
//!
//! Tag, state, bytes and metadata of a line are read together with one set index, so a snoop has all of them one cycle
//! after it gives the address.

use hdl::{
    Bundle, Enum, HwEnum, Module, Sig, array, bits, cat, hardware, input, lit, memory, output,
    ports, when,
};

use crate::geometry::{Geometry, WORD_BITS};
use crate::observer::{Each, Keeper, LineUpdate, Observers, Opaque, UpdateCause};

/// What a cache may do with a line. Invalid is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum Mesi {
    /// Nothing: the cache does not hold the line.
    Invalid,
    /// Read it. Other caches may hold it too.
    Shared,
    /// Read it, and write it without a transaction: no other cache holds it. Memory has the same bytes.
    Exclusive,
    /// As Exclusive, but memory is out of date.
    Modified,
}

/// Tag and state of a line.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Entry {
    /// Invalid (0), Shared (1), Exclusive (2) or Modified (3).
    pub state: Enum<Mesi>,
    /// The address bits above the set index.
    pub tag: Sig,
}

/// One way.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// The cache it is part of.
    pub geometry: Geometry,
    /// The features that keep something with every line.
    pub observers: Observers,
}

/// Ports of [`Way`].
#[derive(Clone, Debug, Bundle)]
pub struct WayIo {
    /// The set to read; sampled in every cycle.
    pub read_set: Sig,
    /// Tag and state of the set given in the cycle before. Undefined, as are `line` and `meta`, if that set was written
    /// in the same cycle.
    pub entry: Entry,
    /// The bytes of that line.
    pub line: Sig,
    /// What observers keep with that line.
    #[bundle(flat)]
    pub meta: Each<Opaque>,
    /// The set to write; valid with `write_entry`, any bit of `write_bytes`, or `update.valid`.
    pub write_set: Sig,
    /// Tag and state are written at the end of this cycle.
    pub write_entry: Sig,
    /// The new tag and state; valid with `write_entry`.
    pub new_entry: Entry,
    /// The bytes that are written at the end of this cycle, a bit each.
    pub write_bytes: Sig,
    /// The new bytes, each in its place in the line; valid where `write_bytes` is 1.
    pub new_line: Sig,
    /// What happens to the line in `write_set` in this cycle, for the observers' arrays.
    pub update: Option<LineUpdate>,
}

/// Tags and states, a bank of block RAM for every word of a line, and the metadata array. The cache does not use a row
/// that it read while it was written; it reads it again.
#[hardware]
impl Module for Way {
    type Io = WayIo;

    fn name(&self) -> String {
        let Geometry { sets, line, .. } = self.geometry;
        let tag = self.geometry.tag_bits();
        format!("l1_data_way_{sets}x{line}_{tag}{}", self.observers.tag())
    }

    fn build(&self) -> WayIo {
        let geometry = self.geometry;
        let set_width = geometry.set_width();
        let line_bits = geometry.line_bits();
        let entry = Entry { state: Mesi::shape(), tag: bits(geometry.tag_bits()) };
        let meta = self.observers.line();
        let update = (!meta.is_empty()).then(|| LineUpdate {
            valid: bits(1),
            cause: UpdateCause::shape(),
            meta: meta.clone(),
        });
        let io = ports(WayIo {
            read_set: input(set_width),
            entry: output(entry),
            line: output(line_bits),
            meta: output(meta),
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

        if let Some(update) = &io.update {
            let kept = io.meta.iter().zip(update.meta.iter());
            for (observer, (read, update_meta)) in self.observers.keeping().zip(kept) {
                read.drive(&observer.keep(&Keeper {
                    sets: geometry.sets,
                    read_set: io.read_set,
                    write_set: io.write_set,
                    write_bytes: io.write_bytes,
                    update_valid: update.valid,
                    update_cause: update.cause,
                    update_meta: update_meta.clone(),
                }));
            }
        }
        io
    }
}
