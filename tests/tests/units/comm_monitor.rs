//! The communication monitor against its model.

use border::monitor::{Index, Word};
use std::ops::Range;

use config::Overflow;
use cosim::testing::{Unit, property};
use cosim::{Bench, Model};
use golden::{
    Access, AccessKind, Edge, EdgeKind, Fields, HartId, LineMeta, Mode, Monitor, MonitorInputs,
    MonitorOutputs, MonitorParameters, Pc, RegisterAccess, Snoop, Time,
};
use hdl::elaborate;
use proptest::prelude::*;

use crate::metadata::{
    fields, meta, nth_access, peek_meta, poke_meta, poke_register, register, widths,
};
use crate::tally::Tally;

/// What can happen in one cycle.
#[derive(Clone, Debug, Default)]
struct Cycle {
    reset: bool,
    inputs: MonitorInputs,
}

const fn new(
    core_pc_bits: u32,
    hart: u32,
    fields: Fields,
    depth: usize,
    overflow: Overflow,
) -> MonitorParameters {
    MonitorParameters { hart: HartId(hart), core_pc_bits, fields, depth, overflow }
}

/// From the smallest to the default and the widest: pcs kept whole and hashed, both overflow modes,
/// each field there and not.
const CONFIGURATIONS: [MonitorParameters; 11] = [
    new(32, 0, fields(8, 1, 0, 0), 1, Overflow::Discard),
    new(32, 1, fields(32, 5, 1, 32), 1, Overflow::Stall),
    new(64, 5, fields(8, 2, 3, 7), 2, Overflow::Discard),
    new(64, 0, fields(64, 5, 0, 0), 3, Overflow::Stall),
    new(64, 0, fields(32, 16, 0, 64), 4, Overflow::Discard),
    new(32, 171, fields(64, 5, 8, 1), 5, Overflow::Discard),
    new(40, 2, fields(33, 3, 2, 33), 7, Overflow::Stall),
    new(20, 1, fields(12, 2, 1, 0), 16, Overflow::Discard),
    new(64, 255, fields(64, 16, 8, 64), 33, Overflow::Discard),
    new(32, 2, fields(31, 1, 4, 20), 33, Overflow::Stall),
    new(32, 3, fields(32, 5, 2, 32), 1024, Overflow::Discard),
];

fn unit(parameters: MonitorParameters) -> Unit {
    let MonitorParameters { core_pc_bits, fields, depth, overflow, .. } = parameters;
    let (core_pc_bits, fields) = (core_pc_bits as usize, widths(fields));
    let monitor = units::comm_monitor::CommMonitor { core_pc_bits, fields, depth, overflow };
    Unit::of(&elaborate(monitor).expect("a legal circuit"))
}

/// What can be seen in one cycle.
#[derive(Debug, PartialEq)]
struct Outputs {
    monitor: MonitorOutputs,
    tap_lost: bool,
}

/// The model beside the hardware.
struct MonitorBench {
    parameters: MonitorParameters,
    model: Monitor,
}

impl MonitorBench {
    fn new(parameters: MonitorParameters) -> Self {
        Self { parameters, model: Monitor::new(parameters) }
    }
}

impl Bench for MonitorBench {
    type Stimulus = Cycle;
    type Outputs = Outputs;

    fn drive(&mut self, dut: &mut Model, cycle: &Cycle) {
        let MonitorParameters { hart, fields, .. } = self.parameters;
        let MonitorInputs { access, snoop, register } = cycle.inputs;
        dut.poke("rst", cycle.reset);
        if fields.hart_bits > 0 {
            dut.poke("hart", hart.0);
        }
        dut.poke("access_valid", access.valid);
        dut.poke("access_kind", access.kind as u64);
        dut.poke("access_pc", access.pc.0);
        dut.poke("access_machine_mode", access.mode == Mode::Machine);
        dut.poke("access_communicating", access.communicating);
        dut.poke("access_from_memory", access.from_memory);
        poke_meta(dut, fields, "access_meta", access.meta);
        if fields.time_bits > 0 {
            dut.poke("access_time", access.time.0 & fields.mask().time.0);
        }
        dut.poke("snoop_valid", snoop.is_some());
        dut.poke("snoop_write", snoop == Some(Snoop::Write));
        poke_register(dut, register);
    }

