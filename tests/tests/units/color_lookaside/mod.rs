//! The color lookaside buffer against its model, with a slow memory that holds random tables.

mod contract;
mod driver;
mod stimulus;

use cosim::Bench;
use cosim::testing::property;
use golden::{ColorLookaside, Step};
use proptest::prelude::*;

use crate::simulators::{NativeSubject, Simulator, Subject};
use crate::tally::Tally;
use stimulus::{CHANCES, Cycle, Tables, cycle, tables};

/// The address of RAM's last byte: the last of its tables.
const RAM_LAST: u32 = 0x8040_3fff;

/// The tables in RAM: the first of it, some, and the last.
const TABLES: [u32; 4] = [1 << 31, 0x8000_3000, 0x8010_0000, 0x8040_3000];

/// What entries point to, and what is the first table: also places next to RAM, and far from it.
const BASES: [u32; 8] =
    [TABLES[0], TABLES[1], TABLES[2], TABLES[3], 0x7fff_f000, 0x8040_4000, 0, 0xffff_f000];

/// The indices that addresses are made of, at all three levels.
const INDICES: [u32; 5] = [0, 1, 3, 512, 1023];

/// Cycles that the unit may think before its next step.
const PATIENCE: u32 = 4;

/// What can be seen in one cycle.
#[derive(Debug, PartialEq)]
struct Outputs {
    request_ready: bool,
    /// `None` if it means nothing: memory was not asked.
    memory_response_ready: Option<bool>,
    memory_request: Option<u32>,
    /// The color, and whether it is hazardous.
    response: Option<(u32, bool)>,
    recomputing: bool,
}

/// What the unit has to do next.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Turn {
    Idle,
    Ask(u32),
    Await,
    /// The walk comes to a place outside RAM.
    NoTable,
    Answer(u32),
}

/// Whether a color is in a set: any that is not 0 may be.
fn is_hazard(set: u32, color: u32) -> bool {
    (set & color).count_ones() % 2 == 1
}

/// The model beside the hardware, memory, and the set of hazardous colors.
struct LookasideBench {
    model: ColorLookaside,
    /// The set, and the one that answers are judged by.
    set: u32,
    judged_by: u32,
    /// Cycles for which entries are judged anew.
    recomputes: usize,
    entries: usize,
    turn: Turn,
    /// Cycles that the unit has let pass in this turn. Once it has acted it must not withdraw.
    waited: u32,
    tables: Tables,
    /// The word that memory offers.
    offered: Option<u32>,
    /// The address that memory was asked for.
    asked: Option<u32>,
}

impl LookasideBench {
    fn new(entries: usize, color_bits: u32, tables: &Tables) -> Self {
        Self {
            model: ColorLookaside::new(entries, color_bits, RAM_LAST),
            set: 0,
            judged_by: 0,
            recomputes: 0,
            entries,
            turn: Turn::Idle,
            waited: 0,
            tables: tables.clone(),
            offered: None,
            asked: None,
        }
    }

    fn read(&self, address: u32) -> u32 {
        let table = TABLES.iter().position(|base| *base == address & !0xfff);
        let index = INDICES.iter().position(|index| index << 2 == address & 0xfff);
        match (table, index) {
            (Some(table), Some(index)) => self.tables[table * INDICES.len() + index],
            _ => panic!("{address:#x} is in no table"),
        }
    }

    /// Whether the unit acts in this cycle, if it must: it may be late, but not for ever, and not
    /// after it has begun.
    fn acts(&mut self, actual: bool) -> bool {
        if actual {
            self.waited = PATIENCE;
        } else {
            self.waited += 1;
        }
        actual || self.waited > PATIENCE
    }

    fn follow(&mut self, step: Step) {
        self.waited = 0;
        self.turn = match step {
            Step::Read(address) => Turn::Ask(address),
            Step::NoTable => Turn::NoTable,
            Step::Answer(color) => Turn::Answer(color.0),
        };
    }
}

