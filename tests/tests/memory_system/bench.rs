//! A run: the memory system among random harts, instruction caches, a host and a memory, checked
//! against the reference in every cycle.

use std::collections::{HashMap, VecDeque};

use config::{Overflow, Update};
use cosim::testing::{Unit, UnitModel};
use hdl::{HwEnum, elaborate};
use units::comm_monitor::CommMonitor;
use units::data_port::AccessOp;
use units::geometry::Geometry;
use units::memory_system::MemorySystem;
use units::metadata::Fields;

use crate::devices::Devices;
use crate::dice::Dice;
use crate::memory::Memory;
use crate::ports::{Ports, join_words, split_words};
use crate::reference::*;
use crate::traffic::{HostRequest, Traffic};

/// A memory system to be run many times.
pub struct System {
    pub unit: Unit,
    pub parameters: MemorySystem,
}

/// Seed and bounds of the perturbation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Schedule {
    pub seed: u64,
    pub chance: u64,
    pub burst: u64,
    pub max_stall: u64,
    pub max_passes: u64,
}

pub const TIME_BITS: usize = 32;

/// The monitor of a test machine.
pub fn monitor(harts: usize, depth: usize, overflow: Overflow) -> CommMonitor {
    let hart_bits = if harts == 1 { 0 } else { hdl::index_width(harts) };
    let fields = Fields { pc_bits: 32, events: 3, hart_bits, time_bits: TIME_BITS };
    CommMonitor { core_pc_bits: 32, fields, depth, overflow }
}

impl System {
    pub fn new(harts: usize, geometry: Geometry, monitor: Option<(CommMonitor, Update)>) -> System {
        System::with_time(harts, geometry, monitor, TIME_BITS)
    }

    pub fn with_time(
        harts: usize,
        geometry: Geometry,
        monitor: Option<(CommMonitor, Update)>,
        time_bits: usize,
    ) -> System {
        let parameters = MemorySystem { harts, geometry, monitor, time_bits, perturbed: true };
        let design = elaborate(parameters.clone()).unwrap_or_else(|errors| panic!("{errors}"));
        System { unit: Unit::of(&design), parameters }
    }
}

/// What a hart is doing.
#[derive(Default)]
struct Agent {
    /// What it offers.
    offer: Option<Request>,
    /// What it offered last.
    last: Option<Request>,
    /// What was taken.
    current: Option<Request>,
    /// The answer that is due, once the access is ordered, and the word that it writes.
    due: Option<(Response, Option<u32>)>,
    withdraws: bool,
    /// Grants to each other requester while it waits.
    overtaken: HashMap<u64, u64>,
    /// Cycles for which the access was held back.
    held: u64,
}

/// An instruction cache.
#[derive(Default)]
struct Fetcher {
    wants: Option<u32>,
    due: Option<Vec<u32>>,
}

/// The host.
#[derive(Default)]
struct Host {
    wants: Option<HostRequest>,
    due: Option<Vec<u32>>,
}

/// What happened in a cycle, for comparing runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    Grant(Grant),
    Hit(usize, Hit),
    Response(usize),
}

/// How often what happened.
#[derive(Debug, Default)]
pub struct Counts {
    pub grants: HashMap<u64, u64>,
    pub hits: HashMap<u64, u64>,
    pub withdrawn: u64,
    pub held: u64,
    pub watched: u64,
    pub stalled: u64,
    pub responses: u64,
    /// The most grants out of turn that anybody saw.
    pub passes: u64,
}

pub struct Run {
    dut: UnitModel,
    ports: Ports,
    harts: usize,
    pub reference: Reference,
    devices: Devices,
    memory: Memory,
    agents: Vec<Agent>,
    fetchers: Vec<Fetcher>,
    host: Host,
    pub traffic: Traffic,
    dice: Dice,
    schedule: Schedule,
    pub cycle: u64,
    watch: u32,
    pub counts: Counts,
    pub events: Vec<(u64, Event)>,
    /// Windows answer what monitors say: not predicted here.
    monitored: bool,
    /// What the device gives is looked at by the test.
    pub ignore_device_data: bool,
    pub transmitted: Vec<u8>,
    pub received: VecDeque<u8>,
    pub transmitter_ready: bool,
    name: String,
}

