//! The context register against its model: the pattern for tests of units.

use cosim::Bench;
use cosim::testing::property;
use golden::{Context, Ctx, Event};
use proptest::prelude::*;
use units::context_register::ContextRegister;

use crate::simulators::{NativeSubject, Simulator, Subject};
use crate::tally::Tally;

/// What can happen in one cycle.
#[derive(Clone, Debug)]
struct Cycle {
    reset: bool,
    write: Option<u32>,
    event: Option<Event>,
}

/// What can be seen in one cycle.
#[derive(Debug, PartialEq)]
struct Outputs {
    ctx: Ctx,
}

/// The model beside the hardware.
struct ContextBench {
    events: usize,
    model: Context,
}

impl ContextBench {
    fn new(events: usize) -> Self {
        Self { events, model: Context::new(events) }
    }

    /// The bits of a context that exist.
    fn mask(&self) -> u32 {
        u32::MAX >> (32 - 2 * self.events)
    }
}

impl<D: Simulator> Bench<D> for ContextBench {
    type Stimulus = Cycle;
    type Outputs = Outputs;

    fn drive(&mut self, dut: &mut D, cycle: &Cycle) {
        dut.poke("rst", cycle.reset);
        dut.poke("event_valid", cycle.event.is_some());
        dut.poke("event_kind", cycle.event.map_or(0, Event::code));
        dut.poke("write_valid", cycle.write.is_some());
        dut.poke("write_data", cycle.write.unwrap_or(0) & self.mask());
    }

    fn sample(&self, dut: &D) -> Outputs {
        Outputs { ctx: Ctx(dut.peek("ctx") as u32) }
    }

    fn expect(&mut self, cycle: &Cycle, _: &Outputs) -> Outputs {
        let mask = self.mask();
        let ctx = self.model.step(cycle.write.map(|bits| bits & mask), cycle.event);
        if cycle.reset {
            self.model = Context::new(self.events);
        }
        Outputs { ctx }
    }
}

fn cycle() -> impl Strategy<Value = Cycle> {
    let event = prop::option::weighted(0.7, prop::sample::select(&Event::ALL[..]));
    let write = prop::option::weighted(0.1, any::<u32>());
    let reset = prop::bool::weighted(0.02);
    (reset, write, event).prop_map(|(reset, write, event)| Cycle { reset, write, event })
}

fn unit(events: usize) -> Subject {
    Subject::of(ContextRegister { events })
}

#[test]
fn every_length_agrees_with_the_model() {
    let mut tally = Tally::of("context_register");
    for events in [1, 2, 3, 4, 5, 7, 8, 11, 16] {
        let unit = unit(events);
        let cycles = property(120, prop::collection::vec(cycle(), 1..2000), |cycles| {
            unit.check_case(|| ContextBench::new(events), cycles)
        });
        tally.add(unit.top(), cycles);
    }
    tally.finish();
}

#[test]
fn an_event_in_every_cycle_fills_the_register_and_pushes_the_oldest_out() {
    for events in [1, 5, 16] {
        let cycles = Event::ALL.iter().cycle().take(4 * events + 3);
        let cycles = cycles.map(|event| Cycle { reset: false, write: None, event: Some(*event) });
        unit(events).check(|| ContextBench::new(events), cycles).unwrap();
    }
}

/// Every length, without a model to build for each.
#[test]
fn every_length_agrees_with_the_model_in_the_native_simulator() {
    for events in 1..=16 {
        let native = NativeSubject::of(ContextRegister { events });
        property(16, prop::collection::vec(cycle(), 1..200), |cycles| {
            Ok(native.check(&mut ContextBench::new(events), &cycles))
        });
    }
}

#[test]
fn an_access_sees_the_context_before_its_own_event() {
    unit(2).each(|dut| {
        dut.set("event_valid", 1);
        dut.set("event_kind", Event::RemoteWrite.code().into());
        assert_eq!(dut.get("ctx"), 0, "the event of this cycle is not in it yet");
        dut.step();
        assert_eq!(dut.get("ctx"), 3);
    });
}
