//! One way of the data cache: tag and state of a line of every set, and what observers keep.
//!
//! They are read together with one set index, so a snoop has all of them one cycle after it gives the address. The bytes
//! of the lines are in [`Lines`](super::Lines), all ways together.

use hdl::{
    Bundle, Enum, HwEnum, Module, Sig, bits, hardware, input, lit, memory, output, ports, when,
};

use crate::geometry::Geometry;
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
    /// Tag and state in the set given in the cycle before. Undefined, as is the metadata, if that
    /// set was written in the same cycle.
    pub entry: Entry,
    /// What observers keep with that line.
    #[bundle(flat)]
    pub meta: Each<Opaque>,
    /// The set to write; valid with `write_entry` or `update_valid`.
    pub write_set: Sig,
    /// Tag and state are written at the end of this cycle.
    pub write_entry: Sig,
    /// The new tag and state; valid with `write_entry`.
    pub new_entry: Entry,
    /// What happens to the line in `write_set` in this cycle, for the observers' arrays.
    pub update: Option<LineUpdate>,
}

/// Tags, states and metadata of one way. The cache does not use a row that was read while it was
/// written; it reads the row again.
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
            meta: output(meta),
            write_set: input(set_width),
            write_entry: input(1),
            new_entry: input(entry),
            update: update.map(input),
        });

        /// Tag and state of every set's line.
        let entries = memory(geometry.sets, entry.total_width()).ignore_collisions();
        let entry_row = entries.read_sync(io.read_set, lit(1, 1));
        io.entry.drive(&entry.unpack(entry_row));
        when(io.write_entry, || entries.write(io.write_set, io.new_entry.pack()));

        if let Some(update) = &io.update {
            let kept = io.meta.iter().zip(update.meta.iter());
            for (observer, (read, update_meta)) in self.observers.keeping().zip(kept) {
                read.drive(&observer.keep(&Keeper {
                    sets: geometry.sets,
                    read_set: io.read_set,
                    write_set: io.write_set,
                    update_valid: update.valid,
                    update_cause: update.cause,
                    update_meta: update_meta.clone(),
                }));
            }
        }
        io
    }
}
