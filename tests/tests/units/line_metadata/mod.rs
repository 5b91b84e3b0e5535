//! The line metadata array against its model.

mod contract;

use config::Update;
use cosim::Bench;
use cosim::testing::property;
use golden::{Cause, Fields, LineMeta, LineMetadata, MetadataInputs, MetadataUpdate};
use hdl::index_width;
use proptest::prelude::*;

use crate::metadata::{fields, meta, nth_access, peek_meta, poke_meta, widths};
use crate::simulators::{Simulator, Subject};
use crate::tally::Tally;

/// What can happen in one cycle.
#[derive(Clone, Debug)]
struct Cycle {
    reset: bool,
    inputs: MetadataInputs,
}

/// What can be seen in one cycle.
#[derive(Debug, PartialEq)]
struct Outputs {
    lookup_meta: LineMeta,
}

#[derive(Clone, Copy, Debug)]
struct Parameters {
    lines: usize,
    fields: Fields,
    update: Update,
}

impl Parameters {
    fn unit(self) -> Subject {
        let Self { lines, fields, update } = self;
        let array = units::line_metadata::LineMetadata {
            lines,
            fields: widths(fields),
            update,
            apart: false,
        };
        Subject::of(array)
    }

    fn bench(self) -> MetadataBench {
        let model = LineMetadata::new(self.lines, self.fields, self.update);
        MetadataBench { fields: self.fields, model }
    }

    /// How many lines can be named, whether or not they are there.
    fn names(self) -> usize {
        1 << index_width(self.lines)
    }
}

/// From the smallest to the largest, with every policy, each field there and not, and lines that
/// fill their index and that do not.
const CONFIGURATIONS: [Parameters; 11] = {
    use Update::{EveryWrite, FirstWrite, Miss};
    const fn new(lines: usize, fields: Fields, update: Update) -> Parameters {
        Parameters { lines, fields, update }
    }
    [
        new(1, fields(8, 1, 0, 0), Miss),
        new(2, fields(13, 2, 1, 0), FirstWrite),
        new(3, fields(16, 5, 0, 7), EveryWrite),
        new(4, fields(31, 3, 8, 1), Miss),
        new(5, fields(32, 5, 2, 32), Miss),
        new(7, fields(33, 16, 3, 33), FirstWrite),
        new(16, fields(64, 5, 0, 0), Miss),
        new(33, fields(64, 16, 8, 64), EveryWrite),
        new(128, fields(32, 5, 2, 32), Miss),
        new(128, fields(32, 5, 2, 32), FirstWrite),
        new(1000, fields(48, 7, 5, 20), EveryWrite),
    ]
};

/// The model beside the hardware.
struct MetadataBench {
    fields: Fields,
    model: LineMetadata,
}

impl<D: Simulator> Bench<D> for MetadataBench {
    type Stimulus = Cycle;
    type Outputs = Outputs;

    fn drive(&mut self, dut: &mut D, cycle: &Cycle) {
        let MetadataInputs { lookup, update } = cycle.inputs;
        dut.poke("rst", cycle.reset);
        dut.poke("lookup_valid", lookup.is_some());
        dut.poke("lookup_line", lookup.unwrap_or(0) as u64);
        dut.poke("update_valid", update.is_some());
        // What is not valid must not matter.
        let idle = MetadataUpdate { line: 0, cause: Cause::Fill, meta: self.fields.mask() };
        let MetadataUpdate { line, cause, meta } = update.unwrap_or(idle);
        dut.poke("update_line", line as u64);
        dut.poke("update_cause", cause as u64);
        poke_meta(dut, self.fields, "update_meta", meta);
    }

    fn sample(&self, dut: &D) -> Outputs {
        Outputs { lookup_meta: peek_meta(dut, self.fields, "lookup_meta") }
    }

    fn expect(&mut self, cycle: &Cycle, _: &Outputs) -> Outputs {
        // Reset changes nothing.
        Outputs { lookup_meta: self.model.step(&cycle.inputs).lookup_meta }
    }
}

/// A line: often one of a few, so that lookups meet updates, the last one and those past it too.
fn line(parameters: Parameters) -> impl Strategy<Value = usize> {
    let Parameters { lines, .. } = parameters;
    let last = parameters.names() - 1;
    prop_oneof![
        4 => 0..lines.min(3),
        2 => Just(lines - 1),
        1 => Just(lines.min(last)),
        1 => Just(last),
        4 => 0..=last,
    ]
}

fn cycle(parameters: Parameters) -> impl Strategy<Value = Cycle> {
    let cause = prop::sample::select(&Cause::ALL[..]);
    let update = (line(parameters), cause, meta(parameters.fields))
        .prop_map(|(line, cause, meta)| MetadataUpdate { line, cause, meta });
    let update = prop::option::weighted(0.8, update);
    let lookup = prop::option::weighted(0.7, line(parameters));
    let (reset, same) = (prop::bool::weighted(0.05), prop::bool::weighted(0.3));
    (reset, same, lookup, update).prop_map(|(reset, same, lookup, update)| {
        let updated = update.map(|update| update.line).filter(|_| same);
        Cycle { reset, inputs: MetadataInputs { lookup: updated.or(lookup), update } }
    })
}

#[test]
fn every_configuration_agrees_with_the_model() {
    let mut tally = Tally::of("line_metadata");
    for parameters in CONFIGURATIONS {
        let unit = parameters.unit();
        let cycles = prop::collection::vec(cycle(parameters), 1..2000);
        let cycles = property(100, cycles, |cycles| unit.check_case(|| parameters.bench(), cycles));
        tally.add(unit.top(), cycles);
    }
    tally.finish();
}

/// Every name of a line is written with every cause, then all are looked up: lines do not touch
/// each other, those past the end hold nothing, and a reset touches none.
#[test]
fn every_line_keeps_its_own_writer() {
    for parameters in CONFIGURATIONS {
        let names = 0..parameters.names();
        let write = |line: usize, cause: Cause| {
            let meta = nth_access((4 * line + cause as usize + 1) as u32);
            let update = Some(MetadataUpdate { line, cause, meta });
            Cycle { reset: false, inputs: MetadataInputs { lookup: Some(line), update } }
        };
        let read = |line: usize| {
            let inputs = MetadataInputs { lookup: Some(line), update: None };
            Cycle { reset: line % 7 == 3, inputs }
        };
        let mut cycles = Vec::new();
        for cause in [Cause::Fill, Cause::FirstWrite, Cause::WriteHit, Cause::Miss] {
            cycles.extend(names.clone().map(|line| write(line, cause)));
            cycles.extend(names.clone().map(read));
            // The last answer comes one cycle later, and stays.
            cycles.extend([0, 1].map(|_| Cycle { reset: false, inputs: Default::default() }));
        }
        parameters.unit().check(|| parameters.bench(), cycles).unwrap();
    }
}
