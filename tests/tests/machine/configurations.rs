//! Machines of unusual configurations: whatever a key allows works, in lockstep with the golden machine and
//! with the design's own properties checked.

use border::event::Event;
use border::{Drain, End, Settings};
use cosim::machine::Options;

use crosstalk_tests::machine::random;
use crosstalk_tests::machine::setup::{self, Bench};

/// Everything small: one way, the shortest lines, the fewest bits, a hash for a pc, numbers that start
/// again after 31, tables that are always full, every store marked; and counters of events.
const NARROW: &str = "
    harts = 2
    counters = true
    pc_bits = 8
    timestamp_bits = 5
    context.events = 1
    metadata.update = 'every-write'
    ct.depth = 4
    l1.line = 8
    l1.data = { bytes = 64, ways = 1 }
    l1.instruction = { bytes = 1024, ways = 1 }
";

/// The other ends: the longest context, no numbers, long lines in many ways, a depth that is no power of
/// two, harts that wait for room in their tables, and counters of events.
const PATIENT: &str = "
    counters = true
    pc_bits = 31
    timestamp_bits = 0
    context.events = 16
    metadata.update = 'first-write'
    ct = { depth = 5, overflow = 'stall' }
    l1.line = 64
    l1.data = { bytes = 1024, ways = 4 }
    l1.instruction = { bytes = 1024, ways = 8 }
";

/// A machine of this description.
fn bench(text: &str) -> Bench {
    Bench::checked(text.parse().unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn the_smallest_of_everything_agrees_with_the_golden_machine() {
    let (_, all) = random::compare(&bench(NARROW), 1..9, 15_000);
    println!("{all:?}");
    assert!(all.lost > 100 && all.table_interrupts > 50, "the tables were hardly full: {all:?}");
}

/// A C program with firmware that drains the tables, which would otherwise stop the harts.
#[test]
fn harts_that_wait_for_room_in_their_tables_are_let_go_by_the_firmware() {
    let bench = bench(PATIENT);
    let full = |settings: &mut Settings| settings.drain = Drain::Full;
    let program = setup::threaded("producer_consumer", &bench.config, full);
    for seed in [0, 9] {
        let mut console = Vec::new();
        let options = || Options {
            limit: Some(3_000_000),
            lockstep: true,
            stats: true,
            ..Options::default()
        };
        let outcome = bench.run(&program, seed, &mut console, &options);
        assert!(matches!(outcome.end, End::Exit { code: 0, .. }), "{:?}", outcome.end);
        assert_eq!(String::from_utf8_lossy(&console), "consumed 80 items, sum 45560\n");
        let all = outcome.stats.expect("counted").total();
        println!("seed {seed}: {all:?}");
        assert_eq!(all.lost, 0, "a table that stalls loses nothing");
        assert!(all.edges > 100 && all.table_interrupts > 20, "{all:?}");
        let events = |event| all.spent.event(event);
        assert!(events(Event::DataMiss) > all.upgrades, "{all:?}");
        assert!(events(Event::Mispredict) > 100 && events(Event::FetchMiss) > 100, "{all:?}");
        let waits = [
            Event::FetchWait,
            Event::BusWait,
            Event::DeviceWait,
            Event::TableWait,
            Event::InterruptWait,
            Event::HeldWait,
        ];
        assert_eq!(waits.map(events), all.spent.waits(), "what is counted is what is exported");
    }
}
