//! The perturbation against its model, and what it promises: bounds, nobody starved, nothing without a seed.

mod model;

use config::Perturbation as Settings;
use cosim::Bench;
use cosim::testing::property;
use kit::Dice;
use proptest::prelude::*;
use units::perturbation::Perturbation;

use crate::simulators::{Dut, Simulator, Subject};
use crate::tally::Tally;
use model::{Conduct, Model};

/// What harts want in one cycle, a bit each.
#[derive(Clone, Debug)]
struct Cycle {
    reset: bool,
    /// These make an access, if they may.
    take: u32,
    /// Those accesses are reads.
    read: u32,
    /// Accesses of these end, if they are not held.
    end: u32,
    /// Accesses of these are withdrawn.
    withdraw: u32,
}

#[derive(Debug, PartialEq)]
struct Outputs {
    /// Of harts with an access under way.
    hold: Vec<Option<bool>>,
    passed_over: u64,
    max_passes: u64,
}

struct PerturbationBench {
    harts: usize,
    seed: u64,
    settings: Settings,
    model: Model,
    conducts: Vec<Conduct>,
}

impl PerturbationBench {
    fn new(harts: usize, seed: u64, settings: Settings) -> Self {
        let model = Model::new(harts, seed, settings);
        Self { harts, seed, settings, model, conducts: Vec::new() }
    }

    fn conduct(&self, hart: usize, cycle: &Cycle) -> Conduct {
        let bit = |bits: u32| bits >> hart & 1 != 0;
        let busy = self.model.is_busy(hart);
        let answered = bit(cycle.end) && !self.model.holds(hart);
        let ended = busy && (answered || bit(cycle.withdraw));
        Conduct { taken: bit(cycle.take) && (!busy || ended), read: bit(cycle.read), ended }
    }
}

/// Sets every setting.
fn poke_settings(mut poke: impl FnMut(&str, u64), seed: u64, settings: &Settings) {
    poke("settings_seed", seed);
    for (port, value) in [
        ("settings_chance", settings.chance),
        ("settings_burst", settings.burst),
        ("settings_max_stall", settings.max_stall),
        ("settings_max_passes", settings.max_passes),
        ("settings_rest_chance", settings.rest_chance),
        ("settings_max_rest", settings.max_rest),
        ("settings_max_hold", settings.max_hold),
        ("settings_changes", settings.changes),
        ("settings_change_range", settings.change_range),
    ] {
        poke(port, value.into());
    }
}

fn poke_conduct(mut poke: impl FnMut(&str, u64), hart: usize, conduct: Conduct) {
    poke(&format!("conduct_{hart}_taken"), conduct.taken.into());
    poke(&format!("conduct_{hart}_read"), conduct.read.into());
    poke(&format!("conduct_{hart}_ended"), conduct.ended.into());
}

impl<D: Simulator> Bench<D> for PerturbationBench {
    type Stimulus = Cycle;
    type Outputs = Outputs;

    fn drive(&mut self, dut: &mut D, cycle: &Cycle) {
        dut.poke("rst", cycle.reset);
        poke_settings(|port, value| dut.poke(port, value), self.seed, &self.settings);
        self.conducts = (0..self.harts).map(|hart| self.conduct(hart, cycle)).collect();
        for (hart, conduct) in self.conducts.iter().enumerate() {
            poke_conduct(|port, value| dut.poke(port, value), hart, *conduct);
        }
    }

    fn sample(&self, dut: &D) -> Outputs {
        let hold = |hart| dut.peek(&format!("hold_{hart}")) == 1;
        Outputs {
            hold: (0..self.harts).map(|h| self.model.is_busy(h).then(|| hold(h))).collect(),
            passed_over: dut.peek("disturbance_pass_over"),
            max_passes: dut.peek("disturbance_max_passes"),
        }
    }

    fn expect(&mut self, cycle: &Cycle, _: &Outputs) -> Outputs {
        let model = &self.model;
        let hold = |hart| model.is_busy(hart).then(|| model.holds(hart));
        let outputs = Outputs {
            hold: (0..self.harts).map(hold).collect(),
            passed_over: model.passed_over(),
            max_passes: self.settings.max_passes.into(),
        };
        self.model.step(&self.conducts);
        if cycle.reset {
            self.model = Model::new(self.harts, self.seed, self.settings);
        }
        outputs
    }
}

/// A setting that is often off, mostly small, sometimes as large as it can be.
fn setting(small: u32, largest: u32) -> impl Strategy<Value = u32> {
    prop_oneof![2 => Just(0), 5 => 0..=small, 1 => 0..=largest, 1 => Just(largest)]
}

fn settings() -> impl Strategy<Value = Settings> {
    let delays = (setting(64, 256), setting(200, 256), setting(20, 1024), setting(8, 64));
    let rests = (setting(6000, 65535), setting(150, 32768));
    let ranks = (setting(300, 32768), 0..=4_u32, setting(200, 65535));
    (delays, rests, ranks).prop_map(
        |((chance, burst, max_stall, max_passes), (rest_chance, max_rest), ranks)| {
            let (max_hold, changes, change_range) = ranks;
            Settings {
                chance,
                burst,
                max_stall,
                max_passes,
                rest_chance,
                max_rest,
                max_hold,
                changes,
                change_range,
            }
        },
    )
}

