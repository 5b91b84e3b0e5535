//! What a header promises of every edge: a file that breaks it is damaged, or its header is another run's.

use crate::{Access, Ctx, Edge, Hart, Header, Pc, Reason};

/// How large the parts of an edge can be in a run with a given header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Events of a context, of two bits each.
    events: u8,
    /// Harts of the machine; 0: unknown.
    harts: u8,
    /// Bits stored of a pc; 0: unknown.
    pc_bits: u8,
}

impl From<&Header> for Limits {
    fn from(header: &Header) -> Self {
        let Header { events, harts, pc_bits, .. } = *header;
        Self { events, harts, pc_bits }
    }
}

impl Limits {
    /// Checks both ends of an edge.
    ///
    /// # Errors
    /// If a context, hart or pc is larger than the header says.
    pub fn check(self, edge: &Edge) -> Result<(), Reason> {
        self.check_end(&edge.source)?;
        self.check_end(&edge.sink)
    }

    /// Checks a hart that lost edges; it must be known.
    ///
    /// # Errors
    /// If the machine has no such hart.
    pub fn check_lost(self, hart: Hart) -> Result<(), Reason> {
        match self.has(hart) && hart != Hart::UNKNOWN {
            true => Ok(()),
            false => Err(self.no_such(hart)),
        }
    }

    /// Whether so many bits are stored that this pc is whole.
    pub fn fits_pc(self, pc: Pc) -> bool {
        self.pc_bits == 0 || pc.0.checked_shr(self.pc_bits.into()).unwrap_or(0) == 0
    }

    /// The edge with what does not fit cut off, for whoever makes up runs.
    #[must_use]
    pub fn cut(self, edge: Edge) -> Edge {
        let low = |bits: u32| u64::MAX.checked_shr(64_u32.saturating_sub(bits)).unwrap_or(0);
        let pc_bits = if self.pc_bits == 0 { 64 } else { self.pc_bits.into() };
        let end = |end: Access| Access {
            pc: Pc(end.pc.0 & low(pc_bits)),
            ctx: Ctx(end.ctx.0 & low(2 * u32::from(self.events)) as u32),
            hart: if self.has(end.hart) { end.hart } else { Hart(end.hart.0 % self.harts) },
            ..end
        };
        Edge { source: end(edge.source), sink: end(edge.sink), ..edge }
    }

    fn check_end(self, end: &Access) -> Result<(), Reason> {
        let Self { events, pc_bits, .. } = self;
        if end.ctx.0.checked_shr(2 * u32::from(events)).unwrap_or(0) != 0 {
            return Err(Reason::Context { context: end.ctx.0, events });
        }
        if !self.fits_pc(end.pc) {
            return Err(Reason::Pc { pc: end.pc.0, pc_bits });
        }
        match self.has(end.hart) {
            true => Ok(()),
            false => Err(self.no_such(end.hart)),
        }
    }

    fn has(self, hart: Hart) -> bool {
        hart == Hart::UNKNOWN || self.harts == 0 || hart.0 < self.harts
    }

    fn no_such(self, hart: Hart) -> Reason {
        Reason::Hart { hart: hart.0, harts: self.harts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(events: u8, harts: u8, pc_bits: u8) -> Limits {
        Limits { events, harts, pc_bits }
    }

    fn source(pc: u64, ctx: u32, hart: u8) -> Edge {
        let source = Access { pc: Pc(pc), ctx: Ctx(ctx), hart: Hart(hart), ..Access::NULL };
        Edge { source, ..Edge::default() }
    }

    fn swapped(edge: Edge) -> Edge {
        Edge { source: edge.sink, sink: edge.source, ..edge }
    }

    #[test]
    fn the_largest_value_fits_and_one_more_does_not_at_either_end() {
        for (limits, fits, too_large, said) in [
            (
                limits(5, 4, 32),
                source(0, 0x3ff, 0),
                source(0, 0x400, 0),
                "context 0x400 needs more than 10 bits",
            ),
            (limits(0, 4, 32), source(0, 0, 0), source(0, 1, 0), "context 0x1 needs more than 0"),
            (limits(5, 4, 32), source(0, 0, 3), source(0, 0, 4), "expected a hart below 4"),
            (
                limits(5, 4, 32),
                source(0xffff_ffff, 0, 0),
                source(1 << 32, 0, 0),
                "0x100000000 needs more than 32 bits",
            ),
            (limits(5, 4, 1), source(1, 0, 0), source(2, 0, 0), "pc 0x2 needs more than 1 bit"),
        ] {
            for turn in [|edge| edge, swapped] {
                limits.check(&turn(fits)).unwrap();
                let reason = limits.check(&turn(too_large)).unwrap_err().to_string();
                assert!(reason.contains(said), "{reason}");
            }
        }
    }

    #[test]
    fn what_the_header_does_not_know_and_an_unknown_hart_fit() {
        limits(16, 0, 0).check(&source(u64::MAX, u32::MAX, 254)).unwrap();
        limits(255, 4, 64).check(&source(u64::MAX, u32::MAX, 255)).unwrap();
        limits(255, 4, 255).check(&source(u64::MAX, u32::MAX, 3)).unwrap();
    }

    #[test]
    fn what_was_cut_fits() {
        for limits in [limits(0, 1, 1), limits(5, 4, 32), limits(16, 0, 0), limits(255, 255, 255)] {
            for edge in [source(u64::MAX, u32::MAX, 254), source(0, 0, 0), source(1, 1, 255)] {
                limits.check(&limits.cut(edge)).unwrap();
                assert_eq!(limits.cut(limits.cut(edge)), limits.cut(edge));
            }
        }
    }

    #[test]
    fn only_a_known_hart_loses_edges() {
        limits(5, 4, 32).check_lost(Hart(3)).unwrap();
        assert!(limits(5, 4, 32).check_lost(Hart(4)).is_err());
        assert!(limits(5, 0, 32).check_lost(Hart::UNKNOWN).is_err());
    }
}
