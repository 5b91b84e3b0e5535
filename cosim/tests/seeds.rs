//! A failure of a unit's test: made small, reported in full, and back from its seed alone.
#![cfg(feature = "testing")]

use std::path::Path;
use std::process::Command;

use cosim::testing::{SEED_VARIABLE, Unit, property};
use cosim::{Bench, Model};
use hdl::{Bundle, Module, Sig, elaborate, hardware, input, output, ports, reg, when};
use proptest::prelude::*;

/// Counts, but never past 5.
#[derive(Clone, Debug, PartialEq)]
struct Counter;

#[derive(Clone, Copy, Debug, Bundle)]
struct CounterIo {
    en: Sig,
    count: Sig,
}

#[hardware]
impl Module for Counter {
    type Io = CounterIo;

    fn name(&self) -> String {
        "stuck_counter".into()
    }

    fn build(&self) -> CounterIo {
        let io = ports(CounterIo { en: input(1), count: output(8) });
        let value = reg(8).reset(0);
        when(io.en & value.ne(5), || value.set(value + 1));
        io.count.set(value);
        io
    }
}

/// Counts without end.
struct Counting(u8);

impl Bench for Counting {
    type Stimulus = bool;
    type Outputs = Outputs;

    fn drive(&mut self, dut: &mut Model, &enable: &bool) {
        dut.poke("en", enable);
    }

    fn sample(&self, dut: &Model) -> Outputs {
        Outputs { count: dut.peek("count") as u8 }
    }

    fn expect(&mut self, &enable: &bool, _: &Outputs) -> Outputs {
        let count = self.0;
        self.0 = count.wrapping_add(enable.into());
        Outputs { count }
    }
}

#[derive(Debug, PartialEq)]
struct Outputs {
    count: u8,
}

fn run() -> u64 {
    let unit = Unit::of(&elaborate(Counter).unwrap());
    property(32, prop::collection::vec(any::<bool>(), 1..60), |enables| {
        unit.check(&mut Counting(0), enables)
    })
}

#[test]
fn a_failure_is_reported_in_full_and_comes_back_from_its_seed() {
    if std::env::var_os(SEED_VARIABLE).is_some() {
        run();
        return;
    }
    let text = *std::panic::catch_unwind(run).unwrap_err().downcast::<String>().unwrap();
    // The smallest case: six events, and the cycle that shows the difference.
    assert!(text.starts_with("cycle 7 of `stuck_counter`: hardware and model differ\n"), "{text}");
    assert!(text.contains("count     0x6       0x5\n"), "{text}");
    let waveform = text.lines().find_map(|line| line.strip_prefix("waveform: ")).unwrap();
    assert!(Path::new(waveform).is_file(), "{text}");

    // Nothing but the seed is handed on.
    let (_, seed) = text.split_once(&format!("{SEED_VARIABLE}=")).unwrap();
    let again = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_failure_is_reported_in_full_and_comes_back_from_its_seed"])
        .env(SEED_VARIABLE, seed.split(' ').next().unwrap())
        .output()
        .unwrap();
    assert!(!again.status.success());
    let said = String::from_utf8_lossy(&again.stdout);
    let first = text.lines().filter(|line| !line.starts_with("to repeat it"));
    for line in first {
        assert!(said.contains(line), "`{line}` is not in\n{said}");
    }
    std::fs::remove_file(waveform).unwrap();
}
