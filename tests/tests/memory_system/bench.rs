//! A run: the memory system among random harts, instruction caches, a host and a memory.

use border::monitor::{self, Word};
use std::collections::{HashMap, VecDeque};

use config::{Overflow, Update};
use cosim::machine::OrderPorts;
use cosim::testing::{Unit, UnitModel};
use golden::memory::{BusGrant, BusKind, Hit, HitKind};
use hdl::elaborate;
use kit::Dice;
use units::bugaboo::Bugaboo;
use units::comm_monitor::CommMonitor;
use units::geometry::Geometry;
use units::memory_system::MemorySystem;
use units::metadata::Fields;
use units::observer::Observers;

use crate::drive::{Agent, Fetcher, Host};
use crate::memory::Memory;
use crate::model::Golden;
use crate::ports::{Ports, to_bytes};
use crate::request::Request;
use crate::speculation::{Speculator, TransactionCounts};
use crate::traffic::{HostRequest, Traffic};

/// A memory system to be run many times.
pub struct System {
    pub unit: Unit,
    pub parameters: MemorySystem,
    pub bugaboo: Option<Bugaboo>,
}

/// Seed and settings of the perturbation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Schedule {
    pub seed: u64,
    pub chance: u64,
    pub burst: u64,
    pub max_stall: u64,
    pub max_passes: u64,
    pub rest_chance: u64,
    pub max_rest: u64,
    pub max_hold: u64,
    pub changes: u64,
    pub change_range: u64,
}

impl Schedule {
    /// The most cycles for which an access of one of so many harts may be held.
    pub fn longest_hold(&self, harts: usize) -> u64 {
        self.max_stall.max(self.max_rest) + (harts as u64 - 1) * self.max_hold
    }
}

pub const TIME_BITS: usize = 32;
const FEW_TIME_BITS: usize = 11;

/// So small that lines have to leave all the time.
pub const SMALL: Geometry = Geometry { ways: 2, sets: 2, line: 8 };

/// The monitor of a test machine.
pub fn monitor(harts: usize, depth: usize, overflow: Overflow) -> CommMonitor {
    let hart_bits = if harts == 1 { 0 } else { hdl::index_width(harts) };
    let fields = Fields { pc_bits: 32, events: 3, hart_bits, time_bits: TIME_BITS };
    CommMonitor { core_pc_bits: 32, fields, depth, overflow }
}

impl System {
    pub fn new(harts: usize, geometry: Geometry, monitor: Option<(CommMonitor, Update)>) -> System {
        let bugaboo = monitor.map(|(monitor, update)| Bugaboo { monitor, update });
        let observers = bugaboo.clone().map_or(Observers::none(), |it| Observers::none().and(it));
        let parameters =
            MemorySystem { harts, geometry, observers, perturbed: true, colored: false };
        System::of(parameters, bugaboo)
    }

    /// The same with ephemeral transactions.
    pub fn colored(self) -> System {
        System::of(MemorySystem { colored: true, ..self.parameters }, self.bugaboo)
    }

    fn of(parameters: MemorySystem, bugaboo: Option<Bugaboo>) -> System {
        let design = elaborate(parameters.clone()).unwrap_or_else(|errors| panic!("{errors}"));
        System { unit: Unit::of(&design), parameters, bugaboo }
    }

    /// Caches of two sets and two ways with monitors, as random traffic and all patterns have them. Three of them number
    /// their transactions in few bits: every bit of a number is used, and numbers start again.
    pub fn monitored(harts: usize, update: Update) -> System {
        let mut monitor = monitor(harts, 4, Overflow::Discard);
        if harts == 3 {
            monitor.fields.time_bits = FEW_TIME_BITS;
        }
        System::new(harts, SMALL, Some((monitor, update)))
    }
}

/// What happened in a cycle, for comparing runs with and without monitors.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    Grant(BusGrant),
    Hit(usize, Hit),
    Response(usize),
}

