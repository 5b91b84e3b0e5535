//! Decodes the exports of one cycle (docs/machine.md §5) into the golden model's types.

use border::Doing;
use border::interrupt::Cause;
use golden::Mode;
use golden::breakpoint::Events;
use golden::isa::Retired;
use golden::memory::{BusGrant, Hit, Tap};

use super::ports::{Ports, RvfiPorts};
use crate::{Model, PortId};

/// What a hart is executing or waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// PC of the instruction.
    pub pc: u32,
    /// Code of the reason; 0 if the hart is running.
    pub reason: u8,
}

impl Wait {
    /// Code for waiting for an interrupt.
    pub const WFI: u8 = 5;
    /// Code for being held: by a breakpoint, which lets go by itself, or by `run`.
    pub const HELD: u8 = 6;

    /// The reason as text.
    pub fn doing(&self) -> Doing {
        Doing::Waiting(match self.reason {
            0 => return Doing::Running,
            1 => "waiting for instructions",
            2 => "waiting for the bus",
            3 => "waiting for a device",
            4 => "waiting for room in the communication table",
            5 => "waiting for an interrupt (wfi)",
            6 => "held at a breakpoint",
            _ => "held in reset",
        })
    }
}

/// The exports of one cycle, decoded on demand.
#[derive(Clone, Copy)]
pub struct Observed<'a> {
    model: &'a Model,
    ports: &'a Ports,
}

impl<'a> Observed<'a> {
    pub(super) fn new(model: &'a Model, ports: &'a Ports) -> Self {
        Self { model, ports }
    }

    #[inline]
    fn get(&self, port: PortId) -> u64 {
        self.model.get(port)
    }

    #[inline]
    fn flag(&self, port: PortId) -> bool {
        self.model.get(port) != 0
    }

    /// The transaction granted in this cycle.
    #[inline]
    pub fn bus(&self) -> Option<BusGrant> {
        self.ports.order.bus(self.model)
    }

    /// The edge offered to a table in this cycle.
    #[inline]
    pub fn tap(&self) -> Option<Tap> {
        self.ports.order.tap(self.model)
    }

    /// The access of a hart that was ordered in this cycle without a bus transaction.
    #[inline]
    pub fn hit(&self, hart: usize) -> Option<Hit> {
        self.ports.order.hit(self.model, hart)
    }

    /// The instruction that a hart retired in this cycle.
    #[inline]
    pub fn retired(&self, hart: usize) -> Option<Retired> {
        let rvfi = &self.ports.harts[hart].rvfi;
        self.flag(rvfi.valid).then(|| self.record(rvfi))
    }

    /// What happens to a hart at a breakpoint in this cycle; no events in a machine without any.
    #[inline]
    pub fn breakpoint(&self, hart: usize) -> Events {
        let Some(ports) = &self.ports.harts[hart].breakpoint else { return Events::default() };
        match self.get(ports.events) as u32 {
            0 => Events::default(),
            events => Events {
                events,
                entry: self.get(ports.entry) as usize,
                party: self.get(ports.party) as usize,
                value: (self.get(ports.first) as u32, self.get(ports.second) as u32),
            },
        }
    }

    /// The hart's visit to a breakpoint ends in this cycle.
    #[inline]
    pub fn visit_ends(&self, hart: usize) -> bool {
        self.ports.harts[hart].breakpoint.is_some_and(|ports| self.flag(ports.ended))
    }

    /// The entries of the breakpoints whose `control` is written in this cycle, a bit each.
    #[inline]
    pub fn breakpoints_cleared(&self) -> u32 {
        self.ports.breakpoints_cleared.map_or(0, |port| self.get(port) as u32)
    }

    fn record(&self, rvfi: &RvfiPorts) -> Retired {
        let (trap, mcause) = (self.flag(rvfi.trap), self.get(rvfi.cause) as u32);
        Retired {
            order: self.get(rvfi.order),
            insn: self.get(rvfi.insn) as u32,
            trap,
            cause: (trap || mcause != 0).then(|| Cause::of_mcause(mcause)),
            intr: self.flag(rvfi.intr),
            mode: if self.get(rvfi.mode) == 3 { Mode::Machine } else { Mode::User },
            rs1_addr: self.get(rvfi.rs1_addr) as u8,
            rs2_addr: self.get(rvfi.rs2_addr) as u8,
            rs1_rdata: self.get(rvfi.rs1_rdata) as u32,
            rs2_rdata: self.get(rvfi.rs2_rdata) as u32,
            rd_addr: self.get(rvfi.rd_addr) as u8,
            rd_wdata: self.get(rvfi.rd_wdata) as u32,
            pc_rdata: self.get(rvfi.pc_rdata) as u32,
            pc_wdata: self.get(rvfi.pc_wdata) as u32,
            mem_addr: self.get(rvfi.mem_addr) as u32,
            mem_rmask: self.get(rvfi.mem_rmask) as u8,
            mem_wmask: self.get(rvfi.mem_wmask) as u8,
            mem_rdata: self.get(rvfi.mem_rdata) as u32,
            mem_wdata: self.get(rvfi.mem_wdata) as u32,
        }
    }

    /// What a hart is executing or waiting for.
    #[inline]
    pub fn wait(&self, hart: usize) -> Wait {
        let ports = &self.ports.harts[hart];
        Wait { pc: self.get(ports.wait_pc) as u32, reason: self.get(ports.wait_reason) as u8 }
    }

    /// Which events of a hart happen in this cycle, in the order of [`Event::ALL`](border::event::Event::ALL); none
    /// on a machine that does not count them.
    pub fn events(&self, hart: usize) -> impl Iterator<Item = bool> {
        self.ports.harts[hart].events.iter().map(|&port| self.flag(port))
    }

    /// Number of harts.
    pub fn harts(&self) -> usize {
        self.ports.harts.len()
    }
}
