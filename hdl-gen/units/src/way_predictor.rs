//! Guesses which way of a cache holds a line, before tags have been compared.
//!
//! Block RAM shows late in a cycle what it holds, and comparing tags takes most of the rest. The way is in a table that
//! is read with the tags, so that what is in the cache can be chosen at once; the tags then tell whether it was right.

use hdl::{Bundle, Module, Sig, hardware, index_width, input, lit, memory, output, ports, when};

/// The most bits of a row's number: as many rows of one bit as a block RAM of an ECP5 has.
const MOST_ROW_BITS: usize = 14;

/// The table of one cache. It has a row for every line of as much memory as its rows reach; lines that share a row may
/// be guessed wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct WayPredictor {
    /// Ways of the cache, at least 2 and a power of two.
    pub ways: usize,
    /// Its sets, a power of two.
    pub sets: usize,
}

/// Ports of [`WayPredictor`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct WayPredictorIo {
    /// The number of the line to guess the way of; its low bits, as many as [`WayPredictor::line_bits`].
    pub line: Sig,
    /// The way, one cycle later. Undefined if `learn` was 1 in the cycle of `line`.
    pub guess: Sig,
    /// It is known which way a line is in.
    pub learn: Sig,
    /// The number of that line.
    pub learn_line: Sig,
    /// Its way.
    pub learn_way: Sig,
}

impl WayPredictor {
    /// The table of a cache of several ways; a cache of one way needs none.
    pub fn of(ways: usize, sets: usize) -> Option<WayPredictor> {
        (ways > 1).then_some(WayPredictor { ways, sets })
    }

    /// Bits of a line's number that tell rows apart: those of the set, and as many more if a block RAM has the rows.
    pub fn line_bits(&self) -> usize {
        let set_bits = self.sets.ilog2() as usize;
        (2 * set_bits).min(MOST_ROW_BITS).max(set_bits).max(1)
    }
}

/// A row has the way of the last line of that row of which it was learned.
#[hardware]
impl Module for WayPredictor {
    type Io = WayPredictorIo;

    fn name(&self) -> String {
        format!("way_predictor_{}x{}", self.sets, self.ways)
    }

    fn build(&self) -> WayPredictorIo {
        let (line_bits, way_bits) = (self.line_bits(), index_width(self.ways));
        let io = ports(WayPredictorIo {
            line: input(line_bits),
            guess: output(way_bits),
            learn: input(1),
            learn_line: input(line_bits),
            learn_way: input(way_bits),
        });
        let guesses = memory(1 << line_bits, way_bits).ignore_collisions();
        io.guess.set(guesses.read_sync(io.line, lit(1, 1)));
        when(io.learn, || guesses.write(io.learn_line, io.learn_way));
        io
    }
}
