//! The pins of `comm_monitor` as its contract speaks of them.

use crate::simulators::{Dut, Subject};
use border::monitor::{EdgeKind, Index, Word};
use config::Overflow;
use hdl::HwEnum;
use units::comm_monitor::{AccessKind, CommMonitor};
use units::context_register::Event;
use units::metadata::Fields;

pub const FIELDS: Fields = Fields { pc_bits: 64, events: 4, hart_bits: 2, time_bits: 16 };
pub const MONITOR: CommMonitor =
    CommMonitor { core_pc_bits: 64, fields: FIELDS, depth: 4, overflow: Overflow::Discard };
pub const HART: u64 = 2;

/// Bits of the filter.
pub const ENABLE: u64 = 1;
pub const SELECT_U: u64 = 2;
pub const SELECT_M: u64 = 4;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Meta {
    pub pc: u64,
    pub ctx: u64,
    pub hart: u64,
    pub time: u64,
}

pub const NULL: Meta = Meta { pc: 0, ctx: 0, hart: 0, time: 0 };

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    pub source: Meta,
    pub sink: Meta,
    pub kind: EdgeKind,
}

/// An access as a test varies it.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub kind: AccessKind,
    pub pc: u64,
    pub machine_mode: bool,
    pub communicating: bool,
    pub from_memory: bool,
    pub meta: Meta,
    pub time: u64,
}

/// A communicating Read in U mode, inside the range that [`Bench::monitoring`] sets.
pub const READ: Access = Access {
    kind: AccessKind::Read,
    pc: 0x1_0000_0104,
    machine_mode: false,
    communicating: true,
    from_memory: false,
    meta: Meta { pc: 0x1_0000_0abc, ctx: 0x5a, hart: 1, time: 0x1234 },
    time: 0x4321,
};
pub const UPGRADE: Access = Access { kind: AccessKind::Upgrade, ..READ };
pub const READ_X: Access = Access { kind: AccessKind::ReadX, ..READ };
pub const FROM_MEMORY: Access = Access { communicating: false, from_memory: true, ..READ };

pub struct Bench<'a> {
    pub dut: &'a mut Dut,
}

impl Bench<'_> {
    /// On both simulators.
    pub fn with(monitor: CommMonitor, contract: impl Fn(&mut Bench<'_>)) {
        Subject::of(monitor).each(|dut| {
            if dut.has("hart") {
                dut.set("hart", HART);
            }
            contract(&mut Bench { dut });
        });
    }

    /// With U mode selected and a range around the pc of [`READ`].
    pub fn monitoring(monitor: CommMonitor, contract: impl Fn(&mut Bench<'_>)) {
        Bench::with(monitor, |bench| {
            bench.write(Word::Control, ENABLE | SELECT_U);
            bench.set_range(0x1_0000_0100, 0x1_0000_0200);
            contract(bench);
        });
    }

    pub fn set_range(&mut self, low: u64, high: u64) {
        self.write(Word::RangeLow, low & 0xffff_ffff);
        self.write(Word::RangeHigh, high & 0xffff_ffff);
        self.write(Word::RangeLowUpper, low >> 32);
        self.write(Word::RangeHighUpper, high >> 32);
    }

    /// Presents an access without making it valid.
    pub fn present(&mut self, access: Access) {
        let Access { meta, .. } = access;
        for (port, value) in [
            ("kind", access.kind.code()),
            ("pc", access.pc),
            ("machine_mode", access.machine_mode.into()),
            ("communicating", access.communicating.into()),
            ("from_memory", access.from_memory.into()),
            ("meta_pc", meta.pc),
            ("meta_ctx", meta.ctx),
            ("meta_hart", meta.hart),
            ("meta_time", meta.time),
            ("time", access.time),
        ] {
            self.dut.set(&format!("access_{port}"), value);
        }
    }

    /// One cycle; then nothing is asked any more.
    pub fn step(&mut self) {
        self.dut.step();
        for valid in ["access_valid", "snoop_valid", "read_valid", "write_valid"] {
            self.dut.set(valid, 0);
        }
    }

    /// Makes an access; gives the edge it pushes.
    pub fn access(&mut self, access: Access) -> Option<Edge> {
        self.present(access);
        self.dut.set("access_valid", 1);
        let edge = self.tap();
        self.step();
        edge
    }

    pub fn snoop(&mut self, write: bool) {
        self.dut.set("snoop_valid", 1);
        self.dut.set("snoop_write", write.into());
        self.step();
    }

    pub fn write(&mut self, word: impl Into<Index>, data: u64) {
        self.dut.set("write_valid", 1);
        self.dut.set("address", word.into().number().into());
        self.dut.set("write_data", data);
        self.step();
    }

    pub fn read(&mut self, word: impl Into<Index>) -> u64 {
        self.dut.set("read_valid", 1);
        self.dut.set("address", word.into().number().into());
        self.step();
        self.dut.get("read_data")
    }

    pub fn meta(&mut self, name: &str) -> Meta {
        let mut part = |part: &str| self.dut.get(&format!("{name}_{part}"));
        Meta { pc: part("pc"), ctx: part("ctx"), hart: part("hart"), time: part("time") }
    }

    pub fn store_meta(&mut self) -> Meta {
        self.meta("store_meta")
    }

    pub fn monitored(&mut self) -> bool {
        self.dut.is("monitored")
    }

    pub fn stall(&mut self) -> bool {
        self.dut.is("stall")
    }

    pub fn tap(&mut self) -> Option<Edge> {
        self.dut.is("tap_valid").then(|| Edge {
            source: self.meta("tap_edge_source"),
            sink: self.meta("tap_edge_sink"),
            kind: EdgeKind::numbered(self.dut.get("tap_edge_kind") as u32).unwrap(),
        })
    }

    pub fn ctx(&mut self) -> u64 {
        self.read(Word::Context)
    }
}

pub fn context(events: &[Event]) -> u64 {
    events.iter().fold(0, |ctx, event| ctx << 2 | event.code()) & 0xff
}

pub fn sink(access: Access, ctx: u64) -> Meta {
    Meta { pc: access.pc, ctx, hart: HART, time: access.time }
}
