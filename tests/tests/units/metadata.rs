//! What the tests of the monitor's units share: metadata, edges and register accesses, drawn at
//! random and brought to the pins.

use border::monitor::{Index, WORD_INDEX_BITS, Word};
use cosim::Model;
use golden::{CodePoint, Ctx, Edge, EdgeKind, Fields, HartId, LineMeta, RegisterAccess, Time};
use proptest::prelude::*;

/// What is kept of an access.
pub const fn fields(pc_bits: u32, events: u32, hart_bits: u32, time_bits: u32) -> Fields {
    Fields { pc_bits, events, hart_bits, time_bits }
}

/// The same for the hardware.
pub fn widths(fields: Fields) -> units::metadata::Fields {
    units::metadata::Fields {
        pc_bits: fields.pc_bits as usize,
        events: fields.events as usize,
        hart_bits: fields.hart_bits as usize,
        time_bits: fields.time_bits as usize,
    }
}

/// Sets the inputs that hold an access. What is not kept has none.
pub fn poke_meta(dut: &mut Model, fields: Fields, name: &str, meta: LineMeta) {
    let LineMeta { pc, ctx, hart, time } = fields.keep(meta);
    dut.poke(&format!("{name}_pc"), pc.0);
    dut.poke(&format!("{name}_ctx"), ctx.0);
    if fields.hart_bits > 0 {
        dut.poke(&format!("{name}_hart"), hart.0);
    }
    if fields.time_bits > 0 {
        dut.poke(&format!("{name}_time"), time.0);
    }
}

/// Reads the outputs that hold an access.
pub fn peek_meta(dut: &Model, fields: Fields, name: &str) -> LineMeta {
    let optional = |bits: u32, part: &str| match bits {
        0 => 0,
        _ => dut.peek(&format!("{name}_{part}")),
    };
    LineMeta {
        pc: CodePoint(dut.peek(&format!("{name}_pc"))),
        ctx: Ctx(dut.peek(&format!("{name}_ctx")) as u32),
        hart: HartId(optional(fields.hart_bits, "hart") as u32),
        time: Time(optional(fields.time_bits, "time")),
    }
}

/// Sets the inputs of the register port.
pub fn poke_register(dut: &mut Model, register: Option<RegisterAccess>) {
    let (read, write, address, data) = match register {
        None => (false, false, 0, 0),
        Some(RegisterAccess::Read { word }) => (true, false, word.number(), 0),
        Some(RegisterAccess::Write { word, data }) => (false, true, word.number(), data),
    };
    dut.poke("read_valid", read);
    dut.poke("write_valid", write);
    dut.poke("address", address);
    dut.poke("write_data", data);
}

/// An access that differs from others in every field, wide or narrow.
pub fn nth_access(number: u32) -> LineMeta {
    let part = |place: u64| {
        let mixed = (u64::from(number) * 4 + place).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 29
    };
    LineMeta {
        pc: CodePoint(part(1)),
        ctx: Ctx(part(2) as u32),
        hart: HartId(part(3) as u32),
        time: Time(part(4)),
    }
}

/// Any access, as far as it is kept: none, one with every bit set, or any other.
pub fn meta(fields: Fields) -> impl Strategy<Value = LineMeta> {
    prop_oneof![
        1 => Just(LineMeta::NULL),
        1 => Just(fields.mask()),
        8 => any::<u32>().prop_map(move |number| fields.keep(nth_access(number))),
    ]
}

/// Any edge.
pub fn edge(fields: Fields) -> impl Strategy<Value = Edge> {
    let kind = prop::sample::select(&EdgeKind::ALL[..]);
    (meta(fields), meta(fields), kind).prop_map(|(source, sink, kind)| Edge { source, sink, kind })
}

/// A word of the register window, the interesting ones more often than those that are not there.
fn word() -> impl Strategy<Value = Index> {
    let number = prop_oneof![
        4 => Just(Word::KindAndHarts.number()),
        4 => 0..16_u32,
        5 => Word::TableCount.number()..=Word::TableControl.number(),
        3 => Word::Control.number()..Word::Control.number() + 8,
        1 => 0..1_u32 << WORD_INDEX_BITS,
    ];
    number.prop_map(|number| Index::numbered(number).expect("a word of the window"))
}

/// Any use of the register port. What is written is often next to a depth.
pub fn register(depth: usize) -> impl Strategy<Value = RegisterAccess> {
    let depth = depth as u32;
    let data = prop_oneof![
        4 => 0..=depth + 2,
        2 => depth.saturating_sub(2)..=depth + 2,
        1 => any::<u32>(),
    ];
    prop_oneof![
        7 => word().prop_map(|word| RegisterAccess::Read { word }),
        3 => (word(), data).prop_map(|(word, data)| RegisterAccess::Write { word, data }),
    ]
}
