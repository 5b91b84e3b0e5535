//! The communication table: where edges wait until software reads them.
//!
//! Bugaboo §4.2.3. A FIFO in block RAM between the monitor, which pushes an edge whenever a line
//! moves, and a window of 32-bit registers, through which a trap handler drains it. What finds the
//! table full is dropped and counted: nothing is lost silently.

use border::monitor::Word;
use config::{Config, Overflow};
use hdl::window::{Bus, Window};
use hdl::{
    Bundle, Module, Sig, assert, assume, cat, cover, hardware, index_width, input, lit, memory,
    output, ports, reg, set_when, when, wire,
};

use crate::metadata::{Edge, Fields};
use crate::windows;

/// The unit's name in the rows of the border.
pub(crate) const UNIT: &str = "communication_table";

/// Bits of a register's word index: a window of 4 KiB.
pub const ADDRESS_BITS: usize = border::monitor::WORD_INDEX_BITS as usize;
/// Bits of a register.
pub const WORD_BITS: usize = 32;

/// Bits of the index of an entry's word.
const ENTRY_WORD_BITS: usize = 4;

/// The communication table of one hart.
#[derive(Clone, Debug, PartialEq)]
pub struct CommunicationTable {
    /// How many edges the table holds, at least 1.
    pub depth: usize,
    /// What happens to an edge while the table is full.
    pub overflow: Overflow,
    /// The fields kept of both ends of an edge.
    pub fields: Fields,
    /// Bits of the count of lost edges, 1 to 32. Machines have 32; proofs take fewer, to reach the highest
    /// count.
    pub lost_bits: usize,
}

/// Ports of [`CommunicationTable`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct CommunicationTableIo {
    /// `push_edge` is added in this cycle; while the table is full it is dropped and counted.
    pub push_valid: Sig,
    /// The edge to add; valid with `push_valid`.
    pub push_edge: Edge,
    /// The table has no free entry in this cycle, even if one is popped in it.
    pub full: Sig,
    /// The interrupt of the table, a level: it holds at least as many edges as its watermark, which
    /// is not 0.
    pub irq: Sig,
    /// The register at `address` is read in this cycle; never together with a write.
    pub read_valid: Sig,
    /// `write_data` is written to the register at `address` in this cycle.
    pub write_valid: Sig,
    /// The word index of the register; valid with `read_valid` and `write_valid`.
    pub address: Sig,
    /// The word to write; valid with `write_valid`.
    pub write_data: Sig,
    /// The word that was read; valid from the cycle after the read until the next read.
    pub read_data: Sig,
}

/// A FIFO of edges behind a window of 32-bit registers, which are listed in docs/units.md. The first
/// words show the oldest entry, zeros if there is none; the others are the state of the table.
#[hardware]
impl Module for CommunicationTable {
    type Io = CommunicationTableIo;

    fn name(&self) -> String {
        let overflow = match self.overflow {
            Overflow::Discard => "",
            Overflow::Stall => "_stall",
        };
        let lost = match self.lost_bits {
            WORD_BITS => String::new(),
            bits => format!("_l{bits}"),
        };
        format!("communication_table_{}_{}{lost}{overflow}", self.depth, self.fields.tag())
    }

