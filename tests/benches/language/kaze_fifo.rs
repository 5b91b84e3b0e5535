//! The FIFO of [`hdl::stream::Queue`] written with the kaze crate.
//!
//! kaze has memories with synchronous read only: the row to be shown next is read one cycle ahead,
//! and a payload that is written to that very row in the same cycle goes around the memory. It has
//! no properties, so that there are none.

use kaze::Context;

/// The Verilog of a queue of `1 << addr_width` payloads of `width` bits.
pub fn verilog(addr_width: u32, width: u32) -> Vec<u8> {
    let depth = 1u32 << addr_width;
    let count_width = addr_width + 1;
    let context = Context::new();
    let m = context.module(format!("queue_{depth}x{width}"));

    let enq_valid = m.input("enq_valid", 1);
    let enq_payload = m.input("enq_payload", width);
    let deq_ready = m.input("deq_ready", 1);

    let entries = m.mem("entries", addr_width, width);
    let tail = m.reg("tail", addr_width);
    tail.default_value(0u32);
    let head = m.reg("head", addr_width);
    head.default_value(0u32);
    let count = m.reg("count", count_width);
    count.default_value(0u32);

    let empty = count.value.eq(m.lit(0u32, count_width));
    let full = count.value.eq(m.lit(depth, count_width));
    let do_enq = enq_valid & !full;
    let do_deq = !empty & deq_ready;
    m.output("enq_ready", !full);
    m.output("deq_valid", !empty);
    m.output("count", count.value);

    let one = m.lit(1u32, addr_width);
    let next_head = do_deq.mux(head.value + one, head.value);
    head.drive_next(next_head);
    tail.drive_next(do_enq.mux(tail.value + one, tail.value));

    entries.write_port(tail.value, enq_payload, do_enq);
    let read = entries.read_port(next_head, m.high());
    let around = (do_enq & tail.value.eq(next_head)).reg_next("around");
    m.output("deq_payload", around.mux(enq_payload.reg_next("written"), read));

    let one = m.lit(1u32, count_width);
    let less = (do_deq & !do_enq).mux(count.value - one, count.value);
    count.drive_next((do_enq & !do_deq).mux(count.value + one, less));

    let mut text = Vec::new();
    kaze::verilog::generate(m, &mut text).expect("writing to memory");
    text
}