impl<D: Simulator> Bench<D> for LookasideBench {
    type Stimulus = Cycle;
    type Outputs = Outputs;

    fn drive(&mut self, dut: &mut D, cycle: &Cycle) {
        if let Some((place, word)) = cycle.edit {
            self.tables[place] = word;
        }
        if cycle.memory_responds
            && let Some(address) = self.asked.take()
        {
            self.offered = Some(self.read(address));
        }
        dut.poke("rst", cycle.reset);
        dut.poke("flush", cycle.flush);
        dut.poke("enable", cycle.enable);
        dut.poke("table_base", cycle.table);
        dut.poke("ram_last", RAM_LAST);
        dut.poke("set_changed", cycle.set.is_some());
        dut.poke("request_valid", cycle.request);
        dut.poke("request_payload", cycle.address);
        dut.poke("response_ready", cycle.response_ready);
        dut.poke("memory_request_ready", cycle.memory_request_ready);
        dut.poke("memory_response_valid", self.offered.is_some());
        // What is not valid is driven too: it must not be looked at.
        dut.poke("memory_response_payload", self.offered.unwrap_or(cycle.address << 16 | 1));
        dut.settle();
        let asked = dut.peek("asked_color") as u32;
        dut.poke("asked_hazard", is_hazard(self.set, asked));
    }

    fn sample(&self, dut: &D) -> Outputs {
        let flag = |name: &str| dut.peek(name) != 0;
        let payload = |stream: &str| {
            flag(&format!("{stream}_valid")).then(|| dut.peek(&format!("{stream}_payload")) as u32)
        };
        Outputs {
            request_ready: flag("request_ready"),
            memory_response_ready: (self.turn == Turn::Await)
                .then(|| flag("memory_response_ready")),
            memory_request: payload("memory_request"),
            response: payload("response").map(|color| (color, flag("response_hazard"))),
            recomputing: flag("recomputing"),
        }
    }

    fn expect(&mut self, cycle: &Cycle, actual: &Outputs) -> Outputs {
        let recomputing = self.recomputes > 0;
        let mut expected = Outputs {
            request_ready: false,
            memory_response_ready: None,
            memory_request: None,
            response: None,
            recomputing,
        };
        // What ended a walk without memory did so before the cycle in which the answer shows.
        if self.turn == Turn::NoTable {
            self.waited += u32::from(!recomputing);
            if actual.response.is_some() || self.waited > PATIENCE {
                let step = self.model.no_table();
                self.follow(step);
            }
        }
        if cycle.flush {
            self.model.flush();
        }
        match self.turn {
            Turn::NoTable => {}
            Turn::Idle => {
                expected.request_ready = !recomputing && self.acts(actual.request_ready);
                if expected.request_ready && cycle.request {
                    let step = self.model.request(cycle.enable, cycle.table, cycle.address);
                    self.follow(step);
                }
            }
            Turn::Ask(address) => {
                expected.memory_request =
                    self.acts(actual.memory_request.is_some()).then_some(address);
                if expected.memory_request.is_some() && cycle.memory_request_ready {
                    (self.turn, self.waited) = (Turn::Await, 0);
                    self.asked = Some(address);
                }
            }
            Turn::Await => {
                let ready = !recomputing && self.acts(actual.memory_response_ready == Some(true));
                expected.memory_response_ready = Some(ready);
                if ready && let Some(word) = self.offered.take() {
                    let step = self.model.memory_response(word);
                    self.follow(step);
                }
            }
            // An answer that is found without memory may take its time, and waits for the entries.
            Turn::Answer(_) if recomputing && actual.response.is_none() && self.waited == 0 => {}
            Turn::Answer(color) => {
                let hazard = is_hazard(self.judged_by, color);
                expected.response = self.acts(actual.response.is_some()).then_some((color, hazard));
                if expected.response.is_some() && cycle.response_ready {
                    (self.turn, self.waited) = (Turn::Idle, 0);
                }
            }
        }
        if recomputing {
            self.recomputes -= 1;
            if self.recomputes == 0 {
                self.judged_by = self.set;
            }
        }
        if let Some(set) = cycle.set {
            (self.set, self.recomputes) = (set, self.entries + 1);
        }
        if cycle.reset {
            self.model.reset();
            (self.turn, self.waited, self.offered, self.asked) = (Turn::Idle, 0, None, None);
            (self.recomputes, self.judged_by) = (0, self.set);
        }
        expected
    }
}