    fn build(&self) -> CommunicationTableIo {
        let edge = self.fields.edge();
        let count_bits = index_width(self.depth + 1);
        let io = ports(CommunicationTableIo {
            push_valid: input(1),
            push_edge: input(edge),
            full: output(1),
            irq: output(1),
            read_valid: input(1),
            write_valid: input(1),
            address: input(ADDRESS_BITS),
            write_data: input(WORD_BITS),
            read_data: output(WORD_BITS),
        });

        let CommunicationTableIo { read_valid, write_valid, address, write_data, .. } = io;
        let bus = Bus { read_valid, write_valid, address, write_data };
        let rows = windows::monitor_rows(UNIT, self.depth);
        let mut registers = Window::new(rows, Word::number, bus);

        let entries = memory(self.depth, edge.total_width()).ignore_collisions();
        /// The row of the oldest entry.
        let head = reg(entries.addr_width()).reset(0);
        /// The row that the next edge is written to.
        let tail = reg(entries.addr_width()).reset(0);
        /// Entries in the table.
        let count = reg(count_bits).reset(0);
        /// Edges dropped since the last clear; stays at its maximum.
        let lost = reg(self.lost_bits).reset(0);
        /// Interrupt threshold, in entries; 0 disables the interrupt.
        let watermark = reg(count_bits).reset(registers.reset(Word::TableWatermark));

        io.full.set(count.eq(self.depth));
        io.irq.set(watermark.ne(0) & count.ge(watermark));

        let empty = count.eq(0);
        let full = io.full;
        let store = io.push_valid & !full;
        let discard = io.push_valid & full;
        let pop = registers.is_read(Word::KindAndHarts) & !empty;
        let clear =
            registers.written(Word::TableControl) & io.write_data.bit(Word::CLEAR.low as usize);

        let pushed = io.push_edge.pack();
        when(store, || {
            entries.write(tail, pushed);
            tail.set(tail.next_in(self.depth));
        });
        set_when(pop, head, head.next_in(self.depth));
        when(store & !pop, || count.set(count + 1)).elsewhen(pop & !store, || count.set(count - 1));
        set_when(discard, lost, lost.saturating_next());
        when(clear, || {
            head.set(0);
            tail.set(0);
            count.set(0);
            lost.set(0);
        });
        registers.keep(Word::TableWatermark, watermark);
        registers.read(Word::TableCount, count);
        registers.read(Word::TableLost, lost);

        // A read takes a copy of all it may show, so that the answer stays while the table moves on.
        /// The oldest entry at the last read.
        let oldest = entries.read_sync(head, io.read_valid);
        /// The last read was of a word of an entry, and the table was not empty.
        let entry_read = reg(1).reset(0);
        /// The number of the word that was read last.
        let entry_word = reg(ENTRY_WORD_BITS).reset(0);
        /// What the last read found in a register of the table's state; 0 if it read another word.
        let register_data = reg(WORD_BITS).reset(0);
        when(io.read_valid, || {
            entry_read.set(io.address.lt(1 << ENTRY_WORD_BITS) & !empty);
            entry_word.set(io.address.trunc(ENTRY_WORD_BITS));
            registers.show(register_data);
        });

        /// The word of the oldest entry that was read last.
        let entry_data = wire(WORD_BITS);
        entry_data.set(0);
        let shown = edge.unpack(oldest);
        for (word, value) in entry_words(&shown) {
            match value {
                Some(value) => registers.read_later(word, low(value, WORD_BITS)),
                None => registers.omit(word),
            }
        }
        registers.show_later(entry_word, entry_data);
        io.read_data.set(entry_read.mux(entry_data, register_data));

        assume(
            "read_and_write_apart",
            !(io.read_valid & io.write_valid),
            "a register is not read and written in one cycle",
        );
        match self.overflow {
            Overflow::Stall => {
                assume("waits_while_full", !discard, "no edge comes while the table is full");
            }
            Overflow::Discard => cover(
                "discard_and_pop_together",
                discard & pop,
                "an edge is dropped as another one goes",
            ),
        }
        assert("count_within_depth", count.le(self.depth), "never more entries than places");
        if 1 << head.width() != self.depth {
            assert("head_within_depth", head.lt(self.depth), "the oldest entry has a place");
            assert("tail_within_depth", tail.lt(self.depth), "the next edge has a place");
        }
        /// The row after the newest entry, before wrapping around.
        let reach = head.zext(count_bits + 1) + count.zext(count_bits + 1);
        let around_end = reach.ge(self.depth);
        let expected_tail = around_end.mux(reach - lit(reach.width(), self.depth), reach);
        assert(
            "entries_from_head_to_tail",
            expected_tail.eq(tail.zext(reach.width())),
            "the pointers are as far apart as there are entries",
        );
        // A single place is never filled and read in one cycle.
        if self.depth > 1 {
            when(store & io.read_valid & !empty, || {
                assert("reads_no_row_being_written", head.ne(tail), "collisions can be ignored");
            });
        }
        cover("reaches_full", full, "the table can fill up");
        cover("store_and_pop_together", store & pop, "an edge comes as another one goes");
        cover(
            "clear_and_push_together",
            clear & io.push_valid,
            "an edge comes as the table is cleared",
        );
        io
    }
}

impl CommunicationTable {
    /// The table of a configuration. `Err` names the key that switches it off.
    pub fn from_config(config: &Config) -> Result<Self, &'static str> {
        Ok(CommunicationTable {
            depth: config.ct.depth as usize,
            overflow: config.ct.overflow,
            fields: Fields::from_config(config)?,
            lost_bits: WORD_BITS,
        })
    }
}

/// What each word of an entry shows; `None` if this table does not keep it.
#[hardware]
fn entry_words(edge: &Edge) -> [(Word, Option<Sig>); 9] {
    let Edge { source, sink, kind } = edge;
    let parts = [(Some(kind.sig()), 16), (source.hart, 8), (sink.hart, 8)].into_iter();
    let kind_and_harts = cat(parts.flat_map(|(value, width)| padded(value, width)));
    [
        (Word::SourcePc, Some(source.pc)),
        (Word::SinkPc, Some(sink.pc)),
        (Word::SourceContext, Some(source.ctx)),
        (Word::SinkContext, Some(sink.ctx)),
        (Word::SourceTime, source.time),
        (Word::SinkTime, sink.time),
        (Word::KindAndHarts, Some(kind_and_harts)),
        (Word::SourcePcUpper, upper(source.pc)),
        (Word::SinkPcUpper, upper(sink.pc)),
    ]
}

/// `value` in `width` bits, as parts to concatenate.
#[track_caller]
fn padded(value: Option<Sig>, width: usize) -> Vec<Sig> {
    match value {
        None => vec![lit(width, 0)],
        Some(value) if value.width() < width => vec![lit(width - value.width(), 0), value],
        Some(value) => vec![value.trunc(width)],
    }
}

/// `value` in `width` bits: the low ones, or with zeros on top.
#[track_caller]
fn low(value: Sig, width: usize) -> Sig {
    if value.width() > width { value.trunc(width) } else { value.zext(width) }
}

/// The bits that the first word of `value` does not show.
#[track_caller]
pub(crate) fn upper(value: Sig) -> Option<Sig> {
    (value.width() > WORD_BITS).then(|| value.bits(WORD_BITS..))
}
