//! How fast the golden machine is, in instructions a second: alone, and following exports.
//!
//! `cargo run --release -p crosstalk-golden --example speed`

use golden::isa::Retired;
use golden::machine::{CycleExports, Follower, Limits, Machine, Segment};
use golden::memory::{BusGrant, BusKind, Hit, HitKind, Parameters, RAM, State};
use std::time::Instant;

/// Each hart adds to a word of its own for ever: seven instructions a round, two of them accesses.
const PROGRAM: [u32; 12] = [
    0xf140_2573, // csrr a0, mhartid
    0x0075_1513, // slli a0, a0, 7
    0x8000_15b7, // lui a1, 0x80001
    0x00a5_85b3, // add a1, a1, a0
    0x0000_0613, // li a2, 0
    0x0016_0613, // again: addi a2, a2, 1
    0x0005_a683, // lw a3, 0(a1)
    0x00c6_86b3, // add a3, a3, a2
    0x00d5_a023, // sw a3, 0(a1)
    0x0006_8713, // mv a4, a3
    0x00e6_c7b3, // xor a5, a3, a4
    0xfe06_14e3, // bnez a2, again
];

/// The exports of one cycle in which one hart executes.
struct Shown {
    hart: usize,
    bus: Option<BusGrant>,
    hit: Option<Hit>,
    record: Retired,
}

fn machine(parameters: &Parameters, seed: u64) -> Machine {
    let bytes: Vec<u8> = PROGRAM.iter().flat_map(|insn| insn.to_le_bytes()).collect();
    let mut machine = Machine::new(parameters, seed);
    machine.load(Segment { address: RAM, bytes: &bytes }).expect("it fits");
    machine
}

/// Lets the harts execute in turn, and shows what hardware would.
fn record(parameters: &Parameters, count: usize) -> Vec<Shown> {
    let mut machine = machine(parameters, 0);
    let step = |number: usize| {
        let hart = number % parameters.harts;
        let record = machine.step(hart)?;
        let (address, kind) = match (record.mem_rmask, record.mem_wmask) {
            (0, 0) => return Some(Shown { hart, bus: None, hit: None, record }),
            (_, 0) => (record.mem_addr, HitKind::Load),
            _ => (record.mem_addr, HitKind::Store),
        };
        // Nobody shares a line here: only the first load misses.
        let first =
            machine.memory().cache(hart).state(address) == State::Exclusive && record.order < 8;
        let time = machine.memory().time() as u32;
        let read = BusGrant { time, ..BusGrant::plain(BusKind::Read, hart as u8, address) };
        let hit = Hit { kind, address, way: 0 };
        let (bus, hit) = if first { (Some(read), None) } else { (None, Some(hit)) };
        Some(Shown { hart, bus, hit, record })
    };
    (0..count).map_while(step).collect()
}

fn rate(what: &str, count: usize, start: Instant) {
    let rate = count as f64 / start.elapsed().as_secs_f64();
    println!("{what}: {:.1} million instructions/s", rate / 1e6);
}

fn main() {
    let sim4 = Parameters::of(&config::Config::default()).expect("the default is modeled");
    for harts in [1, 4] {
        let parameters = Parameters { harts, ..sim4 };
        let count = 20_000_000;
        let mut alone = machine(&parameters, 1);
        let start = Instant::now();
        alone.run(Limits { instructions: count });
        rate(&format!("{harts} harts alone"), count as usize, start);

        let shown = record(&parameters, 2_000_000);
        let mut follower = Follower::new(&parameters);
        let bytes: Vec<u8> = PROGRAM.iter().flat_map(|insn| insn.to_le_bytes()).collect();
        follower.load(Segment { address: RAM, bytes: &bytes }).expect("it fits");
        let (mut hits, mut retired) = (vec![None; harts], vec![None; harts]);
        let mut cycle = 0;
        for hart in 0..harts {
            for line in [RAM, RAM + sim4.line] {
                let bus = Some(BusGrant::plain(BusKind::Fetch, hart as u8, line));
                let (hits, retired) = (&hits, &retired);
                let exports = CycleExports {
                    cycle,
                    bus,
                    tap: None,
                    hits,
                    retired,
                    watched: None,
                    breakpoints: None,
                };
                follower.cycle(&exports).expect("a good stream");
                cycle += 1;
            }
        }
        let start = Instant::now();
        for Shown { hart, bus, hit, record } in &shown {
            (hits[*hart], retired[*hart]) = (*hit, Some(*record));
            let (bus, tap, watched) = (*bus, None, None);
            let exports = CycleExports {
                cycle,
                bus,
                tap,
                hits: &hits,
                retired: &retired,
                watched,
                breakpoints: None,
            };
            follower.cycle(&exports).expect("a good stream");
            (hits[*hart], retired[*hart]) = (None, None);
            cycle += 1;
        }
        rate(&format!("{harts} harts followed"), shown.len(), start);
    }
    let (runs, instructions) = (1000, 5000);
    let start = Instant::now();
    for seed in 0..runs {
        machine(&sim4, seed).run(Limits { instructions });
    }
    let minutes = start.elapsed().as_secs_f64() / 60.0;
    println!("{:.0} schedules of {instructions} instructions/minute", runs as f64 / minutes);
}
