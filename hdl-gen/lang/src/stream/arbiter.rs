//! A round-robin arbiter.

use crate::array::{array, select};
use crate::bits::index_width;
use crate::bundle::{reg, wire};
use crate::control::when;
use crate::module::Module;
use crate::port::ports;
use crate::property::assert;
use crate::sig::{Sig, cat, lit};
use crate::stream::Stream;
use hdl_derive::{Bundle, hardware};

/// Merges `sources` streams of `width`-bit payloads.
#[derive(Clone, Debug, PartialEq)]
pub struct Arbiter {
    /// Streams merged, at least 1.
    pub sources: usize,
    /// Bits of a payload.
    pub width: usize,
}

/// Ports of [`Arbiter`].
#[derive(Clone, Debug, Bundle)]
pub struct ArbiterIo {
    /// Streams in.
    pub sources: Vec<Stream<Sig>>,
    /// The stream out.
    pub merged: Stream<Sig>,
}

/// Serves the first valid source after the one served last: with n sources, a source that stays valid
/// is served after at most n - 1 others.
#[hardware]
impl Module for Arbiter {
    type Io = ArbiterIo;

    fn name(&self) -> String {
        format!("arbiter_{}x{}", self.sources, self.width)
    }

    fn build(&self) -> ArbiterIo {
        let io = ports(ArbiterIo {
            sources: array(self.sources, |_| Stream::input(self.width)),
            merged: Stream::output(self.width),
        });
        let n = self.sources;
        if n == 1 {
            io.merged.connect(&io.sources[0]);
            return io;
        }

        let valid = cat(io.sources.iter().rev().map(|source| source.valid));
        io.merged.valid.set(valid.any());
        /// The source served last, one bit each; sources after it come first.
        let served = reg(n).reset(1);
        let grant = round_robin(valid, served);
        when(io.merged.fires(), || served.set(grant));

        let chosen = wire(index_width(n));
        chosen.set(encode(grant));
        let payloads: Vec<Sig> = io.sources.iter().map(|source| source.payload).collect();
        io.merged.payload.set(select(chosen, &payloads));
        for (place, source) in io.sources.iter().enumerate() {
            source.ready.set(grant.bit(place) & io.merged.ready);
        }
        assert("one_grant", (grant & (grant - 1)).none(), "at most one source is served");
        io
    }
}

/// The first one of `requests` above the single one in `last`, going around; one-hot, or zero.
#[track_caller]
#[hardware]
pub fn round_robin(requests: Sig, last: Sig) -> Sig {
    // Requests above `last` first, then all: the lowest one of the double-width word.
    let not_above = last | (last - 1);
    let doubled = cat([requests, requests & !not_above]);
    let lowest = doubled & -doubled;
    lowest.bits(requests.width()..) | lowest.bits(..requests.width())
}

/// The place of the one in a one-hot word; 0 if there is none.
#[track_caller]
pub fn encode(one_hot: Sig) -> Sig {
    let width = index_width(one_hot.width());
    let bits = (0..width).rev().map(|bit| {
        let members = (0..one_hot.width())
            .filter(|place| place >> bit & 1 == 1)
            .map(|place| one_hot.bit(place));
        members.reduce(|a, b| a | b).unwrap_or_else(|| lit(1, 0))
    });
    cat(bits.collect::<Vec<_>>())
}
