//! Compares exports field by field.

use super::disagreement::Problem;
use crate::isa::{Decoded, Retired, alu::spread};
use crate::memory::{BusGrant, Hit, Tap, Watched};
use crate::{LineMeta, Mode};
use border::interrupt::Cause;

type Fields<'a> = &'a [(&'static str, u64, u64)];

fn first_difference(fields: Fields) -> Option<Problem> {
    let different = fields.iter().find(|(_, expected, actual)| expected != actual);
    different.map(|&(field, expected, actual)| Problem::Field { field, expected, actual })
}

/// Compares a grant and its edge.
pub(super) fn grants(
    (expected, expected_tap): (&BusGrant, &Option<Tap>),
    (actual, actual_tap): (&BusGrant, &Option<Tap>),
) -> Option<Problem> {
    if expected == actual && expected_tap == actual_tap {
        return None;
    }
    let (e, a) = (expected, actual);
    let bus = first_difference(&[
        ("bus_kind", e.kind.code().into(), a.kind.code().into()),
        ("bus_requester", e.requester.into(), a.requester.into()),
        ("bus_address", e.address.into(), a.address.into()),
        ("bus_holders", e.holders.into(), a.holders.into()),
        ("bus_supplier", e.supplier.into(), a.supplier.into()),
        ("bus_way", e.way.into(), a.way.into()),
        ("bus_victim", e.victim.into(), a.victim.into()),
        ("bus_victim_dirty", e.victim_dirty.into(), a.victim_dirty.into()),
        ("bus_victim_address", e.victim_address.into(), a.victim_address.into()),
        ("bus_time", e.time.into(), a.time.into()),
        ("bus_monitored", e.monitored.into(), a.monitored.into()),
    ]);
    let names = ["bus_meta_pc", "bus_meta_ctx", "bus_meta_hart", "bus_meta_time"];
    bus.or_else(|| metadata(names, &e.meta, &a.meta)).or_else(|| taps(expected_tap, actual_tap))
}

fn metadata(names: [&'static str; 4], e: &LineMeta, a: &LineMeta) -> Option<Problem> {
    first_difference(&[
        (names[0], e.pc.0, a.pc.0),
        (names[1], e.ctx.0.into(), a.ctx.0.into()),
        (names[2], e.hart.0.into(), a.hart.0.into()),
        (names[3], e.time.0, a.time.0),
    ])
}

fn taps(expected: &Option<Tap>, actual: &Option<Tap>) -> Option<Problem> {
    let (Some(e), Some(a)) = (expected, actual) else {
        return first_difference(&[(
            "tap_valid",
            expected.is_some().into(),
            actual.is_some().into(),
        )]);
    };
    let source = [
        "tap_edge_source_pc",
        "tap_edge_source_ctx",
        "tap_edge_source_hart",
        "tap_edge_source_time",
    ];
    let sink =
        ["tap_edge_sink_pc", "tap_edge_sink_ctx", "tap_edge_sink_hart", "tap_edge_sink_time"];
    metadata(source, &e.edge.source, &a.edge.source)
        .or_else(|| metadata(sink, &e.edge.sink, &a.edge.sink))
        .or_else(|| {
            first_difference(&[
                ("tap_edge_kind", e.edge.kind.number().into(), a.edge.kind.number().into()),
                ("tap_lost", e.lost.into(), a.lost.into()),
            ])
        })
}

/// Compares a hit.
pub(super) fn hits(expected: &Hit, actual: &Hit) -> Option<Problem> {
    first_difference(&[
        ("hit_kind", expected.kind.code().into(), actual.kind.code().into()),
        ("hit_address", expected.address.into(), actual.address.into()),
        ("hit_way", expected.way.into(), actual.way.into()),
    ])
}

/// Compares a write to the watched word.
pub(super) fn watches(expected: &Watched, actual: &Watched) -> Option<Problem> {
    first_difference(&[
        ("watch_hart", expected.hart.into(), actual.hart.into()),
        ("watch_data", expected.data.into(), actual.data.into()),
    ])
}

/// Compares a host response: a line or a word.
pub(super) fn responses(expected: &[u8], actual: &[u8]) -> Option<Problem> {
    let lengths = ("host_response bytes", expected.len() as u64, actual.len() as u64);
    first_difference(&[lengths]).or_else(|| {
        let mut bytes = expected.iter().zip(actual);
        let (expected, actual) = bytes.find(|(expected, actual)| expected != actual)?;
        let (expected, actual) = ((*expected).into(), (*actual).into());
        Some(Problem::Field { field: "host_response_data", expected, actual })
    })
}

/// State before the instruction that the comparison of records needs.
pub(super) struct Before<'a> {
    /// The instruction, if it was fetched.
    pub decoded: Option<&'a Decoded>,
    /// Values of the two registers that the hardware reports as read.
    pub registers: [u32; 2],
}

/// Compares a record. As in riscv-formal, a register that the instruction does not read may be reported
/// if its value is correct, and memory fields are compared where the masks are set.
pub(super) fn records(expected: &Retired, actual: &Retired, before: &Before) -> Option<Problem> {
    let (e, a) = (expected, actual);
    let cause = |cause: Option<Cause>| cause.map_or(0, Cause::mcause).into();
    let mode = |mode: Mode| if mode == Mode::Machine { 3 } else { 0 };
    let reads = |reads: fn(&Decoded) -> bool| !e.trap && before.decoded.is_some_and(reads);
    let register = |used: bool, expected: u8, actual: u8| if used { expected } else { actual };
    let rs1 = register(reads(|decoded| decoded.reads_rs1), e.rs1_addr, a.rs1_addr);
    let rs2 = register(reads(|decoded| decoded.reads_rs2), e.rs2_addr, a.rs2_addr);
    let lanes = |mask: u8, data: u32| u64::from(data & spread(mask));
    let accesses = e.mem_rmask | e.mem_wmask != 0;
    let address = if accesses { e.mem_addr } else { a.mem_addr };
    first_difference(&[
        ("rvfi_order", e.order, a.order),
        ("rvfi_pc_rdata", e.pc_rdata.into(), a.pc_rdata.into()),
        ("rvfi_intr", e.intr.into(), a.intr.into()),
        ("rvfi_mode", mode(e.mode), mode(a.mode)),
        ("rvfi_insn", e.insn.into(), a.insn.into()),
        ("rvfi_trap", e.trap.into(), a.trap.into()),
        ("rvfi_cause", cause(e.cause), cause(a.cause)),
        ("rvfi_rs1_addr", rs1.into(), a.rs1_addr.into()),
        ("rvfi_rs2_addr", rs2.into(), a.rs2_addr.into()),
        ("rvfi_rs1_rdata", before.registers[0].into(), a.rs1_rdata.into()),
        ("rvfi_rs2_rdata", before.registers[1].into(), a.rs2_rdata.into()),
        ("rvfi_mem_rmask", e.mem_rmask.into(), a.mem_rmask.into()),
        ("rvfi_mem_wmask", e.mem_wmask.into(), a.mem_wmask.into()),
        ("rvfi_mem_addr", address.into(), a.mem_addr.into()),
        ("rvfi_mem_rdata", lanes(e.mem_rmask, e.mem_rdata), lanes(e.mem_rmask, a.mem_rdata)),
        ("rvfi_mem_wdata", lanes(e.mem_wmask, e.mem_wdata), lanes(e.mem_wmask, a.mem_wdata)),
        ("rvfi_rd_addr", e.rd_addr.into(), a.rd_addr.into()),
        ("rvfi_rd_wdata", e.rd_wdata.into(), a.rd_wdata.into()),
        ("rvfi_pc_wdata", e.pc_wdata.into(), a.pc_wdata.into()),
    ])
}