impl Run {
    pub fn new(system: &System, traffic: Traffic, schedule: Schedule, seed: u64) -> Run {
        let MemorySystem { harts, geometry, .. } = system.parameters;
        let mut dut = system.unit.model();
        let ports = Ports::of(&dut, harts);
        dut.set(ports.rst, 1);
        dut.set(ports.seed, schedule.seed);
        dut.set(ports.chance, schedule.chance);
        dut.set(ports.burst, schedule.burst);
        dut.set(ports.max_stall, schedule.max_stall);
        dut.set(ports.max_passes, schedule.max_passes);
        let watch = traffic.lines[0] + 4;
        dut.set(ports.watch_address, watch.into());
        dut.tick().expect("reset");
        dut.set(ports.rst, 0);
        Run {
            dut,
            ports,
            harts,
            reference: Reference::new(harts, geometry, system.parameters.time_bits),
            devices: Devices::new(harts),
            memory: Memory::new(geometry.line, 6, seed ^ 1),
            agents: (0..harts).map(|_| Agent::default()).collect(),
            fetchers: (0..harts).map(|_| Fetcher::default()).collect(),
            host: Host::default(),
            traffic,
            dice: Dice::new(seed),
            schedule,
            cycle: 0,
            watch,
            counts: Counts::default(),
            events: Vec::new(),
            monitored: system.parameters.monitor.is_some(),
            ignore_device_data: false,
            transmitted: Vec::new(),
            received: VecDeque::new(),
            transmitter_ready: true,
            name: format!("{} harts, seed {seed:#x}, {schedule:?}", harts),
        }
    }

    /// Runs so many cycles.
    pub fn run(&mut self, cycles: u64) -> &mut Self {
        for _ in 0..cycles {
            self.step();
        }
        self
    }

