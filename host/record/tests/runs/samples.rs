//! Runs to test with.

use border::interrupt::Cause;
use proptest::prelude::*;
use record::{
    Access, Collected, Ctx, Edge, EdgeKind, End, Ending, Hart, Header, Label, Limits, Pc, Run,
    Time, Total, Totals,
};

/// A small run that has every kind of frame in it.
pub fn every_kind_of_frame() -> Vec<u8> {
    let header = Header {
        label: Label::Failing,
        collected: Collected::Firmware,
        events: 5,
        harts: 4,
        pc_bits: 64,
        time_bits: 32,
        seed: 0x1234_5678_9abc,
        runs: 1,
        config: [0xc0; 32],
        elf: [0xe1; 32],
        program: "bank.c".into(),
    };
    let mut writer = record::RunWriter::new(Vec::new(), &header).unwrap();
    for n in 0..100 {
        writer.edge(&edge(n, false)).unwrap();
    }
    writer.edge(&edge(7, true)).unwrap();
    writer.lost(Hart(1), 5).unwrap();
    for n in 0..70 {
        writer.total(&Total { edge: edge(n, false), count: n + 1 }).unwrap();
    }
    writer.total(&Total { edge: edge(8, true), count: 3 }).unwrap();
    writer.lost(Hart(1), 9).unwrap();
    let outcome = End::Assertion { file: "bank.c".into(), line: 31 };
    writer.finish(&Ending { outcome, wrapped: false, cycles: 99_000 }).unwrap()
}

/// Where the text of a program is.
const TEXT: u32 = border::map::RAM.base;

/// The `n`th of a series of edges that differ.
pub fn edge(n: u32, wide: bool) -> Edge {
    let high = if wide { 1 << 40 } else { 0 };
    let access = |pc: u32, time: u32| Access {
        pc: Pc(u64::from(pc) | high),
        ctx: Ctx(n % 1024),
        time: Time(u64::from(time) | high),
        hart: Hart((n % 4) as u8),
    };
    let source = access(TEXT + 4 * n, 10 * n + 1);
    let sink = access(TEXT + 0x1000 + 4 * n, 10 * n + 7);
    Edge { source, sink, kind: EdgeKind::ALL[n as usize % 3] }
}

pub fn any_edge() -> impl Strategy<Value = Edge> {
    let access = || {
        // Few values, so that edges meet again; now and then a wide one.
        let number = || prop_oneof![9 => 0u64..4, 1 => any::<u64>()];
        (number(), 0u32..3, number(), any::<u8>()).prop_map(|(pc, ctx, time, hart)| Access {
            pc: Pc(pc),
            ctx: Ctx(ctx),
            time: Time(time),
            hart: Hart(hart),
        })
    };
    (access(), access(), 0..3usize).prop_map(|(source, sink, kind)| Edge {
        source,
        sink,
        kind: EdgeKind::ALL[kind],
    })
}

pub fn any_outcome() -> impl Strategy<Value = End> {
    prop_oneof![
        Just(End::Unknown),
        any::<i32>().prop_map(|code| End::Exit { code }),
        (".{0,40}", any::<u32>()).prop_map(|(file, line)| End::Assertion { file, line }),
        (any::<u64>(), any::<u64>(), any::<u32>()).prop_map(|(pc, address, mcause)| End::Fault {
            pc,
            address,
            cause: Cause::of_mcause(mcause)
        }),
        Just(End::Deadlock),
        Just(End::CycleLimit),
    ]
}

pub fn any_header() -> impl Strategy<Value = Header> {
    let numbers = (0..3usize, 0..5usize, any::<[u8; 4]>(), any::<u64>(), any::<u32>());
    (numbers, any::<[u8; 32]>(), any::<[u8; 32]>(), ".{0,40}").prop_map(
        |((label, collected, bits, seed, runs), config, elf, program)| Header {
            label: Label::ALL[label],
            collected: Collected::ALL[collected],
            events: bits[0],
            harts: bits[1],
            pc_bits: bits[2],
            time_bits: bits[3],
            seed,
            runs,
            config,
            elf,
            program,
        },
    )
}

pub fn any_run() -> impl Strategy<Value = Run> {
    let edges = prop::collection::vec((any_edge(), 1u32..5), 0..200);
    let lost = prop::collection::btree_map((0u8..4).prop_map(Hart), any::<u32>(), 0..3);
    let ending = (any_outcome(), any::<bool>(), any::<u64>());
    (any_header(), edges, lost, ending).prop_map(|(header, edges, lost, ending)| {
        let mut totals = Totals::default();
        let limits = Limits::from(&header);
        let mut lost = lost;
        lost.retain(|hart, _| limits.check_lost(*hart).is_ok());
        for (edge, count) in edges {
            totals.add(&Total { edge: limits.cut(edge), count });
        }
        let (outcome, wrapped, cycles) = ending;
        let ending = Ending { outcome, wrapped, cycles };
        Run { header, edges: totals.into_sorted(), lost, ending }
    })
}
