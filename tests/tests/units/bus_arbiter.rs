//! The bus's arbiter against a model of turns, as `docs/machine.md` has fairness.
//!
//! Inside a memory system nobody sees who asks in which cycle, nor who is passed over, so only bounds can be checked there.
//! Here every winner is.

use cosim::testing::{Unit, property};
use cosim::{Bench, Model};
use hdl::elaborate;
use proptest::prelude::*;
use units::bus::BusArbiter;

/// What can happen in one cycle, as far as who asks and the bus allow it.
#[derive(Clone, Debug)]
struct Cycle {
    reset: bool,
    /// These ask from now on, until they are granted.
    ask: u32,
    /// These give up.
    give_up: u32,
    take: bool,
    grant: bool,
    pass_over: u32,
}

/// What comes in.
#[derive(Clone, Copy, Debug, Default)]
struct Inputs {
    requests: u32,
    take: bool,
    granted: bool,
}

/// Who has the turn, and how often who was passed over.
struct Arbiter {
    requesters: u32,
    perturbed: bool,
    max_passes: u32,
    /// The turn begins after this one.
    last_in_turn: Option<u32>,
    /// The one that was taken last, and whether that was out of turn.
    taken: Option<(u32, bool)>,
    /// Grants out of turn that each has seen while it waits.
    passes: Vec<u32>,
}

impl Arbiter {
    fn new(requesters: u32, perturbed: bool, max_passes: u32) -> Arbiter {
        let passes = vec![0; requesters as usize];
        Arbiter { requesters, perturbed, max_passes, last_in_turn: None, taken: None, passes }
    }

    /// The first of these, counted from the one after the last that had its turn.
    fn first_of(&self, requests: u32) -> Option<u32> {
        let start = self.last_in_turn.map_or(0, |last| last + 1);
        let order = (start..start + self.requesters).map(|place| place % self.requesters);
        order.into_iter().find(|place| requests >> place & 1 != 0)
    }

    /// Who is next, and whether that is out of turn.
    fn next(&self, requests: u32, pass_over: u32) -> Option<(u32, bool)> {
        let in_turn = self.first_of(requests)?;
        let mut waiting = (0..).zip(&self.passes).filter(|(place, _)| requests >> place & 1 != 0);
        let patient = waiting.all(|(_, passes)| *passes < self.max_passes);
        match self.first_of(requests & !pass_over) {
            Some(other) if self.perturbed && patient && other != in_turn => Some((other, true)),
            _ => Some((in_turn, false)),
        }
    }

    fn step(&mut self, inputs: Inputs, pass_over: u32) -> Option<u32> {
        let Inputs { requests, take, granted } = inputs;
        let next = self.next(requests, pass_over);
        for (place, passes) in (0..).zip(&mut self.passes) {
            let waits = requests >> place & 1 != 0;
            match self.taken.filter(|_| granted) {
                _ if !waits => *passes = 0,
                Some((winner, _)) if winner == place => *passes = 0,
                Some((_, true)) => *passes += 1,
                _ => {}
            }
        }
        if let Some((winner, out_of_turn)) = next.filter(|_| take) {
            self.taken = Some((winner, out_of_turn));
            if !out_of_turn {
                self.last_in_turn = Some(winner);
            }
        }
        next.map(|(winner, _)| winner)
    }
}

/// The model beside the hardware, and what is around both.
struct ArbiterBench {
    model: Arbiter,
    requests: u32,
    /// One was taken, and is not granted yet.
    open: bool,
    inputs: Inputs,
}

impl ArbiterBench {
    fn new(unit: &BusArbiter, max_passes: u32) -> ArbiterBench {
        let model = Arbiter::new(unit.requesters as u32, unit.perturbed, max_passes);
        ArbiterBench { model, requests: 0, open: false, inputs: Inputs::default() }
    }
}

impl Bench for ArbiterBench {
    type Stimulus = Cycle;
    /// The winner, if anybody asks.
    type Outputs = Option<u64>;

    fn drive(&mut self, dut: &mut Model, cycle: &Cycle) {
        let all = (1 << self.model.requesters) - 1;
        self.requests = (self.requests | cycle.ask) & !cycle.give_up & all;
        let granted = self.open && cycle.grant;
        let take = !self.open && cycle.take;
        self.inputs = Inputs { requests: self.requests, take, granted };
        dut.poke("rst", cycle.reset);
        dut.poke("requests", self.requests);
        dut.poke("take", take);
        dut.poke("granted", granted);
        if self.model.perturbed {
            dut.poke("disturbance_pass_over", cycle.pass_over & all);
            dut.poke("disturbance_max_passes", self.model.max_passes);
        }
    }

    fn sample(&self, dut: &Model) -> Option<u64> {
        (self.requests != 0).then(|| dut.peek("winner"))
    }

