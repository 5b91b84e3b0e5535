//! Every suite on the golden machine alone, under its own schedules.

use border::tohost::{self, Output};
use border::{Doing, End, Program, Target};
use config::Config;
use firmware::suites;
use golden::machine::{Machine, Segment};
use golden::memory::Parameters;
use std::io;

use crosstalk_tests::machine::setup;

/// Schedules of each suite.
const SEEDS: u64 = 8;
/// Instructions of the longest run.
const LIMIT: u64 = 3_000_000;

fn loaded(program: &Program, config: &Config, seed: u64) -> Machine {
    let mut machine = Machine::new(&Parameters::of(config).unwrap(), seed);
    for segment in &program.segments {
        machine.load(Segment { address: segment.address, bytes: &segment.bytes }).unwrap();
    }
    if let Some(tohost) = program.tohost() {
        Target::watch(&mut machine, tohost).unwrap();
    }
    machine
}

#[test]
fn every_suite_passes_under_every_schedule() {
    let config = Config::default();
    let mut failed = Vec::new();
    for suite in suites::ALL {
        let program = setup::program(suite, &config);
        for seed in 0..SEEDS {
            let mut machine = loaded(&program, &config, seed);
            let (mut console, mut errors) = (Vec::new(), io::sink());
            let mut output = Output::new(&mut console, &mut errors);
            let end = tohost::serve(&mut machine, &program, LIMIT, &mut output).unwrap().end;
            if end != (End::Exit { code: 0 }) {
                let pcs: Vec<_> =
                    (0..4).map(|hart| format!("{:#x}", machine.hart(hart).pc())).collect();
                failed
                    .push(format!("{}/{} seed {seed}: {end} at {pcs:?}", suite.group, suite.name));
                break;
            }
            if suite.name == "console" {
                assert_eq!(String::from_utf8_lossy(&console), "hello\nhart\n", "seed {seed}");
            }
        }
    }
    assert!(failed.is_empty(), "\n{}", failed.join("\n"));
}

#[test]
fn harts_that_trap_for_ever_end_the_run_and_say_why() {
    const EBREAK: [u8; 4] = 0x0010_0073_u32.to_le_bytes();
    let config = Config::default();
    let program = Program::of_pieces("trap", [(config.reset_vector, EBREAK.to_vec())]);
    let mut machine = loaded(&program, &config, 3);
    let (mut console, mut errors) = (io::sink(), io::sink());
    let mut output = Output::new(&mut console, &mut errors);
    let ended = tohost::serve(&mut machine, &program, LIMIT, &mut output).unwrap();
    assert_eq!(ended.end, End::Deadlock);
    assert!(ended.time < 10_000, "{ended:?}");
    let at = machine.whereabouts(2).unwrap();
    let Doing::Trapping { cause, value } = at.doing else { panic!("{at:?}") };
    assert_eq!((at.pc, cause.to_string().as_str(), value), (0, "fetch access fault", Some(0)));
}
