//! The bare loop: a C++ program around the class that Verilator writes, and nothing else.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use config::Config;
use verilate::ModelSource;

use crate::peer::Peer;
use crate::{build, verilated};

/// Builds the loop with the flags that our models are built with, and starts it on a memory image.
pub fn start(
    source: &ModelSource,
    config: &Config,
    cycles: u64,
    image: &Path,
) -> Result<Peer, String> {
    let mut files: Vec<(&str, &str)> =
        source.files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let constants = constants(config, cycles);
    files.push(("machine.inc", &constants));
    files.push(("bare.cpp", include_str!("bare.cpp")));
    files.push(("machine_numbers.h", include_str!("../../../firmware/border/machine_numbers.h")));
    let folder = build::folder("bare-machine", &files)?;
    let program = verilated::program(source, &folder)?;
    Peer::start("the bare loop", Command::new(&program).arg(image))
}

/// What the loop has to know of the machine.
fn constants(config: &Config, cycles: u64) -> String {
    let simulation = &config.simulation;
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "constexpr uint32_t kRamBytes = {};", simulation.ram_bytes);
    let _ = writeln!(text, "constexpr uint64_t kLatency = {};", simulation.memory_latency);
    let _ = writeln!(text, "constexpr size_t kLineBytes = {};", config.l1.line);
    let _ = writeln!(text, "constexpr uint64_t kCycles = {cycles};");
    text.push_str("static bool retired(const Vmodel& top) {\n    return false");
    for hart in 0..config.harts {
        let _ = write!(text, " | top.rvfi_valid_{hart}");
    }
    text.push_str(";\n}\nstatic uint64_t ended(const Vmodel& top) {\n    return 0");
    for hart in 0..config.harts {
        let _ = write!(text, " + top.rvfi_order_{hart}");
    }
    text.push_str(";\n}\n");
    text
}
