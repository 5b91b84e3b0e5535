//! A correct stream with any one field changed is rejected.

use super::following::busy_program;
use super::recorder::{Shown, Stream, follow, record};
use super::*;
use crate::isa::decode;
use crate::memory::{BusGrant, BusKind, Hit, HitKind, NOBODY, Tap, Watched};
use crate::{CodePoint, Ctx, EdgeKind, HartId, LineMeta, Mode, Time};
use border::interrupt::Exception;

type Change<T> = (&'static str, fn(&mut T));

fn meta_changes() -> [fn(&mut LineMeta); 4] {
    [
        |meta| meta.pc = CodePoint(meta.pc.0 ^ 4),
        |meta| meta.ctx = Ctx(meta.ctx.0 ^ 1),
        |meta| meta.hart = HartId(meta.hart.0 ^ 1),
        |meta| meta.time = Time(meta.time.0 ^ 1),
    ]
}

const GRANT: &[Change<BusGrant>] = &[
    ("kind", |grant| {
        grant.kind = match grant.kind {
            BusKind::Read => BusKind::ReadX,
            BusKind::ReadX => BusKind::Upgrade,
            BusKind::Upgrade => BusKind::Read,
            BusKind::Fetch => BusKind::Read,
            BusKind::Device => BusKind::Fetch,
            other => other,
        }
    }),
    ("requester", |grant| grant.requester = if grant.requester == 0 { 1 } else { 0 }),
    ("unknown requester", |grant| grant.requester = 3),
    ("the host as requester", |grant| grant.requester = NOBODY),
    ("address", |grant| grant.address ^= 4),
    ("line", |grant| grant.address ^= 0x40),
    ("holders", |grant| grant.holders ^= 2),
    ("supplier", |grant| grant.supplier ^= 1),
    ("way", |grant| grant.way ^= 1),
    ("victim", |grant| grant.victim ^= true),
    ("victim_dirty", |grant| grant.victim_dirty ^= true),
    ("victim_address", |grant| grant.victim_address ^= 0x10),
    ("time", |grant| grant.time ^= 1),
    ("monitored", |grant| grant.monitored ^= true),
    ("meta pc", |grant| meta_changes()[0](&mut grant.meta)),
    ("meta ctx", |grant| meta_changes()[1](&mut grant.meta)),
    ("meta hart", |grant| meta_changes()[2](&mut grant.meta)),
    ("meta time", |grant| meta_changes()[3](&mut grant.meta)),
];

const TAP: &[Change<Tap>] = &[
    ("source pc", |tap| meta_changes()[0](&mut tap.edge.source)),
    ("source ctx", |tap| meta_changes()[1](&mut tap.edge.source)),
    ("source hart", |tap| meta_changes()[2](&mut tap.edge.source)),
    ("source time", |tap| meta_changes()[3](&mut tap.edge.source)),
    ("sink pc", |tap| meta_changes()[0](&mut tap.edge.sink)),
    ("sink ctx", |tap| meta_changes()[1](&mut tap.edge.sink)),
    ("sink hart", |tap| meta_changes()[2](&mut tap.edge.sink)),
    ("sink time", |tap| meta_changes()[3](&mut tap.edge.sink)),
    ("kind", |tap| {
        let kind = tap.edge.kind;
        tap.edge.kind = if kind == EdgeKind::Raw { EdgeKind::Waw } else { EdgeKind::Raw };
    }),
    ("lost", |tap| tap.lost ^= true),
];

const HIT: &[Change<Hit>] = &[
    ("kind", |hit| {
        let next = (hit.kind.code() + 1) % 6;
        hit.kind = HitKind::from_code(next).unwrap();
    }),
    ("address", |hit| hit.address ^= 1),
    ("way", |hit| hit.way ^= 1),
];

const RECORD: &[Change<crate::isa::Retired>] = &[
    ("order", |record| record.order += 1),
    ("insn", |record| record.insn ^= 0x1000),
    ("trap", |record| record.trap ^= true),
    ("cause", |record| {
        let is_illegal = record.cause == Some(Exception::IllegalInstruction.into());
        let other = if is_illegal { Exception::Breakpoint } else { Exception::IllegalInstruction };
        record.cause = Some(other.into());
    }),
    ("intr", |record| record.intr ^= true),
    ("mode", |record| {
        let user = record.mode == Mode::User;
        record.mode = if user { Mode::Machine } else { Mode::User };
    }),
    ("rs1_addr", |record| record.rs1_addr ^= 1),
    ("rs2_addr", |record| record.rs2_addr ^= 1),
    ("rs1_rdata", |record| record.rs1_rdata ^= 1),
    ("rs2_rdata", |record| record.rs2_rdata ^= 1),
    ("rd_addr", |record| record.rd_addr ^= 1),
    // The highest bit: clocks may be slightly off.
    ("rd_wdata", |record| record.rd_wdata ^= 1 << 31),
    ("pc_rdata", |record| record.pc_rdata ^= 4),
    ("pc_wdata", |record| record.pc_wdata ^= 4),
    ("mem_addr", |record| record.mem_addr ^= 4),
    ("mem_rmask", |record| record.mem_rmask ^= 1),
    ("mem_wmask", |record| record.mem_wmask ^= 1),
    ("mem_rdata", |record| record.mem_rdata ^= 0x0101_0101),
    ("mem_wdata", |record| record.mem_wdata ^= 0x0101_0101),
];

/// Fields that riscv-formal leaves to the core.
fn is_free(field: &str, record: &crate::isa::Retired) -> bool {
    let decoded = decode(record.insn);
    match field {
        // A register that is not read may be reported, if its value is correct.
        "rs1_addr" => record.trap || !decoded.reads_rs1,
        "rs2_addr" => record.trap || !decoded.reads_rs2,
        "mem_addr" => record.mem_rmask | record.mem_wmask == 0,
        "mem_rdata" => record.mem_rmask == 0,
        "mem_wdata" => record.mem_wmask == 0,
        _ => false,
    }
}

struct Subject {
    program: Vec<u32>,
    stream: Stream,
}

impl Subject {
    fn new() -> Self {
        let program = busy_program();
        let recording = record(&PARAMETERS, &program, 160, 11);
        let subject = Self { program, stream: recording.stream };
        follow(&PARAMETERS, &subject.program, &subject.stream).expect("a good stream");
        subject
    }

    fn refuses(&self, what: &str, cycle: u64, change: impl Fn(&mut Shown)) {
        let mut stream = self.stream.clone();
        change(stream.get_mut(&cycle).unwrap());
        let outcome = follow(&PARAMETERS, &self.program, &stream);
        assert!(outcome.is_err(), "a wrong {what} in cycle {cycle} went unnoticed");
    }
}

#[test]
fn every_wrong_field_of_a_grant_is_noticed() {
    let subject = Subject::new();
    let mut kinds = std::collections::HashSet::new();
    for (cycle, shown) in &subject.stream {
        let Some(grant) = shown.bus else { continue };
        kinds.insert(grant.kind);
        for (field, change) in GRANT {
            // For a Fetch the address selects the line; another line is another Fetch.
            let other_line = *field == "line" || *field == "requester";
            if grant.kind == BusKind::Fetch && other_line {
                continue;
            }
            subject.refuses(field, *cycle, |shown| change(shown.bus.as_mut().unwrap()));
        }
    }
    assert!(kinds.len() >= 5, "only {kinds:?} were there to change");
}

#[test]
fn every_wrong_field_of_an_edge_is_noticed() {
    let subject = Subject::new();
    let mut edges = 0;
    for (cycle, shown) in &subject.stream {
        if shown.tap.is_none() {
            continue;
        }
        edges += 1;
        for (field, change) in TAP {
            subject.refuses(field, *cycle, |shown| change(shown.tap.as_mut().unwrap()));
        }
        subject.refuses("missing edge", *cycle, |shown| shown.tap = None);
    }
    assert!(edges > 5, "only {edges} edges were there to change");
}

#[test]
fn every_wrong_field_of_a_hit_is_noticed() {
    let subject = Subject::new();
    let mut kinds = std::collections::HashSet::new();
    for (cycle, shown) in &subject.stream {
        for hart in 0..3 {
            let Some(hit) = shown.hits[hart] else { continue };
            kinds.insert(hit.kind);
            for (field, change) in HIT {
                subject.refuses(field, *cycle, |shown| change(shown.hits[hart].as_mut().unwrap()));
            }
            subject.refuses("hart", *cycle, |shown| shown.hits.swap(hart, (hart + 1) % 3));
        }
    }
    assert!(kinds.len() >= 5, "only {kinds:?} were there to change");
}

#[test]
fn every_wrong_field_of_a_record_is_noticed() {
    let subject = Subject::new();
    for (cycle, shown) in &subject.stream {
        for hart in 0..3 {
            let Some(record) = shown.retired[hart] else { continue };
            for (field, change) in RECORD {
                if !is_free(field, &record) {
                    let change = |shown: &mut Shown| change(shown.retired[hart].as_mut().unwrap());
                    subject.refuses(field, *cycle, change);
                }
            }
        }
    }
}

#[test]
fn what_is_missing_or_too_much_is_noticed() {
    let subject = Subject::new();
    let last_of = |hart: usize| {
        let of_hart = |shown: &Shown| shown.retired[hart].is_some();
        subject.stream.iter().filter(|(_, shown)| of_hart(shown)).map(|(cycle, _)| *cycle).max()
    };
    for (cycle, shown) in &subject.stream {
        if let Some(grant) = shown.bus {
            // Fetching a line again that is still present is not an error.
            if grant.kind != BusKind::Fetch {
                subject.refuses("missing grant", *cycle, |shown| {
                    (shown.bus, shown.tap) = (None, None);
                });
            }
        } else {
            let edge = crate::Edge::default();
            let tap = Some(Tap { edge, lost: false });
            subject.refuses("edge without a grant", *cycle, |shown| shown.tap = tap);
            let hosts = Some(BusGrant::plain(BusKind::HostRead, NOBODY, DATA));
            subject.refuses("access of the host", *cycle, |shown| shown.bus = hosts);
            let device = Some(BusGrant::plain(BusKind::Fetch, 0, uart::Word::Data.address()));
            subject.refuses("fetch from a device", *cycle, |shown| shown.bus = device);
        }
        for hart in 0..3 {
            if shown.hits[hart].is_some() {
                subject.refuses("missing hit", *cycle, |shown| shown.hits[hart] = None);
            } else {
                let hit = Some(Hit { kind: HitKind::Load, address: DATA, way: 0 });
                subject.refuses("hit too many", *cycle, |shown| shown.hits[hart] = hit);
            }
            let record = shown.retired[hart];
            if record.is_some() && last_of(hart) != Some(*cycle) {
                subject.refuses("missing record", *cycle, |shown| shown.retired[hart] = None);
            }
        }
        if shown.watched.is_none() {
            let watched = Some(Watched { hart: 0, data: 1 });
            subject.refuses("write to the watched word", *cycle, |shown| shown.watched = watched);
        }
    }
}
