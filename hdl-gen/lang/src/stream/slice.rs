//! A register slice: cuts every combinational path of a stream.

use crate::bundle::reg;
use crate::control::when;
use crate::module::Module;
use crate::port::ports;
use crate::property::assert;
use crate::sig::Sig;
use crate::stream::Stream;
use hdl_derive::{Bundle, hardware};

/// Registers in all paths of a stream of `width`-bit payloads.
#[derive(Clone, Debug, PartialEq)]
pub struct RegisterSlice {
    /// Bits of a payload.
    pub width: usize,
}

/// Ports of [`RegisterSlice`].
#[derive(Clone, Debug, Bundle)]
pub struct RegisterSliceIo {
    /// Payloads in.
    pub enq: Stream<Sig>,
    /// Payloads out, one cycle later.
    pub deq: Stream<Sig>,
}

/// One payload a cycle, with no combinational path from one side to the other. The spare register
/// catches the payload that was under way when the consumer stopped.
#[hardware]
impl Module for RegisterSlice {
    type Io = RegisterSliceIo;

    fn name(&self) -> String {
        format!("register_slice_{}", self.width)
    }

    fn build(&self) -> RegisterSliceIo {
        let io = ports(RegisterSliceIo {
            enq: Stream::input(self.width),
            deq: Stream::output(self.width),
        });
        let front_valid = reg(1).reset(0);
        let front = reg(self.width);
        let spare_valid = reg(1).reset(0);
        let spare = reg(self.width);

        let front_free = !front_valid | io.deq.ready;
        io.enq.ready.set(!spare_valid);
        io.deq.valid.set(front_valid);
        io.deq.payload.set(front);

        when(front_free, || {
            front_valid.set(io.enq.valid | spare_valid);
            front.set(spare_valid.mux(spare, io.enq.payload));
            spare_valid.set(0);
        })
        .elsewhen(io.enq.fires(), || {
            spare_valid.set(1);
            spare.set(io.enq.payload);
        });

        assert(
            "spare_behind_front",
            !spare_valid | front_valid,
            "the spare register fills only behind a full front",
        );
        io
    }
}