    fn sample(&self, dut: &Model) -> Outputs {
        let MonitorParameters { fields, overflow, .. } = self.parameters;
        let tap = || Edge {
            source: peek_meta(dut, fields, "tap_edge_source"),
            sink: peek_meta(dut, fields, "tap_edge_sink"),
            kind: EdgeKind::ALL[dut.peek("tap_edge_kind") as usize],
        };
        let monitor = MonitorOutputs {
            monitored: dut.peek("monitored") == 1,
            store_meta: peek_meta(dut, fields, "store_meta"),
            stall: overflow == Overflow::Stall && dut.peek("stall") == 1,
            interrupt: dut.peek("irq") == 1,
            tap: (dut.peek("tap_valid") == 1).then(tap),
            read_data: dut.peek("read_data") as u32,
        };
        Outputs { monitor, tap_lost: dut.peek("tap_lost") == 1 }
    }

    fn expect(&mut self, cycle: &Cycle, _: &Outputs) -> Outputs {
        let full = self.model.table().is_full();
        let monitor = self.model.step(&cycle.inputs);
        if cycle.reset {
            self.model.reset();
        }
        Outputs { monitor, tap_lost: full && monitor.tap.is_some() }
    }
}

fn pc_mask(parameters: MonitorParameters) -> u64 {
    u64::MAX >> (64 - parameters.core_pc_bits)
}

/// A pc: most lie next to a few, which are also the ends of ranges.
fn pc(parameters: MonitorParameters) -> impl Strategy<Value = u64> {
    let mask = pc_mask(parameters);
    let ends =
        vec![0, 0x1000, 0x8000, 0x8000_1000, 0xffff_ffff, 0x1_0000_0000, 0x1_0000_8000, mask];
    let near = (prop::sample::select(ends), -2..=2_i64)
        .prop_map(|(end, offset)| end.wrapping_add_signed(offset));
    prop_oneof![5 => near, 1 => any::<u64>()].prop_map(move |pc| pc & mask)
}

/// Any access that `valid` lets through, with what the contract assumes of it.
fn access(
    parameters: MonitorParameters,
    valid: f64,
    communicating: f64,
) -> impl Strategy<Value = Access> {
    let kind = prop::sample::select(&AccessKind::ALL[..]);
    let mode = prop::sample::select(vec![Mode::User, Mode::Machine]);
    let valid = prop::bool::weighted(valid);
    let communicating = prop::bool::weighted(communicating);
    let meta = meta(parameters.fields);
    let time = any::<u32>().prop_map(|number| nth_access(number).time);
    (valid, kind, pc(parameters), mode, communicating, any::<bool>(), meta, time).prop_map(
        |(valid, kind, pc, mode, communicating, from_memory, meta, time)| {
            // Memory serves what no other cache holds.
            let from_memory = from_memory && !(valid && communicating);
            let pc = Pc(pc);
            Access { valid, kind, pc, mode, communicating, from_memory, meta, time }
        },
    )
}

/// Cycles with accesses, uses of the registers, and now and then a snoop.
fn cycles(
    access: impl Strategy<Value = Access> + 'static,
    register: impl Strategy<Value = Option<RegisterAccess>> + 'static,
    snoop: f64,
    length: Range<usize>,
) -> BoxedStrategy<Vec<Cycle>> {
    let snoop =
        prop::option::weighted(snoop, prop::sample::select(vec![Snoop::Read, Snoop::Write]));
    let cycle = (access, snoop, register).prop_map(|(mut access, snoop, register)| {
        // The bus carries one transaction at a time.
        access.valid &= snoop.is_none();
        Cycle { reset: false, inputs: MonitorInputs { access, snoop, register } }
    });
    prop::collection::vec(cycle, length).boxed()
}