    /// Stops all traffic and waits until everything is answered.
    pub fn drain(&mut self) -> &mut Self {
        self.traffic.busy = 0;
        self.traffic.withdraws = 0;
        self.traffic.fetches = 0;
        self.traffic.host = 0;
        for _ in 0..100_000 {
            let idle = self.agents.iter().all(|a| a.current.is_none() && a.offer.is_none())
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

    /// Has a hart make one access, and waits for the answer.
    pub fn access(&mut self, hart: usize, request: Request) -> u64 {
        self.agents[hart].offer = Some(request);
        let before = self.counts.responses;
        for _ in 0..10_000 {
            self.step();
            if self.counts.responses > before {
                return self.dut.get(self.ports.response_data[hart]);
            }
        }
        panic!("{}: hart {hart} is never answered", self.name);
    }

    /// Has the host write a device's word.
    pub fn host_device_write(&mut self, address: u32, word: u32) {
        let mut words = vec![0; self.traffic.line as usize / 4];
        words[0] = word;
        self.host.wants = Some(HostRequest { write: true, address, words, mask: 0 });
        self.drain_host();
    }

    /// Has the host read a device's word.
    pub fn host_device_read(&mut self, address: u32) -> u32 {
        let words = vec![0; self.traffic.line as usize / 4];
        self.host.wants = Some(HostRequest { write: false, address, words, mask: 0 });
        self.drain_host()
    }

    fn drain_host(&mut self) -> u32 {
        for _ in 0..10_000 {
            self.step();
            if self.host.wants.is_none() && self.host.due.is_none() {
                return split_words(self.dut.get_wide(self.ports.host_response_payload))[0];
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
        self.agents[hart].current.is_none() && self.agents[hart].offer.is_none()
    }

    pub fn step(&mut self) {
        self.drive();
        if let Err(failure) = self.dut.tick() {
            panic!("{}: cycle {}: {failure:?}", self.name, self.cycle);
        }
        self.sample();
        self.cycle += 1;
    }

    fn drive(&mut self) {
        let Run { dut, ports, traffic, dice, .. } = self;
        self.memory.drive(dut, ports);
        for (hart, agent) in self.agents.iter_mut().enumerate() {
            if agent.offer.is_none() && dice.chance(traffic.busy) {
                agent.offer = Some(traffic.request(dice, agent.last));
                agent.last = agent.offer;
            }
            dut.set(ports.request_valid[hart], u64::from(agent.offer.is_some()));
            if let Some(request) = &agent.offer {
                dut.set(ports.request_address[hart], request.address.into());
                dut.set(ports.request_op[hart], request.op.code());
                dut.set(ports.request_amo[hart], request.amo.code());
                dut.set(ports.request_mask[hart], request.mask.into());
                dut.set(ports.request_data[hart], request.data.into());
                dut.set(ports.request_pc[hart], request.pc.into());
                dut.set(ports.request_machine_mode[hart], request.machine_mode.into());
            }
            agent.withdraws = dice.chance(traffic.withdraws);
            dut.set(ports.withdraw[hart], agent.withdraws.into());
        }
        for (hart, fetcher) in self.fetchers.iter_mut().enumerate() {
            let free = fetcher.wants.is_none() && fetcher.due.is_none();
            if free && dice.chance(traffic.fetches) {
                fetcher.wants = Some(traffic.any_line(dice));
            }
            dut.set(ports.fetch_valid[hart], fetcher.wants.is_some().into());
            dut.set(ports.fetch_address[hart], fetcher.wants.unwrap_or(0).into());
        }
        let free = self.host.wants.is_none() && self.host.due.is_none();
        if free && dice.chance(traffic.host) {
            self.host.wants = Some(traffic.host_request(dice));
        }
        dut.set(ports.host_request_valid, self.host.wants.is_some().into());
        if let Some(request) = &self.host.wants {
            dut.set(ports.host_request_write, request.write.into());
            dut.set(ports.host_request_address, request.address.into());
            dut.set_wide(ports.host_request_data, &join_words(&request.words));
            dut.set_wide(ports.host_request_mask, &[request.mask]);
        }
        dut.set(ports.host_response_ready, dice.chance(70).into());
        dut.set(ports.uart_tx_ready, self.transmitter_ready.into());
        dut.set(ports.uart_rx_valid, (!self.received.is_empty()).into());
        dut.set(ports.uart_rx_payload, self.received.front().copied().unwrap_or(0).into());
    }

    fn sample(&mut self) {
        self.memory.sample(&self.dut, &self.ports);
        if self.dut.get(self.ports.bus_valid) == 1 {
            self.sample_grant();
        }
        for hart in 0..self.harts {
            self.sample_hit(hart);
        }
        let mut written = None;
        for hart in 0..self.harts {
            if let Some(word) = self.sample_hart(hart) {
                assert!(written.is_none(), "two harts write one word");
                written = Some((hart as u64, u64::from(word)));
            }
            self.sample_fetch(hart);
        }
        self.sample_host();
        let get = |port| self.dut.get(port);
        if get(self.ports.uart_tx_valid) == 1 && self.transmitter_ready {
            self.transmitted.push(get(self.ports.uart_tx_payload) as u8);
        }
        if get(self.ports.uart_rx_ready) == 1 {
            self.received.pop_front();
        }
        let watched = (get(self.ports.watch_valid) == 1)
            .then(|| (get(self.ports.watch_hart), get(self.ports.watch_data)));
        assert_eq!(watched, written, "{}: cycle {}: watch", self.name, self.cycle);
        self.counts.watched += u64::from(watched.is_some());
    }

    fn sample_grant(&mut self) {
        let get = |port| self.dut.get(port);
        let ports = &self.ports;
        let grant = Grant {
            kind: get(ports.bus_kind),
            requester: get(ports.bus_requester),
            address: get(ports.bus_address) as u32,
            holders: get(ports.bus_holders),
            supplier: get(ports.bus_supplier),
            way: get(ports.bus_way),
            victim: get(ports.bus_victim) == 1,
            victim_dirty: get(ports.bus_victim_dirty) == 1,
            victim_address: get(ports.bus_victim_address) as u32,
            time: get(ports.bus_time),
        };
        *self.counts.grants.entry(grant.kind).or_default() += 1;
        self.events.push((self.cycle, Event::Grant(grant)));
        let name = format!("{}: cycle {}: {grant:x?}", self.name, self.cycle);
        let Grant { kind, requester, .. } = grant;
        let expected = match (kind, requester) {
            (FETCH, _) => {
                let fetcher = &mut self.fetchers[requester as usize];
                let address = fetcher.wants.take().unwrap_or_else(|| panic!("{name}: no fetch"));
                let (expected, words) = self.reference.plain_grant(kind, requester, address);
                fetcher.due = Some(words);
                expected
            }
            (_, NOBODY) => self.host_grant(&name),
            _ => {
                let hart = requester as usize;
                let agent = &mut self.agents[hart];
                let request = agent.current.unwrap_or_else(|| panic!("{name}: no access"));
                assert!(agent.due.is_none(), "{name}: ordered twice");
                assert_eq!(self.dut.get(self.ports.withdrawable[hart]), 0, "{name}");
                self.check_turn(hart, &name);
                if request.is_device() {
                    let data = self.devices.access(&request, self.cycle + 1);
                    let data = if request.reads() { data } else { 0 };
                    self.agents[hart].due = Some((Response { data, ..Default::default() }, None));
                    Grant {
                        kind: DEVICE,
                        requester,
                        address: request.address,
                        supplier: NOBODY,
                        ..Grant::default()
                    }
                } else {
                    let (expected, response) = self.reference.grant(hart, &request);
                    let word = self.watched_word(&request, response);
                    self.agents[hart].due = Some((response, word));
                    expected
                }
            }
        };
        assert_eq!(grant, expected, "{name}");
        for (hart, agent) in self.agents.iter_mut().enumerate() {
            let data = kind != FETCH && requester == hart as u64;
            if !data {
                let who = if kind == FETCH { 100 + requester } else { requester };
                *agent.overtaken.entry(who).or_default() += 1;
            }
        }
    }

    /// Nobody may be granted more than once before one that waits, but for grants out of turn.
    fn check_turn(&mut self, hart: usize, name: &str) {
        let more: u64 = self.agents[hart].overtaken.values().map(|grants| grants - 1).sum();
        let bound = if self.schedule.seed == 0 { 0 } else { self.schedule.max_passes };
        assert!(more <= bound, "{name}: waited for {:?}", self.agents[hart].overtaken);
        self.counts.passes = self.counts.passes.max(more);
    }

    fn host_grant(&mut self, name: &str) -> Grant {
        let request = self.host.wants.clone().unwrap_or_else(|| panic!("{name}: no host"));
        let HostRequest { write, address, words, mask } = &request;
        if address >> 31 == 0 {
            let data = self.devices.host_access(&request, self.cycle + 1);
            let mut line = vec![0; words.len()];
            line[0] = if *write { 0 } else { data };
            self.host.due = Some(line);
            return Grant {
                kind: DEVICE,
                requester: NOBODY,
                address: *address,
                supplier: NOBODY,
                ..Grant::default()
            };
        }
        let kind = if *write { HOST_WRITE } else { HOST_READ };
        let (expected, line) = self.reference.plain_grant(kind, NOBODY, *address);
        self.host.due = Some(if *write { vec![0; words.len()] } else { line });
        if *write {
            self.reference.host_write(*address, words, *mask);
        }
        expected
    }

    fn watched_word(&self, request: &Request, response: Response) -> Option<u32> {
        let writes = !request.reads() && !response.failed && !request.is_device();
        (writes && request.address & !3 == self.watch).then(|| self.reference.word(self.watch))
    }

    fn sample_hit(&mut self, hart: usize) {
        let get = |port| self.dut.get(port);
        let ports = &self.ports;
        if get(ports.hit_valid[hart]) == 0 {
            return;
        }
        let hit = Hit {
            kind: get(ports.hit_kind[hart]),
            address: get(ports.hit_address[hart]) as u32,
            way: get(ports.hit_way[hart]),
        };
        let name = format!("{}: cycle {}: hart {hart} {hit:x?}", self.name, self.cycle);
        assert_eq!(get(ports.held[hart]), 0, "{name}: held back");
        assert_eq!(get(ports.withdrawable[hart]), 0, "{name}");
        assert_eq!(get(ports.response_valid[hart]), 1, "{name}: a hit is complete at once");
        *self.counts.hits.entry(hit.kind).or_default() += 1;
        self.events.push((self.cycle, Event::Hit(hart, hit)));
        let agent = &self.agents[hart];
        let request = agent.current.unwrap_or_else(|| panic!("{name}: no access"));
        assert!(agent.due.is_none(), "{name}: ordered twice");
        let (expected, response) = self.reference.hit(hart, &request);
        assert_eq!(hit, expected, "{name}");
        let word = self.watched_word(&request, response);
        self.agents[hart].due = Some((response, word));
    }

    /// The answer of a hart, and what it offers. Gives the watched word if it is written.
    fn sample_hart(&mut self, hart: usize) -> Option<u32> {
        let get = |port| self.dut.get(port);
        let ports = &self.ports;
        let name = || format!("{}: cycle {}: hart {hart}", self.name, self.cycle);
        let held = get(ports.held[hart]) == 1;
        let waiting = get(ports.waiting[hart]);
        let withdrawable = get(ports.withdrawable[hart]) == 1;
        let taken = get(ports.request_valid[hart]) == 1 && get(ports.request_ready[hart]) == 1;
        let answered = get(ports.response_valid[hart]) == 1;
        let agent = &mut self.agents[hart];
        let mut watched = None;
        if agent.current.is_some() {
            agent.held += u64::from(held);
            self.counts.held += u64::from(held);
            assert!(agent.held <= self.schedule.max_stall, "{}: held too long", name());
        }
        if !matches!(waiting, 1 | 2) || agent.due.is_some() {
            agent.overtaken.clear();
        }
        self.counts.stalled += u64::from(waiting == 3);
        if answered {
            let (expected, word) = agent.due.take().unwrap_or_else(|| panic!("{}", name()));
            watched = word;
            let request = agent.current.take().unwrap_or_else(|| panic!("{}", name()));
            let mut actual = Response {
                data: get(ports.response_data[hart]) as u32,
                written: get(ports.response_written[hart]) as u32,
                failed: get(ports.response_failed[hart]) == 1,
            };
            let open = self.monitored && self.devices.is_window(request.address)
                || self.ignore_device_data && request.is_device();
            if open && request.op == AccessOp::Load {
                actual.data = expected.data;
            }
            assert_eq!(actual, expected, "{}: {request:x?}", name());
            self.counts.responses += 1;
            self.events.push((self.cycle, Event::Response(hart)));
        } else if agent.withdraws && withdrawable {
            assert!(agent.current.take().is_some() && agent.due.is_none(), "{}", name());
            self.counts.withdrawn += 1;
        } else {
            assert!(!withdrawable || agent.due.is_none(), "{}: ordered", name());
        }
        if taken {
            assert!(agent.current.is_none(), "{}: taken too early", name());
            agent.current = agent.offer.take();
            agent.overtaken.clear();
            agent.held = 0;
        }
        watched
    }

    fn sample_fetch(&mut self, hart: usize) {
        if self.dut.get(self.ports.fetch_response_valid[hart]) == 0 {
            return;
        }
        let line = split_words(self.dut.get_wide(self.ports.fetch_response_line[hart]));
        let due = self.fetchers[hart].due.take();
        assert_eq!(Some(line), due, "{}: cycle {}: fetch {hart}", self.name, self.cycle);
    }

    fn sample_host(&mut self) {
        let get = |port| self.dut.get(port);
        if get(self.ports.host_request_valid) == 1 && get(self.ports.host_request_ready) == 1 {
            assert!(self.host.due.is_some(), "{}: the host is taken unordered", self.name);
            self.host.wants = None;
        }
        if get(self.ports.host_response_valid) == 1 && get(self.ports.host_response_ready) == 1 {
            let line = split_words(self.dut.get_wide(self.ports.host_response_payload));
            let due = self.host.due.take();
            let open = due.as_ref().is_some_and(|_| self.monitored) && self.devices.host_window;
            assert!(open || Some(&line) == due.as_ref(), "{}: host: {line:x?}", self.name);
        }
    }
}
