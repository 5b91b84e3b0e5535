//! The metadata array: a lookup returns the last value that the policy stored.
//!
//! The proof follows one line, whichever the solver likes, from its first update after a reset on: the
//! array is not reset, and what it holds before means nothing.

use config::Update;
use hdl::{
    Bundle, Module, Sig, assert, cover, hardware, index_width, input, lit, ports, reg, when,
};

use super::any::{chosen_once, memory};
use crate::line_metadata::{LineMetadata, LineMetadataIo, UpdateCause};
use crate::metadata::Fields;

const FIELDS: Fields = Fields { pc_bits: 2, events: 1, hart_bits: 1, time_bits: 1 };

#[derive(Clone, Debug, PartialEq)]
pub(super) struct MetadataProof {
    pub lines: usize,
    pub update: Update,
}

/// What the solver chooses besides the unit's inputs.
#[derive(Clone, Copy, Debug, Bundle)]
pub(super) struct Choice {
    any_line: Sig,
}

/// Remembers the last value stored in the line that is followed, and the last answer about it.
#[hardware]
impl Module for MetadataProof {
    type Io = (LineMetadataIo, Choice);

    fn name(&self) -> String {
        format!("prove_{}", self.unit().name())
    }

    fn build(&self) -> (LineMetadataIo, Choice) {
        let io = self.unit().build();
        let choice = ports(Choice { any_line: input(index_width(self.lines)) });
        let line = chosen_once(choice.any_line);
        let width = io.update_meta.total_width();

        // From docs/units.md: what each policy stores.
        let stored: &[UpdateCause] = match self.update {
            Update::Miss => &[UpdateCause::Fill, UpdateCause::Miss],
            Update::FirstWrite => &[UpdateCause::Fill, UpdateCause::Miss, UpdateCause::FirstWrite],
            Update::EveryWrite => &[
                UpdateCause::Fill,
                UpdateCause::Miss,
                UpdateCause::FirstWrite,
                UpdateCause::WriteHit,
            ],
        };
        let by_policy =
            stored.iter().fold(lit(1, 0), |any, &cause| any | io.update_cause.is(cause));
        let exists = line.lt(self.lines);
        let is_updated = io.update_valid & io.update_line.eq(line) & exists;

        /// The followed line has been stored to since the reset.
        let was_stored = reg(1).reset(0);
        /// The last value stored in the followed line.
        let last = reg(width).reset(0);
        when(is_updated & by_policy, || {
            was_stored.set(1);
            last.set(io.update_meta.pack());
        });
        let is_known = was_stored | !exists;
        /// The last lookup was of the followed line, after its first store.
        let was_asked = reg(1).reset(0);
        /// The value that the followed line held at that lookup; 0 if there is no such line.
        let expected = reg(width).reset(0);
        when(io.lookup_valid, || {
            was_asked.set(io.lookup_line.eq(line) & is_known);
            expected.set(last);
        });

        let row = memory("writers").read_async(line);
        assert("null_past_the_end", exists | last.eq(0), "what is not there is never stored to");
        assert("row_is_last", !is_known | row.eq(last), "the array holds the last value by policy");
        assert(
            "answers_last",
            !was_asked | io.lookup_meta.pack().eq(expected),
            "a lookup returns it, as it was before the cycle, until the next",
        );
        cover(
            "answers_a_value",
            was_asked & expected.any() & last.ne(expected),
            "a value is shown that was replaced meanwhile",
        );
        if self.update != Update::EveryWrite {
            cover("refuses", is_updated & !by_policy & last.any(), "the policy keeps a value");
        }
        (io, choice)
    }
}

impl MetadataProof {
    fn unit(&self) -> LineMetadata {
        LineMetadata { lines: self.lines, fields: FIELDS, update: self.update, apart: false }
    }
}