fn write(word: impl Into<Index>, data: u32) -> Option<RegisterAccess> {
    Some(RegisterAccess::Write { word: word.into(), data })
}

/// Writes what is monitored, in the cycles of accesses.
fn program(parameters: MonitorParameters) -> impl Strategy<Value = Vec<Cycle>> {
    // Mostly on, and with a range that is not empty.
    let filter = prop_oneof![4 => Just(7), 1 => Just(3), 1 => Just(5), 2 => any::<u32>()];
    let ends = (pc(parameters), pc(parameters), prop::bool::weighted(0.9)).prop_map(
        |(one, other, ordered)| {
            if ordered { (one.min(other), one.max(other)) } else { (one, other) }
        },
    );
    let accesses = prop::collection::vec(access(parameters, 0.5, 0.5), 6);
    (filter, ends, any::<u32>(), accesses).prop_map(|(filter, (low, high), context, accesses)| {
        let registers = [
            write(Word::RangeLow, low as u32),
            write(Word::RangeLowUpper, (low >> 32) as u32),
            write(Word::RangeHigh, high as u32),
            write(Word::RangeHighUpper, (high >> 32) as u32),
            write(Word::Control, filter),
            write(Word::Context, context),
        ];
        let cycles = registers.into_iter().zip(accesses);
        let inputs =
            cycles.map(|(register, access)| MonitorInputs { access, snoop: None, register });
        inputs.map(|inputs| Cycle { reset: false, inputs }).collect()
    })
}

/// Some cycles of one kind, each hostile in its own way.
fn phase(parameters: MonitorParameters) -> impl Strategy<Value = Vec<Cycle>> {
    let depth = parameters.depth;
    let pop = || Some(RegisterAccess::Read { word: Word::KindAndHarts.into() });
    let any_register = || prop::option::weighted(0.7, register(depth));
    let reset =
        cycles(access(parameters, 0.8, 0.8), any_register(), 0.2, 1..2).prop_map(|mut cycles| {
            cycles[0].reset = true;
            cycles
        });
    prop_oneof![
        4 => program(parameters),
        // Fills the table, and goes on.
        2 => cycles(access(parameters, 1.0, 0.9), Just(None), 0.01, 1..2 * depth + 8),
        // An edge comes as one goes.
        2 => cycles(access(parameters, 1.0, 0.9), Just(pop()), 0.1, 1..depth + 8),
        // Runs empty, while nothing or others communicate.
        1 => cycles(access(parameters, 0.0, 0.5), Just(pop()), 0.5, 1..depth + 4),
        4 => cycles(access(parameters, 0.7, 0.6), any_register(), 0.3, 1..60),
        1 => reset,
    ]
}

/// What is monitored is said first: most of what follows would mean little without.
fn stimulus(parameters: MonitorParameters) -> impl Strategy<Value = Vec<Cycle>> {
    let phases = prop::collection::vec(phase(parameters), 1..56);
    (program(parameters), phases).prop_map(|(first, phases)| [first, phases.concat()].concat())
}

#[test]
fn every_configuration_agrees_with_the_model() {
    let mut tally = Tally::of("comm_monitor");
    for parameters in CONFIGURATIONS {
        let unit = unit(parameters);
        let cases = if parameters.depth > 100 { 20 } else { 240 };
        let cycles = property(cases, stimulus(parameters), |cycles| {
            unit.check(&mut MonitorBench::new(parameters), cycles)
        });
        tally.add(&unit.source().top, cycles);
    }
    tally.finish();
}

