//! Random instructions on all harts at once: `crosstalk_tests::machine::random` says what they are.

use config::{Config, Perturbation};
use crosstalk_tests::machine::random::compare;
use crosstalk_tests::machine::setup::Bench;

#[test]
fn random_instructions_on_all_harts_agree_with_the_golden_machine() {
    let bench = Bench::of(Config::default());
    let (compared, all) = compare(&bench, 1..25, 20_000);
    println!("{compared} cycles in lockstep: {all:?}");
    for (what, count) in [
        ("interrupts", all.interrupts),
        ("interrupts of tables", all.table_interrupts),
        ("exceptions", all.exceptions),
        ("upgrades", all.upgrades),
        ("lines held elsewhere", all.communicating),
        ("accesses to devices", all.device_accesses),
        ("edges", all.edges),
    ] {
        assert!(count > 100, "{count} {what}: the programs are too tame");
    }
}

/// One hart at a time by rank, and harts that rest: the golden machine follows whatever order comes.
#[test]
fn harts_that_rest_and_wait_by_rank_agree_with_the_golden_machine() {
    let mut bench = Bench::of(Config::default());
    let ranks =
        Perturbation { max_hold: 1000, changes: 4, change_range: 2000, ..Perturbation::NONE };
    let rests = Perturbation { rest_chance: 300, max_rest: 5000, ..Perturbation::NONE };
    let both = Perturbation { rest_chance: 300, max_rest: 5000, ..ranks };
    for (perturbation, first) in [(ranks, 31), (rests, 41), (both, 51)] {
        bench.config.simulation.perturbation = perturbation;
        let (compared, all) = compare(&bench, first..first + 6, 20_000);
        println!("{compared} cycles in lockstep: {all:?}");
        assert!(all.communicating > 100, "{perturbation:?}: harts hardly meet");
    }
}
