//! Which lines the ephemeral transaction of the hart has read and written, and which of them an abort has taken.
//!
//! Each line has two bits in registers, because a commit and an abort change those of all lines at once: it was read, it was
//! written, or, with both, it is *lost*: it is Invalid whatever the array says.

use hdl::{Enum, Inst, Sig, hardware, lit, reg, when};

use super::{Mesi, WayIo};
use crate::geometry::Geometry;
use crate::one_hot;

/// The two bits of the lines of one way, a bit for each set.
#[derive(Clone, Copy)]
struct WayMarks {
    /// The line was read, or is lost.
    read: Sig,
    /// The line was written, or is lost.
    written: Sig,
}

/// The marks of all lines of a cache.
pub(super) struct Marks {
    geometry: Geometry,
    ways: Vec<WayMarks>,
}

/// What is ordered in a cycle, for the marks.
pub(super) struct Marking<'a> {
    /// Any address in its line.
    pub address: Sig,
    /// The way that has the line, or will have it, a bit each.
    pub way: &'a [Sig],
    /// It is a grant: what was in the way before is no member, and not lost any more.
    pub replaces: Sig,
    /// A member of a transaction reads the line.
    pub reads: Sig,
    /// A member of a transaction writes the line.
    pub writes: Sig,
    /// The transaction commits in this cycle, after that.
    pub committed: Sig,
    /// The transaction aborts in this cycle, and nothing is ordered.
    pub aborted: Sig,
}

#[hardware]
impl Marks {
    /// Those of a cache; none after reset.
    pub(super) fn of(geometry: Geometry) -> Marks {
        let ways = (0..geometry.ways).map(|way| {
            /// The lines that the transaction has read, and those that are lost.
            let read = reg(geometry.sets).reset(0).named(&format!("marked_read_{way}"));
            /// The lines that the transaction has written, and those that are lost.
            let written = reg(geometry.sets).reset(0).named(&format!("marked_written_{way}"));
            WayMarks { read, written }
        });
        Marks { geometry, ways: ways.collect() }
    }

    /// Marks what is ordered, and ends the transaction.
    pub(super) fn mark(&self, marking: &Marking<'_>) {
        let Marking { address, replaces, reads, writes, committed, aborted, .. } = *marking;
        let sets = self.geometry.sets;
        let set = lit(sets, 1) << self.geometry.set(address);
        for (marks, &way) in self.ways.iter().zip(marking.way) {
            let bits = |when: Sig| set & (when & way).repeat(sets);
            let kept = !bits(replaces);
            let (read, written) = (marks.read & kept, marks.written & kept);
            let next_read = (read | bits(reads) & !written) & !bits(writes);
            let next_written = written | bits(writes);
            marks.read.set(next_read);
            marks.written.set(next_written);
            when(committed, || {
                marks.read.set(next_read & next_written);
                marks.written.set(next_read & next_written);
            });
            when(aborted, || marks.read.set(marks.written));
        }
    }
}

impl Marks {
    /// The state of each way's line in the set that the arrays show, without those that are lost.
    #[track_caller]
    pub(super) fn shown_states(&self, ways: &[Inst<WayIo>], shown_address: Sig) -> Vec<Enum<Mesi>> {
        let set = self.geometry.set(shown_address);
        let states = ways.iter().zip(&self.ways).map(|(way, marks)| {
            let (read, written) = marks.of_set(set);
            let state = way.entry.state.sig();
            Enum::from_sig(state & (!(read & written)).repeat(state.width()))
        });
        states.collect()
    }

    /// The chosen way's line in the set of an address was written by the transaction, if it is not lost.
    #[track_caller]
    pub(super) fn written(&self, way: &[Sig], address: Sig) -> Sig {
        self.of_chosen(way, address, |_, written| written)
    }

    /// The chosen way's line in the set of an address was read by the transaction and not written, if it is not lost.
    #[track_caller]
    pub(super) fn read(&self, way: &[Sig], address: Sig) -> Sig {
        self.of_chosen(way, address, |read, _| read)
    }

    /// The chosen way's line in the set of an address was read or written by the transaction.
    #[track_caller]
    pub(super) fn member(&self, way: &[Sig], address: Sig) -> Sig {
        self.of_chosen(way, address, |read, written| read ^ written)
    }

    /// Some line was read or written by the transaction.
    #[track_caller]
    pub(super) fn any_member(&self) -> Sig {
        let members: Vec<Sig> =
            self.ways.iter().map(|marks| (marks.read ^ marks.written).any()).collect();
        one_hot::any(&members)
    }

    #[track_caller]
    fn of_chosen(&self, way: &[Sig], address: Sig, of: impl Fn(Sig, Sig) -> Sig) -> Sig {
        let set = self.geometry.set(address);
        let each = self.ways.iter().zip(way).map(|(marks, &chosen)| {
            let (read, written) = marks.of_set(set);
            chosen & of(read, written)
        });
        one_hot::any(&each.collect::<Vec<Sig>>())
    }
}

impl WayMarks {
    /// The marks of a set.
    #[track_caller]
    fn of_set(self, set: Sig) -> (Sig, Sig) {
        ((self.read >> set).bit(0), (self.written >> set).bit(0))
    }
}
