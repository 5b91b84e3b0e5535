//! Line metadata, and the edge between two accesses.
//!
//! The same four fields describe the writer of a line and either end of an edge. All types hold every
//! field; [`Fields`] gives the number of bits stored of each.

use crate::pc::low_bits;
use crate::{CodePoint, Ctx};
pub use border::monitor::EdgeKind;

/// A hart number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HartId(pub u32);

/// A transaction number; the first is 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Time(pub u64);

/// The access that wrote a line: instruction, context, hart and transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineMeta {
    /// Code point of its instruction.
    pub pc: CodePoint,
    /// The context in which the instruction executed.
    pub ctx: Ctx,
    /// The hart that made it.
    pub hart: HartId,
    /// Its transaction number.
    pub time: Time,
}

impl LineMeta {
    /// No known writer.
    pub const NULL: Self = Self { pc: CodePoint(0), ctx: Ctx(0), hart: HartId(0), time: Time(0) };

    /// The bits selected by `mask`; see [`Fields::mask`].
    pub(crate) fn masked(&self, mask: &Self) -> Self {
        Self {
            pc: CodePoint(self.pc.0 & mask.pc.0),
            ctx: Ctx(self.ctx.0 & mask.ctx.0),
            hart: HartId(self.hart.0 & mask.hart.0),
            time: Time(self.time.0 & mask.time.0),
        }
    }
}

/// One communication between two instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// The access that wrote.
    pub source: LineMeta,
    /// The access that read or overwrote.
    pub sink: LineMeta,
    /// Kind of communication.
    pub kind: EdgeKind,
}

/// Bits of an edge's kind. The paper's 148 bits per entry do not include them.
pub const KIND_BITS: u32 = 2;

/// Bits stored of each field; 0 omits the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields {
    /// Bits of the code point.
    pub pc_bits: u32,
    /// Events of context, two bits each.
    pub events: u32,
    /// Bits of the hart number.
    pub hart_bits: u32,
    /// Bits of the transaction number.
    pub time_bits: u32,
}

impl Fields {
    /// Bits of a line's metadata.
    pub fn meta_bits(&self) -> u32 {
        self.pc_bits + 2 * self.events + self.hart_bits + self.time_bits
    }

    /// Bits of a table entry, without its kind.
    pub fn edge_bits(&self) -> u32 {
        2 * self.meta_bits()
    }

    /// Metadata with exactly the stored bits set.
    pub fn mask(&self) -> LineMeta {
        LineMeta {
            pc: CodePoint(low_bits(u64::MAX, self.pc_bits)),
            ctx: Ctx(low_bits(u64::MAX, 2 * self.events) as u32),
            hart: HartId(low_bits(u64::MAX, self.hart_bits) as u32),
            time: Time(low_bits(u64::MAX, self.time_bits)),
        }
    }

    /// The metadata reduced to the stored bits.
    pub fn keep(&self, meta: LineMeta) -> LineMeta {
        meta.masked(&self.mask())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storage_is_that_of_the_paper() {
        // Bugaboo §4.2.2 and §4.2.3: 64-bit pcs, five events.
        let paper = Fields { pc_bits: 64, events: 5, hart_bits: 0, time_bits: 0 };
        assert_eq!((paper.meta_bits(), paper.edge_bits()), (74, 148));
    }

    #[test]
    fn absent_fields_are_zero_and_narrow_ones_lose_their_high_bits() {
        let all = LineMeta {
            pc: CodePoint(u64::MAX),
            ctx: Ctx(u32::MAX),
            hart: HartId(u32::MAX),
            time: Time(u64::MAX),
        };
        let fields = Fields { pc_bits: 20, events: 3, hart_bits: 0, time_bits: 0 };
        let kept = LineMeta { pc: CodePoint(0xf_ffff), ctx: Ctx(0b11_11_11), ..LineMeta::NULL };
        assert_eq!(fields.keep(all), kept);
        let wide = Fields { pc_bits: 64, events: 16, hart_bits: 32, time_bits: 64 };
        assert_eq!(wide.keep(all), all);
    }
}