/// Cycles in which the same harts are busy, most of them reading, or hardly any.
fn phase() -> impl Strategy<Value = Vec<Cycle>> {
    let mask = || prop_oneof![2 => Just(u32::MAX), 2 => any::<u32>(), 1 => Just(0)];
    let reads = prop_oneof![3 => Just(u32::MAX), 1 => any::<u32>(), 1 => Just(0)];
    (mask(), reads, mask(), 0.0..0.02).prop_flat_map(|(busy, reads, quick, gone)| {
        let some = || prop_oneof![6 => Just(u32::MAX), 1 => any::<u32>()];
        let withdraw = prop::option::weighted(gone, any::<u32>());
        let reset = prop::bool::weighted(0.0003);
        let cycle =
            (some(), prop_oneof![40 => Just(u32::MAX), 1 => any::<u32>()], some(), withdraw, reset)
                .prop_map(move |(take, read, end, withdraw, reset)| Cycle {
                    reset,
                    take: take & busy,
                    read: read & reads,
                    end: end & (quick | take),
                    withdraw: withdraw.unwrap_or(0),
                });
        prop::collection::vec(cycle, 1..500)
    })
}

#[test]
fn every_size_agrees_with_the_model() {
    let mut tally = Tally::of("perturbation");
    for harts in [1, 2, 3, 4, 5, 7, 8, 16] {
        let unit = Subject::of(Perturbation { harts });
        let seed = prop_oneof![8 => any::<u64>(), 1 => Just(0), 1 => Just(0x9e37_79b9_7f4a_7c15)];
        let stimulus = (seed, settings(), prop::collection::vec(phase(), 1..12));
        let cycles = property(100, stimulus, |(seed, settings, phases)| {
            unit.check_case(|| PerturbationBench::new(harts, seed, settings), phases.concat())
        });
        tally.add(unit.top(), cycles);
    }
    tally.finish();
}

/// Harts that make accesses for ever, each of which ends as soon as it may: for how many cycles each access
/// was held, by hart.
fn held(dut: &mut Dut, harts: usize, seed: u64, settings: &Settings, cycles: u32) -> Vec<Vec<u64>> {
    poke_settings(|port, value| dut.set(port, value), seed, settings);
    dut.reset();
    let mut dice = Dice::new(seed);
    let mut now: Vec<Option<u64>> = vec![None; harts];
    let mut all = vec![Vec::new(); harts];
    for _ in 0..cycles {
        for hart in 0..harts {
            let holds = dut.is(&format!("hold_{hart}"));
            let ended = match &mut now[hart] {
                Some(count) if holds => {
                    *count += 1;
                    None
                }
                under_way => under_way.take(),
            };
            all[hart].extend(ended);
            let taken = now[hart].is_none() && dice.one_in(2);
            if taken {
                now[hart] = Some(0);
            }
            let conduct = Conduct { taken, read: dice.one_in(2), ended: ended.is_some() };
            poke_conduct(|port, value| dut.set(port, value), hart, conduct);
        }
        dut.step();
    }
    let open = now.iter().zip(&mut all);
    open.for_each(|(now, all)| all.extend(now));
    all
}

const RANKS: Settings = Settings { max_hold: 50, changes: 3, change_range: 400, ..Settings::NONE };

#[test]
fn nobody_is_held_by_rank_for_longer_than_each_other_hart_may_lead() {
    for harts in [2, 3, 5] {
        let longest = |dut: &mut Dut, settings: &Settings| {
            let all = held(dut, harts, 77, settings, 6000);
            assert!(all.iter().all(|hart| hart.len() > 20), "{harts} harts: somebody starves");
            all.concat().into_iter().max()
        };
        Subject::of(Perturbation { harts }).each(|dut| {
            let bound = (harts as u64 - 1) * 50;
            assert!(longest(dut, &RANKS) <= Some(bound));
            assert!(longest(dut, &RANKS) > Some(40), "the bound is nearly met");
        });
    }
}

#[test]
fn harts_go_one_after_the_other() {
    Subject::of(Perturbation { harts: 4 }).each(|dut| {
        // All go while ranks are drawn, and then the first alone.
        let settings = Settings { max_hold: 8000, ..Settings::NONE };
        let all = held(dut, 4, 5, &settings, 3000);
        let mut counts: Vec<usize> = all.iter().map(Vec::len).collect();
        counts.sort_unstable();
        assert!(4 * counts[..3].iter().sum::<usize>() < counts[3], "{counts:?}");
        // A change of leaders: two of them share the work.
        let settings = Settings { changes: 1, change_range: 500, ..settings };
        let all = held(dut, 4, 5, &settings, 3000);
        let mut counts: Vec<usize> = all.iter().map(Vec::len).collect();
        counts.sort_unstable();
        assert!(2 * counts[1] < counts[2], "{counts:?}");
    });
}

#[test]
fn without_a_seed_or_settings_nothing_is_held() {
    let strong = Settings {
        chance: 256,
        burst: 256,
        max_stall: 9,
        max_passes: 64,
        rest_chance: 65535,
        max_rest: 300,
        ..RANKS
    };
    Subject::of(Perturbation { harts: 3 }).each(|dut| {
        for (seed, settings) in [(0, &strong), (9, &Settings::NONE)] {
            let all = held(dut, 3, seed, settings, 500).concat();
            assert_eq!(all.iter().sum::<u64>(), 0);
        }
        assert!(held(dut, 3, 9, &strong, 500).concat().iter().sum::<u64>() > 300);
    });
}

#[test]
fn a_rest_is_long_and_nobody_alone_rests() {
    let settings = Settings { rest_chance: 3000, max_rest: 1500, ..Settings::NONE };
    Subject::of(Perturbation { harts: 2 }).each(|dut| {
        let longest = held(dut, 2, 21, &settings, 9000).concat().into_iter().max();
        assert!((Some(700)..=Some(1500)).contains(&longest), "{longest:?}");
    });
    Subject::of(Perturbation { harts: 1 }).each(|dut| {
        assert_eq!(held(dut, 1, 21, &settings, 3000).concat().into_iter().max(), Some(0));
    });
}
