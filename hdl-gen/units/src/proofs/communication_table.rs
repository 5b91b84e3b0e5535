//! The communication table: order kept, nothing invented, nothing lost uncounted.
//!
//! The proof counts for itself what waits in the table and what was dropped, and follows one edge,
//! whichever the solver likes, from its push to its pop. As every edge can be the one, each is shown
//! after exactly those before it, as it was pushed. Whatever the table shows with `n` edges taken out
//! is the edge that was pushed as number n + 1, so nothing is shown that was not pushed.

use border::monitor::Word;
use config::Overflow;
use hdl::{
    Bundle, Module, Sig, assert, cat, cover, hardware, index_width, input, lit, ports, reg, select,
    set_when, when,
};

use super::any::{memory, signal};
use crate::communication_table::{CommunicationTable, CommunicationTableIo, WORD_BITS};
use crate::metadata::{Edge, Fields};

const FIELDS: Fields = Fields { pc_bits: 2, events: 1, hart_bits: 1, time_bits: 1 };
/// Words of the window that show an entry.
const ENTRY_WORDS: usize = 16;
/// Bits of an exact count of what was dropped: it has room beyond the saturated one.
const EXACT_BITS: usize = WORD_BITS + 2;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct TableProof {
    pub depth: usize,
    pub overflow: Overflow,
}

/// What the solver chooses besides the unit's inputs.
#[derive(Clone, Copy, Debug, Bundle)]
pub(super) struct Choice {
    /// The edge pushed in this cycle is followed, if none is followed yet.
    follow: Sig,
}

/// Follows any one edge through the table.
#[hardware]
impl Module for TableProof {
    type Io = (CommunicationTableIo, Choice);

    fn name(&self) -> String {
        format!("prove_{}", self.unit().name())
    }

    fn build(&self) -> (CommunicationTableIo, Choice) {
        let depth = self.depth;
        let count_bits = index_width(depth + 1);
        let io = self.unit().build();
        let choice = ports(Choice { follow: input(1) });

        // What should happen, from docs/units.md.
        /// Edges in the table.
        let waiting = reg(count_bits).reset(0);
        /// Edges dropped since the last clear, counted exactly.
        let dropped = reg(EXACT_BITS).reset(0);
        let pops = io.read_valid & io.address.eq(Word::KindAndHarts.number()) & waiting.ne(0);
        let clears =
            io.write_valid & io.address.eq(Word::TableControl.number()) & io.write_data.bit(0);
        let takes = io.push_valid & waiting.lt(depth);
        let drops = io.push_valid & waiting.eq(depth);
        waiting.set(waiting + takes.zext(count_bits) - pops.zext(count_bits));
        // Past the end of the saturated count nothing more is to be known.
        set_when(drops & !dropped.bit(EXACT_BITS - 1), dropped, dropped + 1);
        when(clears, || {
            waiting.set(0);
            dropped.set(0);
        });
        let past_end = dropped.bits(WORD_BITS..).any();
        let lost_exactly = past_end.mux(!lit(WORD_BITS, 0), dropped.trunc(WORD_BITS));

        // The edge that is followed.
        let followed = reg(1).reset(0);
        let edge = reg(FIELDS.edge());
        /// How many edges leave the table before the followed one.
        let ahead = reg(count_bits).reset(0);
        /// There were other edges in the table when the followed one was pushed.
        let was_behind = reg(1).reset(0);
        let leaves = pops & ahead.eq(0);
        when(followed & pops, || {
            ahead.set(ahead - 1);
            set_when(leaves, followed, 0);
        });
        when(takes & choice.follow & !followed, || {
            followed.set(1);
            edge.drive(&io.push_edge);
            ahead.set(waiting - pops.zext(count_bits));
            was_behind.set(waiting.ne(pops.zext(count_bits)));
        });
        set_when(clears, followed, 0);

        // What the last read should have found, where the proof knows.
        let is_known = reg(1).reset(1);
        let expected = reg(WORD_BITS).reset(0);
        /// The last read was of the followed edge.
        let shown = reg(1).reset(0);
        let of_entry = io.address.lt(ENTRY_WORDS);
        when(io.read_valid, || {
            is_known.set(1);
            expected.set(0);
            shown.set(0);
            when(of_entry & waiting.ne(0), || {
                is_known.set(followed & ahead.eq(0));
                shown.set(followed & ahead.eq(0));
                expected.set(select(io.address.trunc(4), &words(&edge)));
            });
            when(io.address.eq(Word::TableCount.number()), || {
                expected.set(waiting.zext(WORD_BITS))
            });
            when(io.address.eq(Word::TableLost.number()), || expected.set(lost_exactly));
            set_when(io.address.eq(Word::TableWatermark.number()), is_known, 0);
        });

        assert("count_is_exact", signal("count").eq(waiting), "stored less popped");
        assert(
            "lost_is_exact",
            signal("lost").eq(lost_exactly),
            "dropped, up to the highest number",
        );
        assert("full_is_exact", io.full.eq(waiting.eq(depth)), "full at the depth");
        assert("in_the_table", !followed | ahead.lt(waiting), "an edge is there until it is read");
        let place = signal("head").zext(count_bits + 1) + ahead.zext(count_bits + 1);
        let around = place.ge(depth).mux(place - lit(place.width(), depth), place);
        let entries = memory("entries");
        let row = entries.read_async(around.trunc(entries.addr_width()));
        assert("kept_as_it_was", !followed | row.eq(edge.pack()), "nothing overwrites an edge");
        assert("reads_right", !is_known | io.read_data.eq(expected), "a read shows what there is");
        match self.overflow {
            Overflow::Discard => {
                cover(
                    "loses_two",
                    lost_exactly.eq(2) & shown,
                    "an edge is read after two were lost",
                );
            }
            Overflow::Stall => assert("loses_nothing", lost_exactly.eq(0), "who is told waits"),
        }
        cover("in_order", shown & was_behind & expected.any(), "an edge is read after another");
        cover(
            "around_the_end",
            followed & leaves & was_behind & signal("head").eq(0) & signal("tail").ne(0),
            "an edge leaves from the first place again",
        );
        let equal = io.push_edge.pack().eq(edge.pack());
        cover("same_again", takes & followed & equal, "two equal edges are there");
        (io, choice)
    }
}

impl TableProof {
    fn unit(&self) -> CommunicationTable {
        CommunicationTable {
            depth: self.depth,
            overflow: self.overflow,
            fields: FIELDS,
            lost_bits: WORD_BITS,
        }
    }
}

/// The words that show an edge, as docs/units.md has them.
fn words(edge: &Edge) -> Vec<Sig> {
    let Edge { source, sink, kind } = edge;
    let field = |value: Option<Sig>, width: usize| match value {
        Some(value) => value.zext(width),
        None => lit(width, 0),
    };
    let last = cat([field(Some(kind.sig()), 16), field(source.hart, 8), field(sink.hart, 8)]);
    let shown = [
        field(Some(source.pc), WORD_BITS),
        field(Some(sink.pc), WORD_BITS),
        field(Some(source.ctx), WORD_BITS),
        field(Some(sink.ctx), WORD_BITS),
        field(source.time, WORD_BITS),
        field(sink.time, WORD_BITS),
        last,
    ];
    let zeros = (shown.len()..ENTRY_WORDS).map(|_| lit(WORD_BITS, 0));
    shown.into_iter().chain(zeros).collect()
}
