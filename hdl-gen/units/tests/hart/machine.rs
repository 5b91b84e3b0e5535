//! What surrounds a hart with its instruction cache: a naive memory that answers late.

use std::collections::BTreeMap;

use hdl::{Bits, HwEnum, Simulator};
use units::core::HartCore;
use units::hart::beside::HartUnits;
use units::hart::rvfi::Rvfi;
use units::hart::{Hart, WaitReason};
use units::l1_instruction::L1Instruction;
use units::soc::CoreIo;

use super::hart;
use super::random::{Delays, Random};
use super::record::{Fields, Record};

pub const RAM: u32 = border::map::RAM.base;
pub const RAM_BYTES: u32 = 0x1_0000;
pub const LINE: usize = 32;
/// The number of the hart.
const HART: u64 = 5;

/// A data access under way.
struct Access {
    address: u32,
    op: u64,
    amo: u64,
    mask: u32,
    data: u32,
    /// `funct3` of a load.
    load: u64,
    /// Cycles until it is ordered, then until it is answered.
    before_order: u64,
    after_order: u64,
    answer: Option<(u32, u32, bool)>,
}

impl Access {
    /// What a load makes of the aligned word.
    fn loaded(&self, word: u32) -> u32 {
        let shifted = word >> (8 * (self.address & 3));
        match self.load {
            0 => i32::from(shifted as i8) as u32,
            1 => i32::from(shifted as i16) as u32,
            4 => u32::from(shifted as u8),
            5 => u32::from(shifted as u16),
            _ => word,
        }
    }
}

/// The interrupt lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lines {
    pub software: bool,
    pub timer: bool,
    pub table: bool,
}

pub struct Machine {
    sim: Simulator,
    io: CoreIo<Rvfi>,
    rvfi: Fields,
    pub ram: Vec<u8>,
    /// Words outside RAM that were written.
    pub devices: BTreeMap<u32, u32>,
    delays: Delays,
    random: Random,
    access: Option<Access>,
    /// The access was not complete in its first cycle.
    late: bool,
    reservation: Option<u32>,
    fill: Option<(u32, u64)>,
    pub fills: Vec<u32>,
    pub lines: Lines,
    pub held: bool,
    /// Accesses to this word are never ordered while `full`.
    pub stuck: Option<u32>,
    pub withdrawn: u64,
    pub ordered: Vec<(u32, u64)>,
    pub records: Vec<Record>,
    pub mtime: u64,
    /// The events of each cycle, on a hart that counts them.
    pub events: Vec<Vec<bool>>,
}

impl Machine {
    /// A machine with `program` at the start of RAM, out of reset.
    pub fn new(program: &[u32], delays: Delays) -> Machine {
        Machine::with_units(program, delays, HartUnits::none())
    }

    /// The same, with units beside the hart.
    pub fn with_units(program: &[u32], delays: Delays, units: HartUnits) -> Machine {
        let core = HartCore {
            hart: Hart { units, ..hart(RAM, 16) },
            l1_instruction: L1Instruction { bytes: 1024, ways: 2, line: LINE },
        };
        let (mut sim, io) = Simulator::of(core).unwrap_or_else(|findings| panic!("{findings}"));
        let rvfi = Fields::of(&sim);
        sim.set(io.hart, HART);
        sim.set(io.ram_last, u64::from(RAM + RAM_BYTES - 1));
        sim.reset();
        let mut ram = vec![0; RAM_BYTES as usize];
        for (place, word) in program.iter().enumerate() {
            ram[4 * place..4 * place + 4].copy_from_slice(&word.to_le_bytes());
        }
        Machine {
            sim,
            io,
            rvfi,
            ram,
            devices: BTreeMap::new(),
            delays,
            random: Random::new(delays.seed),
            access: None,
            late: false,
            reservation: None,
            fill: None,
            fills: Vec::new(),
            lines: Lines::default(),
            held: false,
            stuck: None,
            withdrawn: 0,
            ordered: Vec::new(),
            records: Vec::new(),
            mtime: 0,
            events: Vec::new(),
        }
    }

