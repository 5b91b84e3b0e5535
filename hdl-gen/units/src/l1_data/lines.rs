//! The bytes of all lines, in banks one word wide.
//!
//! An access reads one word of every way, and a transaction every word of one way. Word k of way w is in bank w ^ k: the
//! words that are read together are in different banks either way. So a cache needs no more banks than a line has
//! words, whatever its ways, and an access chooses among fewer.

use hdl::{
    Bundle, Module, Sig, array, cat, hardware, index_width, input, lit, memory, output, ports, reg,
    select, when,
};

use crate::geometry::{Geometry, WORD_BITS};
use crate::one_hot;

/// The lines of a cache.
#[derive(Clone, Debug, PartialEq)]
pub struct Lines {
    /// The cache that they are part of.
    pub geometry: Geometry,
}

/// Ports of [`Lines`].
#[derive(Clone, Debug, Bundle)]
pub struct LinesIo {
    /// The set to read; sampled in every cycle.
    pub read_set: Sig,
    /// The word to read, within the line of each way.
    pub read_word: Sig,
    /// 1: every word of the line in `read_way` is read. 0: word `read_word` of every way.
    pub read_whole: Option<Sig>,
    /// The way to read; valid with `read_whole`.
    pub read_way: Option<Sig>,
    /// The words at the set and word given in the cycle before, one of each way. Way w is in lane w
    /// ^ word (of the word number, only the bits that a way number has). Undefined, as is `line`,
    /// if written in the same cycle.
    pub lane: Vec<Sig>,
    /// The whole line, its words in order; valid if `read_whole` was 1 in the cycle before (or
    /// there is one way).
    pub line: Sig,
    /// The set to write; valid with any bit of `store_mask`, or `fill`.
    pub write_set: Sig,
    /// The way to write; valid with any bit of `store_mask`, or `fill`.
    pub write_way: Option<Sig>,
    /// The bytes of `store_data` that are written at the end of this cycle, a bit each.
    pub store_mask: Sig,
    /// The word of the line that `store_data` is written to; valid with any bit of `store_mask`.
    pub store_word: Sig,
    /// The word to store; `store_mask` selects its bytes.
    pub store_data: Sig,
    /// `fill_line` is written at the end of this cycle, except for the bytes in `store_mask`.
    pub fill: Sig,
    /// The new line, in the order of the banks of its way: position k has word k ^ `write_way`
    /// (only the bits that a word number has). Valid with `fill`.
    pub fill_line: Sig,
}

/// A bank of block RAM for every word of a line. Data read while it was written is not used; it is
/// read again.
#[hardware]
impl Module for Lines {
    type Io = LinesIo;

    fn name(&self) -> String {
        format!("l1_data_lines_{}", self.geometry.tag_text())
    }

    fn build(&self) -> LinesIo {
        let geometry = self.geometry;
        let (ways, words) = (geometry.ways, geometry.words());
        let word_width = index_width(words);
        let of_ways = |width: usize| (ways > 1).then(|| input(width));
        let io = ports(LinesIo {
            read_set: input(geometry.set_width()),
            read_word: input(word_width),
            read_whole: of_ways(1),
            read_way: of_ways(geometry.way_width()),
            lane: array(ways, |_| output(WORD_BITS)),
            line: output(geometry.line_bits()),
            write_set: input(geometry.set_width()),
            write_way: of_ways(geometry.way_width()),
            store_mask: input(WORD_BITS / 8),
            store_word: input(word_width),
            store_data: input(WORD_BITS),
            fill: input(1),
            fill_line: input(geometry.line_bits()),
        });
        let rows = array(words.max(ways), |bank| self.bank(&io, bank));

        // A lane is the bank whose number ends as the lane's and begins as the word's.
        let groups = rows.len() / ways;
        /// The banks that hold the word read in the cycle before: one bit for each group of banks.
        let chosen: Vec<Sig> = if groups > 1 {
            /// The banks that have the word that was read in the cycle before, a bit for each group of as many as ways.
            let shown_group = reg(groups);
            let group = io.read_word.bits(ways.ilog2() as usize..);
            shown_group.set(lit(groups, 1) << group);
            one_hot::apart(shown_group)
        } else {
            vec![lit(1, 1)]
        };
        for (place, lane) in io.lane.iter().enumerate() {
            let of_groups: Vec<Sig> = (0..groups).map(|group| rows[group * ways + place]).collect();
            lane.set(if groups > 1 { one_hot::choose(&chosen, &of_groups) } else { of_groups[0] });
        }
        io.line.set(self.line(&io, &rows));
        io
    }
}