    fn expect(&mut self, cycle: &Cycle, _: &Option<u64>) -> Option<u64> {
        let Inputs { requests, take, granted } = self.inputs;
        if let Some((winner, _)) = self.model.taken.filter(|_| granted) {
            self.requests &= !(1 << winner);
        }
        // What is taken and not granted is given up at the next chance.
        self.open = take && requests != 0 || self.open && !granted && !cycle.take;
        let winner = self.model.step(self.inputs, cycle.pass_over);
        if cycle.reset {
            let Arbiter { requesters, perturbed, max_passes, .. } = self.model;
            self.model = Arbiter::new(requesters, perturbed, max_passes);
            self.open = false;
        }
        winner.map(u64::from)
    }
}

/// Some of the requesters: none, all, many, few.
fn some() -> impl Strategy<Value = u32> {
    let few = (any::<u32>(), any::<u32>()).prop_map(|(left, right)| left & right);
    prop_oneof![Just(0), Just(u32::MAX), any::<u32>(), few]
}

/// Cycles in which nearly the same are passed over all the time, so that somebody sees many grants out of turn.
fn phase() -> impl Strategy<Value = Vec<Cycle>> {
    let busy = prop_oneof![Just(1.0), Just(0.9), Just(0.5)];
    (some(), some(), busy, 0.0..0.3).prop_flat_map(|(asks, passed, busy, gone)| {
        let ask = prop_oneof![3 => Just(asks), 1 => some()];
        let give_up = prop::option::weighted(gone * gone, some());
        let pass_over = prop_oneof![5 => Just(passed), 1 => some()];
        let flags =
            (prop::bool::weighted(0.002), prop::bool::weighted(busy), prop::bool::weighted(busy));
        let cycle = (ask, give_up, pass_over, flags).prop_map(
            |(ask, give_up, pass_over, (reset, take, grant))| {
                let give_up = give_up.unwrap_or(0);
                Cycle { reset, ask, give_up, take, grant, pass_over }
            },
        );
        prop::collection::vec(cycle, 1..200)
    })
}

/// One of them is passed over for as long as it may be, and gives up now and then: also in the cycle in which it would have
/// had to be taken. The others come and go, so that they have seen less than it has.
fn passed_over(requesters: u32) -> impl Strategy<Value = Vec<Cycle>> {
    (0..requesters, 0.0..0.1).prop_flat_map(|(one, gone)| {
        let one = 1_u32 << one;
        let gives_up = prop::bool::weighted(gone);
        let masks = (some(), some(), some());
        let cycle =
            (gives_up, masks).prop_map(move |(gives_up, (ask, give_up, pass_over))| Cycle {
                ask: one | ask,
                give_up: if gives_up { give_up | one } else { give_up & !one },
                pass_over: one | pass_over,
                ..BUSY
            });
        prop::collection::vec(cycle, 1..300)
    })
}

/// All ask, and one after the other is taken and granted.
const BUSY: Cycle =
    Cycle { reset: false, ask: u32::MAX, give_up: 0, take: true, grant: true, pass_over: 0 };

fn unit(arbiter: &BusArbiter) -> Unit {
    Unit::of(&elaborate(arbiter.clone()).expect("a legal circuit"))
}

#[test]
fn nobody_is_passed_over_more_often_than_allowed_nor_less() {
    for requesters in [3, 7] {
        let arbiter = BusArbiter { requesters, perturbed: true };
        let unit = unit(&arbiter);
        // Every requester sees every number of grants, up to the highest bound that there is.
        for one in 0..requesters {
            let cycles = vec![Cycle { pass_over: 1 << one, ..BUSY }; 400];
            unit.check(&mut ArbiterBench::new(&arbiter, 64), cycles).unwrap();
        }
        let stimulus = (0..9_u32, prop::collection::vec(passed_over(requesters as u32), 1..4));
        property(400, stimulus, |(max_passes, phases)| {
            unit.check(&mut ArbiterBench::new(&arbiter, max_passes), phases.concat())
        });
    }
}

#[test]
fn every_winner_is_the_one_whose_turn_it_is_or_who_is_left() {
    for (requesters, perturbed) in
        [(3, false), (7, false), (17, false), (3, true), (5, true), (7, true), (17, true)]
    {
        let arbiter = BusArbiter { requesters, perturbed };
        let unit = unit(&arbiter);
        let bounds = prop_oneof![0..9_u32, Just(64), 0..=64_u32];
        let stimulus = (bounds, prop::collection::vec(phase(), 1..8));
        property(300, stimulus, |(max_passes, phases)| {
            unit.check(&mut ArbiterBench::new(&arbiter, max_passes), phases.concat())
        });
    }
}