fn unit(entries: usize, color_bits: usize) -> Subject {
    let buffer = units::color_lookaside::ColorLookaside { entries, color_bits };
    Subject::of(buffer)
}

#[test]
fn every_size_agrees_with_the_model() {
    let sizes = [(1, 1), (1, 16), (2, 12), (3, 5), (5, 9), (8, 12), (16, 12), (33, 7), (64, 16)];
    let mut tally = Tally::of("color_lookaside");
    for (entries, color_bits) in sizes {
        let unit = unit(entries, color_bits);
        let mut compared = 0;
        for chances in CHANCES {
            let cycles = prop::collection::vec(cycle(chances), 1..2000);
            compared += property(32, (tables(), cycles), |(tables, cycles)| {
                let bench = || LookasideBench::new(entries, color_bits as u32, &tables);
                unit.check_case(bench, cycles)
            });
        }
        tally.add(unit.top(), compared);
    }
    tally.finish();
}

/// Buffers of more sizes, without a model to build for each.
#[test]
fn buffers_of_all_sizes_agree_with_the_model_in_the_native_simulator() {
    for (entries, color_bits) in [(1, 12), (2, 1), (4, 8), (7, 12), (16, 12), (64, 16)] {
        let native =
            NativeSubject::of(units::color_lookaside::ColorLookaside { entries, color_bits });
        for chances in CHANCES {
            let cycles = prop::collection::vec(cycle(chances), 1..1000);
            property(4, (tables(), cycles), |(tables, cycles)| {
                let mut bench = LookasideBench::new(entries, color_bits as u32, &tables);
                Ok(native.check(&mut bench, &cycles))
            });
        }
    }
}

/// Region 1 has pages; page 1 of it has words; word 1 of it and region 3 have colors.
fn three_levels() -> Tables {
    let mut tables = vec![0; TABLES.len() * INDICES.len()];
    let place = |table: usize, index: usize| table * INDICES.len() + index;
    tables[place(1, 1)] = TABLES[2] | 2;
    tables[place(2, 1)] = TABLES[3] | 2;
    tables[place(3, 1)] = 0xabc << 16 | 1;
    tables[place(1, 2)] = 0x123 << 16 | 1;
    tables
}

#[test]
fn a_flush_at_every_moment_forgets_what_was_known_and_what_is_being_found() {
    let unit = unit(3, 12);
    let changed = [(INDICES.len() * 3 + 1, 0xdef << 16 | 1), (INDICES.len() + 2, 0x456 << 16 | 1)];
    for slowness in [1, 2, 3] {
        for moment in 0..60_u32 {
            // The two addresses in turn; the tables change just before the flush.
            let cycles = (0..150).map(|now| Cycle {
                reset: false,
                flush: now == moment,
                enable: true,
                table: TABLES[1],
                set: None,
                request: true,
                address: if now / 7 % 2 == 0 { 1 << 22 | 1 << 12 | 1 << 2 } else { 3 << 22 },
                response_ready: true,
                memory_request_ready: now % slowness == 0,
                memory_responds: now % slowness == 0,
                edit: (0..2).find(|ago| now + 1 + ago == moment).map(|ago| changed[ago as usize]),
            });
            unit.check(|| LookasideBench::new(3, 12, &three_levels()), cycles).unwrap();
        }
    }
}