#[hardware]
impl Lines {
    /// The line that was read in the cycle before, its words in order.
    fn line(&self, io: &LinesIo, rows: &[Sig]) -> Sig {
        let geometry = self.geometry;
        let words = geometry.words();
        let Some(read_way) = io.read_way else { return cat(rows.iter().rev().copied()) };
        /// The way that was read in the cycle before.
        let shown_way = reg(read_way.width());
        shown_way.set(read_way);
        let of_way = |word: usize| -> Sig {
            let of_groups: Vec<Sig> = rows.iter().copied().skip(word).step_by(words).collect();
            match of_groups[..] {
                [only] => only,
                _ => select(shown_way.bits(words.ilog2() as usize..), &of_groups),
            }
        };
        geometry.turned(cat((0..words).rev().map(of_way)), shown_way)
    }

    /// One bank: what it read in the cycle before.
    fn bank(&self, io: &LinesIo, number: usize) -> Sig {
        let geometry = self.geometry;
        let (ways, words) = (geometry.ways, geometry.words());
        let bank = memory(geometry.sets * words.min(ways), WORD_BITS).ignore_collisions();
        let word_row = self.row(io.read_set, Some(io.read_word), None, number);
        let read_row = match (io.read_whole, io.read_way) {
            (Some(whole), Some(way)) => {
                whole.mux(self.row(io.read_set, None, Some(way), number), word_row)
            }
            _ => word_row,
        };
        let write_row = self.row(io.write_set, None, io.write_way, number);

        let word_bits = words.ilog2() as usize;
        let (store_place, in_reach) = match io.write_way {
            Some(way) => {
                let width = index_width(words.max(ways));
                let above = (ways > words).then(|| way.bits(word_bits..).eq(number >> word_bits));
                (way.zext(width) ^ io.store_word.zext(width), above)
            }
            None => (io.store_word, None),
        };
        let stored = io.store_mask & store_place.eq(number).repeat(WORD_BITS / 8);
        let filled = in_reach.map_or(io.fill, |reaches| io.fill & reaches);
        let mask = stored | filled.repeat(WORD_BITS / 8);
        let low = number % words * WORD_BITS;
        let bytes = (0..WORD_BITS / 8).rev().map(|byte| {
            let (begin, end) = (8 * byte, 8 * byte + 8);
            let of_line = io.fill_line.bits(low + begin..low + end);
            stored.bit(byte).mux(io.store_data.bits(begin..end), of_line)
        });
        let data = cat(bytes);
        when(mask.any(), || bank.write_masked(write_row, data, mask));
        let row = bank.read_sync(read_row, lit(1, 1));
        row
    }

    /// The row of a bank that has this word of the set or, if that is not given, a word of this way. In a set a bank has a
    /// word of each way or, if there are more ways than words, each word once.
    fn row(&self, set: Sig, word: Option<Sig>, way: Option<Sig>, bank: usize) -> Sig {
        let geometry = self.geometry;
        let turns = geometry.turn_bits();
        let turned = |number: Sig| number.trunc(turns) ^ lit(turns, bank % (1 << turns));
        let low = (turns > 0).then(|| match (word, way) {
            (Some(word), _) if geometry.words() < geometry.ways => word,
            (Some(word), _) => turned(word),
            (None, Some(way)) if geometry.words() < geometry.ways => turned(way),
            (None, way) => way.expect("several ways"),
        });
        match (low, geometry.sets) {
            (None, _) => set,
            (Some(low), 1) => low,
            (Some(low), _) => cat([set, low]),
        }
    }
}

/// The lane that each way's word is in, for bits that tell ways: a bit that tells way w, and that this word was read, is at
/// lane w ^ word.
#[hardware]
pub(super) fn in_lanes(of_ways: &[Sig], word: Sig) -> Vec<Sig> {
    let bits = (of_ways.len().ilog2() as usize).min(word.width());
    let mut lanes = of_ways.to_vec();
    for bit in 0..bits {
        let swaps = word.bit(bit);
        let neighbor = |lane: usize| lanes[lane ^ (1 << bit)];
        lanes = (0..lanes.len()).map(|lane| swaps.mux(neighbor(lane), lanes[lane])).collect();
    }
    lanes
}
