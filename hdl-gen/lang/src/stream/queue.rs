//! A FIFO queue.

use crate::bits::index_width;
use crate::bundle::{reg, set_when};
use crate::control::when;
use crate::memory::memory;
use crate::module::Module;
use crate::port::{output, ports};
use crate::property::{assert, cover};
use crate::sig::Sig;
use crate::stream::Stream;
use hdl_derive::{Bundle, hardware};

/// A queue of `depth` payloads of `width` bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Queue {
    /// Payloads it holds; 0 connects both sides directly.
    pub depth: usize,
    /// Bits of a payload.
    pub width: usize,
}

/// Ports of [`Queue`].
#[derive(Clone, Debug, Bundle)]
pub struct QueueIo {
    /// Payloads in; ready while there is room.
    pub enq: Stream<Sig>,
    /// Payloads out, oldest first.
    pub deq: Stream<Sig>,
    /// How many payloads are inside.
    pub count: Sig,
}

/// First in, first out. A payload can leave one cycle after it came, and one can enter and one leave
/// in the same cycle unless the queue is full or empty.
#[hardware]
impl Module for Queue {
    type Io = QueueIo;

    fn name(&self) -> String {
        format!("queue_{}x{}", self.depth, self.width)
    }

    fn build(&self) -> QueueIo {
        let io = ports(QueueIo {
            enq: Stream::input(self.width),
            deq: Stream::output(self.width),
            count: output(index_width(self.depth + 1)),
        });
        if self.depth == 0 {
            io.deq.connect(&io.enq);
            io.count.set(0);
            return io;
        }

        let entries = memory(self.depth, self.width);
        /// Where the next payload goes.
        let tail = reg(entries.addr_width()).reset(0);
        /// Where the oldest payload is.
        let head = reg(entries.addr_width()).reset(0);
        let count = reg(io.count.width()).reset(0);

        let empty = count.eq(0);
        let full = count.eq(self.depth);
        let do_enq = io.enq.fires();
        let do_deq = io.deq.fires();

        io.enq.ready.set(!full);
        io.deq.valid.set(!empty);
        io.deq.payload.set(entries.read_async(head));
        io.count.set(count);

        when(do_enq, || {
            entries.write(tail, io.enq.payload);
            tail.set(tail.next_in(self.depth));
        });
        set_when(do_deq, head, head.next_in(self.depth));
        when(do_enq & !do_deq, || count.set(count + 1))
            .elsewhen(do_deq & !do_enq, || count.set(count - 1));

        assert("count_within_depth", count.le(self.depth), "never more payloads than places");
        cover("reaches_full", full, "the queue can fill up");
        io
    }
}
