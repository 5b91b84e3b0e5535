//! Random instructions on all harts at once: `crosstalk_tests::machine::random` says what they are.

use config::Config;
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