/// How often what happened.
#[derive(Debug, Default)]
pub struct Counts {
    pub grants: HashMap<BusKind, u64>,
    pub hits: HashMap<HitKind, u64>,
    pub edges: u64,
    pub lost: u64,
    pub withdrawn: u64,
    pub cancelled: u64,
    pub held: u64,
    pub watched: u64,
    pub stalled: u64,
    pub responses: u64,
    /// The most grants out of turn that anybody saw.
    pub passes: u64,
    pub transactions: TransactionCounts,
}

pub struct Run {
    pub(crate) dut: UnitModel,
    pub(crate) ports: Ports,
    pub(crate) order: OrderPorts,
    pub(crate) harts: usize,
    pub golden: Golden,
    pub(crate) memory: Memory,
    pub(crate) agents: Vec<Agent>,
    /// The transactions of each hart; empty in a system without.
    pub(crate) speculators: Vec<Speculator>,
    pub(crate) fetchers: Vec<Fetcher>,
    pub(crate) host: Host,
    pub traffic: Traffic,
    pub(crate) dice: Dice,
    pub(crate) schedule: Schedule,
    pub cycle: u64,
    pub counts: Counts,
    pub events: Vec<(u64, Event)>,
    pub transmitted: Vec<u8>,
    pub received: VecDeque<u8>,
    pub transmitter_ready: bool,
    pub(crate) name: String,
}

impl Run {
    pub fn new(system: &System, traffic: Traffic, schedule: Schedule, seed: u64) -> Run {
        let MemorySystem { harts, geometry, .. } = system.parameters;
        let mut dut = system.unit.model();
        let monitored = system.bugaboo.is_some();
        let ports = Ports::of(&dut, harts, monitored, system.parameters.colored);
        let order = OrderPorts::of(&|name| dut.port(name), harts as u32, monitored);
        dut.set(ports.rst, 1);
        dut.set(ports.seed, schedule.seed);
        dut.set(ports.chance, schedule.chance);
        dut.set(ports.burst, schedule.burst);
        dut.set(ports.max_stall, schedule.max_stall);
        dut.set(ports.max_passes, schedule.max_passes);
        dut.set(ports.rest_chance, schedule.rest_chance);
        dut.set(ports.max_rest, schedule.max_rest);
        dut.set(ports.max_hold, schedule.max_hold);
        dut.set(ports.changes, schedule.changes);
        dut.set(ports.change_range, schedule.change_range);
        let watch = traffic.lines[0] + 4;
        dut.set(ports.watch_address, watch.into());
        dut.tick().expect("reset");
        dut.set(ports.rst, 0);
        Run {
            dut,
            ports,
            order: order.unwrap_or_else(|port| panic!("there is no port `{port}`")),
            harts,
            golden: Golden::new(system, &traffic.lines, watch),
            memory: Memory::new(geometry.line, 6, seed ^ 1),
            agents: (0..harts).map(|_| Agent::default()).collect(),
            speculators: Speculator::of(&system.parameters, seed),
            fetchers: (0..harts).map(|_| Fetcher::default()).collect(),
            host: Host::default(),
            traffic,
            dice: Dice::new(seed),
            schedule,
            cycle: 0,
            counts: Counts::default(),
            events: Vec::new(),
            transmitted: Vec::new(),
            received: VecDeque::new(),
            transmitter_ready: true,
            name: format!("{harts} harts, seed {seed:#x}, {schedule:?}"),
        }
    }

    pub fn step(&mut self) {
        self.drive();
        if let Err(failure) = self.dut.tick() {
            panic!("{}: cycle {}: {failure:?}", self.name, self.cycle);
        }
        self.sample();
        self.cycle += 1;
    }

    /// Runs so many cycles.
    pub fn run(&mut self, cycles: u64) -> &mut Self {
        for _ in 0..cycles {
            self.step();
        }
        self
    }

    /// Waits until everything that was offered is answered.
    pub fn settle(&mut self) -> &mut Self {
        for _ in 0..100_000 {
            let idle = (0..self.harts).all(|hart| self.is_idle(hart))
                && self.fetchers.iter().all(|f| f.wants.is_none() && f.due.is_none())
                && self.host.wants.is_none()
                && self.host.due.is_none();
            if idle {
                return self;
            }
            self.step();
        }
        panic!("{}: cycle {}: something is never answered", self.name, self.cycle);
    }

