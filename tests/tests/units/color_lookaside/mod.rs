//! The color lookaside buffer against its model, with a slow memory that holds random tables.

mod contract;

use cosim::Bench;
use cosim::testing::property;
use golden::{ColorLookaside, Step};
use proptest::prelude::*;

use crate::simulators::{Simulator, Subject};
use crate::tally::Tally;

/// The tables: all that an entry can point to.
const TABLES: [u32; 4] = [0x0000_0000, 0x8000_3000, 0x8040_3000, 0xffff_f000];

/// The indices that addresses are made of, at all three levels.
const INDICES: [u32; 5] = [0, 1, 3, 512, 1023];

/// Cycles that the unit may think before its next step.
const PATIENCE: u32 = 4;

/// The words of all tables at these indices; nothing else is ever read.
type Tables = Vec<u32>;

/// What can happen in one cycle.
#[derive(Clone, Debug)]
struct Cycle {
    reset: bool,
    flush: bool,
    enable: bool,
    /// Which of the tables is the first.
    table: usize,
    request: bool,
    address: u32,
    response_ready: bool,
    memory_request_ready: bool,
    /// Memory answers if it was asked.
    memory_responds: bool,
    /// A word of a table changes.
    edit: Option<(usize, u32)>,
}

/// What can be seen in one cycle.
#[derive(Debug, PartialEq)]
struct Outputs {
    request_ready: bool,
    /// `None` if it means nothing: memory was not asked.
    memory_response_ready: Option<bool>,
    memory_request: Option<u32>,
    response: Option<u32>,
}

/// What the unit has to do next.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Turn {
    Idle,
    Ask(u32),
    Await,
    Answer(u32),
}

/// The model beside the hardware, and the memory.
struct LookasideBench {
    model: ColorLookaside,
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
            model: ColorLookaside::new(entries, color_bits),
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
        dut.poke("table_base", TABLES[cycle.table]);
        dut.poke("request_valid", cycle.request);
        dut.poke("request_payload", cycle.address);
        dut.poke("response_ready", cycle.response_ready);
        dut.poke("memory_request_ready", cycle.memory_request_ready);
        dut.poke("memory_response_valid", self.offered.is_some());
        // What is not valid is driven too: it must not be looked at.
        dut.poke("memory_response_payload", self.offered.unwrap_or(cycle.address << 16 | 1));
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
            response: payload("response"),
        }
    }

    fn expect(&mut self, cycle: &Cycle, actual: &Outputs) -> Outputs {
        let mut expected = Outputs {
            request_ready: false,
            memory_response_ready: None,
            memory_request: None,
            response: None,
        };
        if cycle.flush {
            self.model.flush();
        }
        match self.turn {
            Turn::Idle => {
                expected.request_ready = self.acts(actual.request_ready);
                if expected.request_ready && cycle.request {
                    let base = TABLES[cycle.table];
                    let step = self.model.request(cycle.enable, base, cycle.address);
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
                let ready = self.acts(actual.memory_response_ready == Some(true));
                expected.memory_response_ready = Some(ready);
                if ready && let Some(word) = self.offered.take() {
                    let step = self.model.memory_response(word);
                    self.follow(step);
                }
            }
            Turn::Answer(color) => {
                expected.response = self.acts(actual.response.is_some()).then_some(color);
                if expected.response.is_some() && cycle.response_ready {
                    (self.turn, self.waited) = (Turn::Idle, 0);
                }
            }
        }
        if cycle.reset {
            self.model.reset();
            (self.turn, self.waited, self.offered, self.asked) = (Turn::Idle, 0, None, None);
        }
        expected
    }
}

/// An entry of a table: all kinds, in bits that mean nothing too.
fn table_word() -> impl Strategy<Value = u32> + Clone {
    let next = (prop::sample::select(&TABLES[..]), 0..0x400_u32)
        .prop_map(|(base, noise)| base | noise << 2 | 2);
    let color = any::<u32>().prop_map(|word| word & !3 | 1);
    let other = (any::<u32>(), prop::bool::ANY)
        .prop_map(|(word, reserved)| if reserved { word | 3 } else { word & !3 });
    prop_oneof![5 => next, 4 => color, 2 => other]
}

fn tables() -> impl Strategy<Value = Tables> {
    prop::collection::vec(table_word(), TABLES.len() * INDICES.len())
}

fn address() -> impl Strategy<Value = u32> + Clone {
    let index = || prop::sample::select(&INDICES[..]);
    (index(), index(), index(), 0..4_u32)
        .prop_map(|(region, page, word, byte)| region << 22 | page << 12 | word << 2 | byte)
}

/// What differs from case to case: the chances in each cycle.
#[derive(Clone, Copy, Debug)]
struct Chances {
    flush: f64,
    edit: f64,
    /// Of memory being ready, and of its answer.
    memory: f64,
    response_ready: f64,
}

const CHANCES: [Chances; 4] = [
    Chances { flush: 0.005, edit: 0.02, memory: 0.9, response_ready: 0.9 },
    Chances { flush: 0.02, edit: 0.1, memory: 0.3, response_ready: 0.5 },
    Chances { flush: 0.15, edit: 0.1, memory: 0.6, response_ready: 0.9 },
    Chances { flush: 0.001, edit: 0.001, memory: 1.0, response_ready: 1.0 },
];

fn cycle(chances: Chances) -> impl Strategy<Value = Cycle> {
    let chance = prop::bool::weighted;
    let table = prop_oneof![9 => Just(1), 1 => 0..TABLES.len()];
    let edit = (0..TABLES.len() * INDICES.len(), table_word());
    let control = (chance(0.004), chance(chances.flush), chance(0.93), table);
    let streams = (
        chance(0.8),
        address(),
        chance(chances.response_ready),
        chance(chances.memory),
        chance(chances.memory),
        prop::option::weighted(chances.edit, edit),
    );
    (control, streams).prop_map(|((reset, flush, enable, table), streams)| {
        let (request, address, response_ready, memory_request_ready, memory_responds, edit) =
            streams;
        Cycle {
            reset,
            flush,
            enable,
            table,
            request,
            address,
            response_ready,
            memory_request_ready,
            memory_responds,
            edit,
        }
    })
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
                table: 1,
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
