//! A run of the bank, recorded.

use border::tohost::Output;
use border::{Drain, Program, Records};
use config::Config;
use debugger::{Recorder, Recording};
use evidence::code::Code;
use evidence::run::{Lab, Order};
use firmware::{Build, Runtime};
use golden::machine::{Machine, Scheduling};
use golden::memory::Parameters;
use std::io;
use std::path::Path;
use std::sync::{Arc, LazyLock};

static LAB: LazyLock<Lab> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let runtime = Runtime::for_workspace(|_| ()).expect("the runtime compiles");
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("program.elf");
    let files = ["bank.c", "fees.c"].map(|file| root.join("firmware/bugs/bank-account").join(file));
    let files = files.to_vec();
    runtime.build(&Build { files, flags: Vec::new() }, &out).expect("the bank compiles");
    let config = Config::default();
    let mut program = Program::read(&out, config.simulation.ram_bytes).expect("the program");
    let mut settings = program.settings().expect("settings");
    (settings.records, settings.drain, settings.monitor) = (Records::None, Drain::Off, 0);
    program.set(&settings).expect("settings that fit");
    Lab {
        code: Arc::new(Code::of(Arc::new(program)).expect("code")),
        parameters: Parameters::of(&config).expect("a modeled configuration"),
        points: Arc::default(),
        instructions: 3_000_000,
    }
});

fn order(seed: u64) -> Order {
    Order::Drawn { seed, strategy: Scheduling::of_seed(seed) }
}

/// A run, recorded.
pub fn recording(seed: u64) -> Recording {
    let recorder = Recorder::new(LAB.code.clone(), &LAB.parameters);
    let (mut console, mut errors) = (io::sink(), io::sink());
    let output = &mut Output::new(&mut console, &mut errors);
    let show = |machine: &mut Machine| machine.show(recorder.witness());
    let (_, end) = LAB.observe(&order(seed), show, output).expect("a run");
    recorder.finish((&end).into())
}

/// The machine itself after so many instructions of the same run.
pub fn machine(seed: u64, instructions: u64) -> Machine {
    let (mut console, mut errors) = (io::sink(), io::sink());
    let output = &mut Output::new(&mut console, &mut errors);
    let lab = Lab { instructions, ..LAB.clone() };
    lab.observe(&order(seed), |_| (), output).expect("a run").0
}

/// The first seed of a run that failed.
pub fn failing() -> u64 {
    let failed = |seed: &u64| {
        recording(*seed).log.failure.is_some_and(|failure| !failure.conditions.is_empty())
    };
    (1..200).find(failed).expect("one of 200 runs fails")
}
