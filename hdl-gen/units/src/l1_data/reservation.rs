//! The reservation of a hart: the line that its last LR read.

use hdl::{Bundle, Module, Sig, assert, cover, hardware, input, output, ports, reg, when};

/// The reservation.
#[derive(Clone, Debug, PartialEq)]
pub struct Reservation {
    /// Bits of a line's number.
    pub line_number_bits: usize,
}

/// Ports of [`Reservation`]. At most one of `make`, `lose` and `finish` is 1 in a cycle.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct ReservationIo {
    /// The line number of the access under way.
    pub line: Sig,
    /// `line` is reserved. Combinational from `line`; a change in this cycle shows in the next one.
    pub holds: Sig,
    /// An LR is ordered in this cycle: `line` becomes the reserved line.
    pub make: Sig,
    /// An SC is ordered in this cycle, with or without success: the reservation ends.
    pub finish: Sig,
    /// `lost_line` leaves the cache in this cycle, evicted or invalidated: if that line is
    /// reserved, the reservation ends.
    pub lose: Sig,
    /// The number of the line that leaves; valid with `lose`.
    pub lost_line: Sig,
}

/// Holds the number of the reserved line, if there is one. The reservation ends with any SC, and
/// when its line leaves the cache.
#[hardware]
impl Module for Reservation {
    type Io = ReservationIo;

    fn name(&self) -> String {
        format!("reservation_{}", self.line_number_bits)
    }

    fn build(&self) -> ReservationIo {
        let io = ports(ReservationIo {
            line: input(self.line_number_bits),
            holds: output(1),
            make: input(1),
            finish: input(1),
            lose: input(1),
            lost_line: input(self.line_number_bits),
        });
        let reserved = reg(1).reset(0);
        /// The number of the reserved line; valid with `reserved`.
        let reserved_line = reg(self.line_number_bits).reset(0);
        io.holds.set(reserved & reserved_line.eq(io.line));
        let loses_it = io.lose & reserved_line.eq(io.lost_line);
        when(io.make, || {
            reserved.set(1);
            reserved_line.set(io.line);
        })
        .elsewhen(io.finish | loses_it, || reserved.set(0));
        assert("made_apart", !(io.make & (io.finish | io.lose)), "an LR is ordered by itself");
        cover("lost", reserved & loses_it, "another hart takes a reserved line");
        io
    }
}
