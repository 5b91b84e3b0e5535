//! The history buffer: what a test answers and a scan shows is what was inserted, in the right items.
//!
//! The proof follows one file and one color, whichever the solver likes. For each bank it remembers
//! which items had an insert into the color's row.

use hdl::{
    Bundle, Module, Sig, array, assert, cat, cover, hardware, input, lit, ports, reg, select, when,
};

use super::any::chosen_once;
use crate::color_hash::ColorHash;
use crate::history_buffer::{HistoryBuffer, HistoryBufferIo, HistoryFile};

#[derive(Clone, Debug, PartialEq)]
pub(super) struct HistoryProof {
    pub items: usize,
    pub hash: ColorHash,
}

/// What the solver chooses besides the unit's inputs.
#[derive(Clone, Copy, Debug, Bundle)]
pub(super) struct Choice {
    any_file: Sig,
    any_color: Sig,
}

/// Follows the inserts into one file that share a row with one color.
#[hardware]
impl Module for HistoryProof {
    type Io = (HistoryBufferIo, Choice);

    fn name(&self) -> String {
        format!("prove_history_buffer_{}_{}", self.items, self.hash.label())
    }

    fn build(&self) -> (HistoryBufferIo, Choice) {
        let (items, hash) = (self.items, &self.hash);
        let io = HistoryBuffer { items, hash: hash.clone() }.build();
        let choice = ports(Choice { any_file: input(2), any_color: input(hash.color_bits()) });
        let file = chosen_once(choice.any_file);
        let color = chosen_once(choice.any_color);
        let rows = hash.row_of(color);

        // The insert into the file in this cycle, if there is one.
        let is_remote = file.bit(1);
        let insert = select(
            is_remote,
            &[&io.local, &io.remote].map(|stream| {
                let fits = stream.payload.write.eq(file.bit(0)) & stream.payload.color.any();
                cat([stream.fires() & fits, stream.payload.color])
            }),
        );
        let inserted = insert.bit(hash.color_bits());
        let inserted_rows = hash.row_of(insert.bits(..hash.color_bits()));
        let ends = io.epoch_end.fires();

        // Of each bank: the items that have the color's row, the oldest in bit 0; before the end of the
        // last epoch, and now.
        let held = array(hash.banks(), |bank| {
            let held = reg(items).reset(0).named(&format!("held_{bank}"));
            let hits = inserted & inserted_rows[bank].eq(rows[bank]);
            let with_insert = held | (hits.repeat(items) & lit(items, 1 << (items - 1)));
            let ended = reg(items).reset(0).named(&format!("ended_{bank}"));
            when(ends, || {
                ended.set(with_insert);
                held.set(cat([lit(1, 0), with_insert]).bits(1..));
            })
            .otherwise(|| held.set(with_insert));
            (held, ended)
        });
        let all_banks = held.iter().fold(color.any().repeat(items), |all, (held, _)| all & *held);
        let shown = cat((0..items).map(|older| io.items_used.gt(older)));

        /// The test of the cycle before was of the followed color.
        let was_asked = reg(1).reset(0);
        was_asked.set(io.test.fires() & io.test.payload.eq(color));
        /// The expected answer to that test.
        let expected = reg(items).reset(0);
        expected.set(all_banks);
        let of_file = |vectors: &crate::history_buffer::ItemVectors| {
            select(file, &HistoryFile::ALL.map(|file| vectors.of_file(file)))
        };
        let answer = of_file(&io.answer);
        assert(
            "answer_is_exact",
            !was_asked | (io.answer_valid & answer.eq(expected & shown)),
            "the items that have the color's rows, of their ages, and no others",
        );
        for (bank, (_, ended)) in held.iter().enumerate() {
            let here = io.scan_valid & io.scan_row.eq(rows[bank]);
            assert(
                &format!("scan_is_exact_{bank}"),
                !here | of_file(&io.scan_bank[bank]).eq(*ended & shown),
                "what was inserted before the epoch ended, and nothing since",
            );
        }

        /// Rows that the scan under way has shown.
        let passed = reg(hash.row_bits() + 1).reset(0);
        when(ends, || passed.set(0)).elsewhen(io.scan_valid, || passed.set(passed + 1));
        assert(
            "in_order",
            !io.scan_valid | io.scan_row.eq(passed.bits(..hash.row_bits())),
            "each row once",
        );
        cover("finds_an_old_one", was_asked & answer.eq(1), "an item is about to expire");
        cover(
            "finds_in_a_scan",
            was_asked & io.scan_valid & answer.eq(1 << (items - 2)),
            "a test in a scan sees the epoch that ended",
        );
        cover("scan_ends", io.scan_done & held[0].0.any(), "with inserts of the next epoch");
        (io, choice)
    }
}