/// Every word is written and read with edges in the table; the table is left without being cleared.
#[test]
fn every_word_of_the_window_is_as_the_contract_says() {
    for parameters in CONFIGURATIONS {
        let access = Access {
            valid: true,
            kind: AccessKind::ReadX,
            pc: Pc(0x1234 & pc_mask(parameters)),
            communicating: true,
            meta: parameters.fields.keep(nth_access(1)),
            time: Time(u64::MAX),
            ..Access::default()
        };
        let quiet = Access { valid: false, ..access };
        let program =
            [write(Word::Control, 7), write(Word::RangeHigh, !0), write(Word::RangeLow, 0)];
        let program = program.into_iter().map(|register| (quiet, register));
        let edges = (0..parameters.depth + 1).map(|_| (access, None));
        let writes = Index::all().map(|word| write(word, !1));
        let reads = Index::all().map(|word| Some(RegisterAccess::Read { word }));
        let sweep = writes.chain(reads.clone()).chain(reads).chain([None]);
        let cycles = program.chain(edges).chain(sweep.map(|register| (quiet, register)));
        let cycles = cycles
            .map(|(access, register)| MonitorInputs { access, snoop: None, register })
            .map(|inputs| Cycle { reset: false, inputs });
        unit(parameters).check(&mut MonitorBench::new(parameters), cycles).unwrap();
    }
}

/// One pc below, at and above either end, for ends in either word.
#[test]
fn the_range_holds_its_low_end_and_not_its_high_end() {
    for parameters in CONFIGURATIONS {
        let (unit, mask) = (unit(parameters), pc_mask(parameters));
        let ends = [(0x1000, 0x1004), (0x8000_1000, 0x8000_1001), (0xffff_fff0, 0x1_0000_0004)];
        let ranges = ends.map(|(low, high)| (low & mask, high & mask));
        for (low, high) in ranges.into_iter().chain([(0, mask), (mask, mask), (5, 4)]) {
            let program = [
                write(Word::RangeLow, low as u32),
                write(Word::RangeLowUpper, (low >> 32) as u32),
                write(Word::RangeHigh, high as u32),
                write(Word::RangeHighUpper, (high >> 32) as u32),
                write(Word::Control, 3),
            ];
            let program = program.map(|register| MonitorInputs { register, ..Default::default() });
            let near = [low, high]
                .into_iter()
                .flat_map(|end| [-1, 0, 1].map(|offset| end.wrapping_add_signed(offset) & mask));
            let accesses = near.map(|pc| {
                let (pc, meta) = (Pc(pc), LineMeta::NULL);
                let access =
                    Access { valid: true, pc, communicating: true, meta, ..Access::default() };
                MonitorInputs { access, ..Default::default() }
            });
            let cycles = program.into_iter().chain(accesses);
            let cycles = cycles.map(|inputs| Cycle { reset: false, inputs });
            unit.check(&mut MonitorBench::new(parameters), cycles).unwrap();
        }
    }
}

/// On another hart than in the other tests, so that each bit of its number is 0 here or there.
#[test]
fn a_pc_of_a_single_bit_is_a_pc() {
    for parameters in CONFIGURATIONS {
        let harts = (1_u32 << parameters.fields.hart_bits) - 1;
        let hart = HartId(!parameters.hart.0 & harts);
        let parameters = MonitorParameters { hart, ..parameters };
        let high = pc_mask(parameters);
        let program = [
            write(Word::RangeHigh, high as u32),
            write(Word::RangeHighUpper, (high >> 32) as u32),
            write(Word::Control, 3),
        ];
        let program = program.map(|register| MonitorInputs { register, ..Default::default() });
        let accesses = (0..parameters.core_pc_bits).map(|bit| {
            let pc = Pc(1 << bit);
            let access = Access { valid: true, pc, communicating: true, ..Access::default() };
            let register = Some(RegisterAccess::Read { word: Word::KindAndHarts.into() });
            MonitorInputs { access, register, ..Default::default() }
        });
        let cycles = program.into_iter().chain(accesses);
        let cycles = cycles.map(|inputs| Cycle { reset: false, inputs });
        unit(parameters).check(&mut MonitorBench::new(parameters), cycles).unwrap();
    }
}