    /// Stops all traffic, waits until everything is answered, and looks at what is left behind.
    pub fn drain(&mut self) -> &mut Self {
        self.traffic.busy = 0;
        self.traffic.withdraws = 0;
        self.traffic.cancels = 0;
        self.traffic.fetches = 0;
        self.traffic.host = 0;
        self.traffic.walks = 0;
        self.traffic.begins = 0;
        self.traffic.commits = 100;
        self.settle().check_the_rest();
        self
    }

    /// Has every hart's monitor record everything.
    pub fn record(&mut self) -> &mut Self {
        for hart in 0..self.harts as u32 {
            self.set_filter(hart, 0xffff_ffff, 7);
        }
        self
    }

    /// Has a hart's monitor record code up to an address, in the modes that `control` selects.
    pub fn set_filter(&mut self, hart: u32, range_high: u32, control: u32) {
        self.host_device_write(monitor::address(hart, Word::RangeHigh), range_high);
        self.host_device_write(monitor::address(hart, Word::Control), control);
    }

    /// Has the host empty a hart's table, while the others go on.
    pub fn empty_table(&mut self, hart: u32) {
        let host = std::mem::take(&mut self.traffic.host);
        for _ in 0..10_000 {
            if self.host.wants.is_none() && self.host.due.is_none() {
                break;
            }
            self.step();
        }
        assert!(self.host.wants.is_none(), "{}: the host is never answered", self.name);
        self.host_device_write(monitor::address(hart, Word::TableControl), 1);
        self.traffic.host = host;
    }

    /// Has a hart make one access, and waits for the answer.
    pub fn access(&mut self, hart: usize, request: Request) -> u64 {
        self.agents[hart].offer = Some(request);
        let before = self.counts.responses;
        for _ in 0..10_000 {
            self.step();
            if self.counts.responses > before {
                let late = self.dut.get(self.ports.late[hart]) == 1;
                let ports = &self.ports;
                return self.dut.get(if late {
                    ports.late_data[hart]
                } else {
                    ports.response_data[hart]
                });
            }
        }
        panic!("{}: hart {hart} is never answered", self.name);
    }

    /// Has the host write a device's word.
    pub fn host_device_write(&mut self, address: u32, word: u32) {
        let mut data = vec![0; self.traffic.line as usize];
        data[..4].copy_from_slice(&word.to_le_bytes());
        self.host_access(HostRequest { write: true, address, data, mask: 0 });
    }

    /// Has the host read a device's word.
    pub fn host_device_read(&mut self, address: u32) -> u32 {
        let data = vec![0; self.traffic.line as usize];
        let answer = self.host_access(HostRequest { write: false, address, data, mask: 0 });
        u32::from_le_bytes(answer[..4].try_into().expect("four bytes"))
    }

    /// Has the host ask for something.
    pub fn ask_as_host(&mut self, request: HostRequest) {
        self.host.wants = Some(request);
    }

    /// Has the host do something, and waits for the answer.
    pub fn host_access(&mut self, request: HostRequest) -> Vec<u8> {
        self.ask_as_host(request);
        for _ in 0..10_000 {
            self.step();
            if self.host.wants.is_none() && self.host.due.is_none() {
                return to_bytes(self.dut.get_wide(self.ports.host_response_payload));
            }
        }
        panic!("{}: the host is never answered", self.name);
    }

    /// An output by its name, as in the last cycle.
    pub fn peek(&self, name: &str) -> u64 {
        self.dut.peek(name)
    }

    /// Whether an access of this hart waits for room in its table.
    pub fn waits_for_room(&self, hart: usize) -> bool {
        self.dut.get(self.ports.waiting[hart]) == 3
    }

    pub fn offer(&mut self, hart: usize, request: Request) {
        self.agents[hart].offer = Some(request);
    }

    pub fn is_idle(&self, hart: usize) -> bool {
        let agent = &self.agents[hart];
        let is_closed = self.speculators.get(hart).is_none_or(Speculator::is_closed);
        agent.current.is_none() && agent.offer.is_none() && is_closed
    }
}