    pub fn word(&self, address: u32) -> u32 {
        let place = (address - RAM) as usize & !3;
        u32::from_le_bytes(self.ram[place..place + 4].try_into().expect("four bytes"))
    }

    fn read(&self, address: u32) -> u32 {
        if address >= RAM {
            self.word(address)
        } else {
            self.devices.get(&(address & !3)).copied().unwrap_or(0)
        }
    }

    fn write(&mut self, address: u32, data: u32, mask: u32) {
        let old = self.read(address);
        let lanes = (0..4)
            .filter(|lane| mask >> lane & 1 == 1)
            .fold(0, |sum, lane| sum | 0xff << (8 * lane));
        let new = old & !lanes | data & lanes;
        if address >= RAM {
            let place = (address - RAM) as usize & !3;
            self.ram[place..place + 4].copy_from_slice(&new.to_le_bytes());
        } else {
            self.devices.insert(address & !3, new);
        }
    }

    fn delay(&mut self) -> u64 {
        if self.delays.most == 0 { 0 } else { self.random.below(self.delays.most + 1) }
    }

    /// What the access does to memory, and its answer: the word read, the word an Amo wrote, failed.
    fn order(&mut self, address: u32, op: u64, amo: u64, mask: u32, data: u32) -> (u32, u32, bool) {
        self.ordered.push((address, op));
        let word = self.read(address);
        let line = address & !(LINE as u32 - 1);
        match op {
            0 => (word, 0, false),
            1 => {
                self.write(address, data, mask);
                (0, 0, false)
            }
            2 => {
                self.reservation = Some(line);
                (word, 0, false)
            }
            3 => {
                let holds = self.reservation.take() == Some(line);
                if holds {
                    self.write(address, data, mask);
                }
                (0, 0, !holds)
            }
            _ => {
                let (old, by) = (word as i32, data as i32);
                let new = match amo {
                    0 => data,
                    1 => word.wrapping_add(data),
                    2 => word ^ data,
                    3 => word & data,
                    4 => word | data,
                    5 => old.min(by) as u32,
                    6 => old.max(by) as u32,
                    7 => word.min(data),
                    _ => word.max(data),
                };
                self.write(address, new, 15);
                (word, new, false)
            }
        }
    }

