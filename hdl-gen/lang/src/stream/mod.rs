//! Ready/valid streams and a small algebra on them.
//!
//! A stream moves one payload in each cycle in which both `valid` and `ready` are 1. The producer
//! holds `valid` and `payload` once raised until they are taken, and never looks at `ready` to decide
//! `valid`.
//!
//! Every function here takes streams that somebody produces and gives a stream to consume, so they
//! chain: `requests.halt_when(busy).queue(4).slice()`.

mod arbiter;
mod queue;
mod slice;

use crate::bundle::{Bundle, Leaf, Path, Shape, reg, wire};
use crate::connect::connect;
use crate::control::when;
use crate::module::Module as _;
use crate::port::{input, output};
use crate::sig::{Sig, lit};
use hdl_derive::hardware;

pub use arbiter::{Arbiter, ArbiterIo};
pub use queue::{Queue, QueueIo};
pub use slice::{RegisterSlice, RegisterSliceIo};

/// A payload with its handshake.
#[derive(Clone, Copy, Debug)]
pub struct Stream<T> {
    /// The payload is meant.
    pub valid: Sig,
    /// The payload is taken in this cycle if it is valid.
    pub ready: Sig,
    /// What moves.
    pub payload: T,
}

const READY: &str = "A transfer takes place in this cycle if `valid` is 1 too.";
const PAYLOAD: &str = "The payload; valid with `valid`.";

// By hand: the comment on a stream's own field is that of `valid`, and says more than one on each of its three parts.
impl<T: Bundle> Bundle for Stream<T> {
    fn map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, Leaf) -> Sig) -> Self {
        Stream {
            valid: path.field("valid", "", |path| self.valid.map(path, f)),
            ready: path.field_about("ready", READY, |path| self.ready.map(path, f)),
            payload: path.field_about("payload", PAYLOAD, |path| self.payload.map(path, f)),
        }
    }
}

impl<T: Bundle> Stream<T> {
    /// Describes a stream into the module: the payload and `valid` come in, `ready` goes out.
    #[track_caller]
    pub fn input<S: Shape<Hardware = T>>(shape: S) -> Stream<T> {
        Stream::output(shape).flip()
    }

    /// Describes a stream out of the module: the payload and `valid` go out, `ready` comes in.
    #[track_caller]
    pub fn output<S: Shape<Hardware = T>>(shape: S) -> Stream<T> {
        Stream { valid: output(1), ready: input(1), payload: output(shape) }
    }

    /// 1 in the cycles in which a payload moves.
    #[track_caller]
    pub fn fires(&self) -> Sig {
        self.valid & self.ready
    }

    /// Makes this stream, which is to be driven, carry what `from` carries.
    #[track_caller]
    pub fn connect(&self, from: &Stream<T>) {
        connect(self, from);
    }

    /// The stream with another payload.
    pub fn map<U: Bundle>(self, f: impl FnOnce(T) -> U) -> Stream<U> {
        Stream { valid: self.valid, ready: self.ready, payload: f(self.payload) }
    }

    /// Nothing moves while `halt` is 1: this may withdraw `valid`, which everything here allows.
    #[track_caller]
    #[hardware]
    pub fn halt_when(self, halt: Sig) -> Stream<T> {
        let halted_ready = wire(1);
        self.ready.set(halted_ready & !halt);
        Stream { valid: self.valid & !halt, ready: halted_ready, payload: self.payload }
    }

    /// Payloads that come while `discard` is 1 are taken and go no further.
    #[track_caller]
    #[hardware]
    pub fn drop_when(self, discard: Sig) -> Stream<T> {
        let kept_ready = wire(1);
        self.ready.set(kept_ready | discard);
        Stream { valid: self.valid & !discard, ready: kept_ready, payload: self.payload }
    }

    /// Room for `depth` payloads in between, in order, one cycle later at the earliest.
    #[track_caller]
    #[hardware]
    pub fn queue(self, depth: usize) -> Stream<T> {
        let shape = self.payload.clone();
        let queue = Queue { depth, width: shape.total_width() }.instance();
        queue.enq.connect(&self.map(|payload| payload.pack()));
        queue.deq.map(|bits| shape.unpack(bits))
    }

    /// A register in every path, forwards and backwards, at full throughput.
    #[track_caller]
    #[hardware]
    pub fn slice(self) -> Stream<T> {
        let shape = self.payload.clone();
        let slice = RegisterSlice { width: shape.total_width() }.instance();
        slice.enq.connect(&self.map(|payload| payload.pack()));
        slice.deq.map(|bits| shape.unpack(bits))
    }

    /// `count` streams that each carry every payload. A payload is taken when all have taken it; one
    /// that has is not offered it again.
    #[track_caller]
    #[hardware]
    pub fn fork(self, count: usize) -> Vec<Stream<T>> {
        let mut branches = Vec::with_capacity(count);
        let mut all_served = lit(1, 1);
        for _ in 0..count {
            /// This branch has taken the payload before the others.
            let done = reg(1).reset(0);
            let branch_ready = wire(1);
            let served = done | branch_ready;
            // `halt_when` may withdraw `valid` in between: remember across that.
            when(self.valid, || done.set(served & !self.ready));
            all_served = all_served & served;
            branches.push(Stream {
                valid: self.valid & !done,
                ready: branch_ready,
                payload: self.payload.clone(),
            });
        }
        self.ready.set(all_served);
        branches
    }
}

/// A stream of pairs: one payload of each, taken together.
#[track_caller]
#[hardware]
pub fn join<A: Bundle, B: Bundle>(left: Stream<A>, right: Stream<B>) -> Stream<(A, B)> {
    let joined_ready = wire(1);
    let both = left.valid & right.valid;
    left.ready.set(joined_ready & right.valid);
    right.ready.set(joined_ready & left.valid);
    Stream { valid: both, ready: joined_ready, payload: (left.payload, right.payload) }
}

/// One stream out of many: in turn, starting after the one served last, so that none waits for more
/// than the others once each.
#[track_caller]
#[hardware]
pub fn arbitrate<T: Bundle>(sources: Vec<Stream<T>>) -> Stream<T> {
    let shape = sources[0].payload.clone();
    let arbiter = Arbiter { sources: sources.len(), width: shape.total_width() }.instance();
    for (input, source) in arbiter.sources.iter().zip(sources) {
        input.connect(&source.map(|payload| payload.pack()));
    }
    arbiter.merged.map(|bits| shape.unpack(bits))
}
