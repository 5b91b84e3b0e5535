//! What the memory system must do: the golden machine's memory, in the order that the hardware exports.

use golden::memory::{
    BusGrant, Hit, Memory, MonitorSetup, Ordered, Parameters, RAM, State, Tap, Unpredictable,
    Watched,
};
use units::bugaboo::Bugaboo;
use units::data_port::AccessOp;
use units::memory_system::MemorySystem;

use crate::bench::System;
use crate::coverage::{Before, Seen};
use crate::memory::initial;
use crate::request::{Request, Response};
use crate::speculation::{COLOR, track_everything};
use crate::traffic::HostRequest;

/// Behind RAM's first address. What nobody touches takes no memory here.
const RAM_LAST: u32 = u32::MAX;
/// The bytes from RAM's first address on that stories of a few accesses use.
const NEAR: u32 = 1 << 14;

/// What the hardware must show of an access.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shown {
    Hit(Hit),
    Grant(BusGrant, Option<Tap>),
    /// Nothing: it is not its time.
    Nothing,
}

/// What is due to a hart whose access is ordered.
#[derive(Clone, Copy, Debug)]
pub struct Due {
    pub response: Response,
    /// The watched word is written.
    pub watched: Option<Watched>,
    /// What is read depends on the world outside.
    pub open: bool,
}

/// The golden machine's memory.
pub struct Golden {
    pub(crate) memory: Memory,
    harts: usize,
    pub seen: Seen,
}

impl Golden {
    /// A machine whose harts use these lines, or what is near the start of RAM.
    pub fn new(system: &System, lines: &[u32], watch: u32) -> Golden {
        let MemorySystem { harts, geometry, .. } = system.parameters;
        let time_bits = system.parameters.observers.time_bits();
        let setup = system.bugaboo.as_ref().map(|Bugaboo { monitor, update }| MonitorSetup {
            fields: golden::Fields {
                pc_bits: monitor.fields.pc_bits as u32,
                events: monitor.fields.events as u32,
                hart_bits: monitor.fields.hart_bits as u32,
                time_bits: monitor.fields.time_bits as u32,
            },
            depth: monitor.depth,
            overflow: monitor.overflow,
            update: *update,
        });
        let mut memory = Memory::new(&Parameters {
            harts,
            reset_vector: RAM,
            ram_last: RAM_LAST,
            line: geometry.line as u32,
            sets: geometry.sets as u32,
            ways: geometry.ways as u32,
            time_bits: time_bits as u32,
            monitor: setup,
            breakpoints: 0,
            counters: false,
            color: system.parameters.colored.then_some(COLOR),
        });
        let far = lines.iter().flat_map(|&line| line..=line + (geometry.line as u32 - 1));
        for address in (RAM..RAM + NEAR).chain(far).step_by(4) {
            let word = initial(address).to_le_bytes();
            memory.ram_mut().piece_mut(address, 4).copy_from_slice(&word);
        }
        memory.watch(watch);
        track_everything(&mut memory, harts);
        Golden { memory, harts, seen: Seen::default() }
    }

    /// How a hart's cache holds an address.
    pub fn state(&self, hart: usize, address: u32) -> State {
        self.memory.cache(hart).state(address)
    }

    /// Whether a hart's table interrupts.
    pub fn table_interrupts(&self, hart: usize) -> bool {
        self.memory.table_interrupts(hart)
    }

    /// Memory behind the caches.
    pub fn stored(&self, address: u32, bytes: usize) -> &[u8] {
        self.memory.ram().piece(address, bytes as u32)
    }

    /// A hart's access takes place in this cycle.
    pub fn order(&mut self, hart: usize, request: &Request, cycle: u64) -> (Shown, Due) {
        let (memory, address) = (&mut self.memory, request.address);
        let region = memory.map().region(address);
        let before = Before::of(memory, self.harts, address, Some(hart));
        let now = device_time(cycle, !request.reads());
        let mut open = false;
        let (shown, done) = match memory.order(hart, &request.access(), region, now) {
            Ordered::Hit { hit, done } => {
                self.seen.hit(memory, &before, hart, address, hit.kind);
                (Shown::Hit(hit), done)
            }
            Ordered::Granted { grant, tap, done } => {
                self.seen.grant(memory, &before, &grant);
                (Shown::Grant(grant, tap), done)
            }
            Ordered::Device { grant, read, done } => {
                let why = read.and_then(|read| read.unpredictable);
                open = matches!(why, Some(Unpredictable::UartData | Unpredictable::UartStatus));
                (Shown::Grant(grant, None), done)
            }
            Ordered::Stalled => {
                let due = Due { response: Response::default(), watched: None, open };
                return (Shown::Nothing, due);
            }
        };
        let response = match request.op {
            AccessOp::Load | AccessOp::LoadReserved => {
                Response { data: done.before, ..Response::default() }
            }
            AccessOp::Store => Response::default(),
            AccessOp::StoreConditional => Response { failed: !done.wrote, ..Response::default() },
            AccessOp::Amo => Response { data: done.before, written: done.after, failed: false },
        };
        (shown, Due { response, watched: self.memory.take_watched(), open })
    }

    /// An instruction cache takes a line: the grant and the bytes.
    pub fn fetch(&mut self, hart: usize, address: u32) -> (BusGrant, Vec<u8>) {
        self.outside(address, "fetched");
        (self.memory.fetch(hart, address), self.memory.current_line(address).to_vec())
    }

    /// What the host asks takes place in this cycle: the grant and the answer.
    pub fn host(&mut self, request: &HostRequest, cycle: u64) -> (BusGrant, Vec<u8>) {
        let HostRequest { write, address, ref data, mask } = *request;
        let mut answer = vec![0; data.len()];
        if address >> 31 == 0 {
            let word = u32::from_le_bytes(data[..4].try_into().expect("four bytes"));
            let now = device_time(cycle, write);
            let ordered = self.memory.host_device(address, write.then_some(word), now);
            let Some(Ordered::Device { grant, read, .. }) = ordered else {
                panic!("no device is at {address:#x}");
            };
            let read = read.map_or(0, |read| read.value);
            answer[..4].copy_from_slice(&read.to_le_bytes());
            return (grant, answer);
        }
        if write {
            let before = Before::of(&self.memory, self.harts, address, None);
            let grant = self.memory.host_write(address, data, |byte| mask >> byte & 1 != 0);
            self.seen.outside(&self.memory, &before, address, "written by the host");
            return (grant, answer);
        }
        self.outside(address, "read by the host");
        (self.memory.host_read(address), self.memory.current_line(address).to_vec())
    }

    /// Notes an access that changes nothing.
    fn outside(&mut self, address: u32, cause: &'static str) {
        let before = Before::of(&self.memory, self.harts, address, None);
        self.seen.outside(&self.memory, &before, address, cause);
    }
}

/// When a device that is granted in this cycle is asked, as its clock counts; what is written is there one
/// cycle later.
fn device_time(cycle: u64, writes: bool) -> u64 {
    cycle + 1 + u64::from(writes)
}