    /// One cycle.
    pub fn step(&mut self) {
        let CoreIo { data, fetch, .. } = self.io.clone();
        self.mtime += 1;
        self.sim.set(self.io.mtime, self.mtime);
        self.sim.set(self.io.software_pending, self.lines.software.into());
        self.sim.set(self.io.timer_pending, self.lines.timer.into());
        if let Some(&table) = self.io.observed_pending.get("table_pending") {
            self.sim.set(table, self.lines.table.into());
        }
        let holds = self.delays.hold != 0 && self.random.one_in(self.delays.hold);
        self.sim.set(self.io.run, (!(self.held || holds)).into());

        // The data access: ordered, answered, withdrawn.
        let mut response = None;
        let mut withdrawable = false;
        let late = self.late;
        if !late && self.sim.get(data.cancel) == 1 {
            self.access = None;
        }
        let mut value = 0;
        if let Some(mut access) = self.access.take() {
            // Only loads and stores of RAM are ever complete in their first cycle.
            let fast = access.op < 2 && access.address >= RAM;
            if !late && !fast {
                access.before_order = access.before_order.max(1);
            }
            if access.answer.is_none() {
                let stuck = self.stuck == Some(access.address);
                if stuck || access.before_order > 0 {
                    access.before_order = access.before_order.saturating_sub(1);
                    withdrawable = late;
                } else {
                    let Access { address, op, amo, mask, data, .. } = access;
                    access.answer = Some(self.order(address, op, amo, mask, data));
                }
            }
            match access.answer {
                Some(answer) if access.after_order == 0 => {
                    response = Some(answer);
                    value = access.loaded(answer.0);
                }
                Some(_) => {
                    access.after_order -= 1;
                    self.access = Some(access);
                }
                None => self.access = Some(access),
            }
        }
        let (read, written, failed) = response.unwrap_or_default();
        let late_ends = late && response.is_some();
        self.sim.set(data.late, late.into());
        self.sim.set(data.late_valid, late_ends.into());
        self.sim.set(data.withdrawable, withdrawable.into());
        self.sim.set(data.response_valid, response.is_some().into());
        // A load that is not complete shows anything.
        let anything = self.random.below(1 << 32) as u32;
        let hits = !late && response.is_some();
        let shown = if hits { read } else { anything };
        self.sim.set(data.response_data, shown.into());
        self.sim.set(data.response_value, if hits { value } else { anything }.into());
        self.sim.set(data.late_data, if late_ends { read } else { !shown }.into());
        self.sim.set(data.late_written, written.into());
        self.sim.set(data.late_failed, (late_ends && failed).into());
        self.sim.set(data.waiting, late.into());
        let busy = late || (self.delays.most > 0 && self.random.one_in(4));
        self.sim.set(data.request.ready, (!busy).into());
        // What is taken behind an access that turns out to wait is dropped.
        let drops = !late && self.access.is_some();
        self.late = drops || late && !late_ends;

        // The fill.
        let arrives = self.fill.filter(|&(_, left)| left == 0);
        self.sim.set(fetch.response_valid, arrives.is_some().into());
        if let Some((address, _)) = arrives {
            let place = (address - RAM) as usize;
            let words: Vec<u64> = self.ram[place..place + LINE]
                .chunks(8)
                .map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight bytes")))
                .collect();
            self.sim.set_bits(fetch.response_line, &Bits::from_words(8 * LINE as u32, &words));
            self.fill = None;
        } else if let Some((_, left)) = &mut self.fill {
            *left -= 1;
        }
        let fill_ready = self.fill.is_none() && arrives.is_none();
        self.sim.set(fetch.request.ready, fill_ready.into());

        // What the core says.
        if withdrawable && self.sim.get(data.withdraw) == 1 {
            self.access = None;
            self.late = false;
            self.withdrawn += 1;
        }
        if fill_ready && self.sim.get(fetch.request.valid) == 1 {
            let address = self.sim.get(fetch.request.payload) as u32;
            assert!((RAM..RAM + RAM_BYTES).contains(&address), "a fetch of {address:#x}");
            assert_eq!(address as usize % LINE, 0);
            self.fills.push(address);
            self.fill = Some((address, self.delays.most));
        }
        if !busy && !drops && self.sim.get(data.request.valid) == 1 {
            let request = data.request.payload;
            let access = Access {
                address: self.sim.get(request.address) as u32,
                op: self.sim.get(request.op.sig()),
                amo: self.sim.get(request.amo.sig()),
                mask: self.sim.get(request.mask) as u32,
                data: self.sim.get(request.data) as u32,
                load: self.sim.get(request.load),
                before_order: self.delay(),
                after_order: self.delay(),
                answer: None,
            };
            self.access = Some(access);
        }
        let events = self.io.event.iter().map(|&event| self.sim.get(event) == 1);
        self.events.push(events.collect());
        self.records.extend(self.rvfi.record(&mut self.sim, self.mtime));
        self.sim.step();
    }

    pub fn steps(&mut self, cycles: usize) {
        for _ in 0..cycles {
            self.step();
        }
    }

    /// Runs until `count` records in all, panicking if that takes unbelievably long.
    pub fn run_to(&mut self, count: usize) {
        let patience = 2000 + 400 * count;
        for _ in 0..patience {
            if self.records.len() >= count {
                return;
            }
            self.step();
        }
        panic!(
            "only {} of {count} instructions, at {:#x}, waiting for {}",
            self.records.len(),
            self.wait().0,
            self.wait().1
        );
    }

    /// Whether the hart offers an access, or has one under way.
    pub fn has_request(&mut self) -> bool {
        self.access.is_some() || self.sim.get(self.io.data.request.valid) == 1
    }

    /// `wait_pc` and `wait_reason`.
    pub fn wait(&mut self) -> (u32, &'static str) {
        let pc = self.sim.get(self.io.wait.pc) as u32;
        let reason = self.sim.get(self.io.wait.reason) as usize;
        (pc, WaitReason::DEF.variants[reason])
    }
}
