//! The bare loop: a C++ program around the class that Verilator writes, and nothing else.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use config::Config;
use tools::Tool;
use verilate::{CXX_FLAGS, ModelSource};

use crate::build;
use crate::peer::Peer;

/// Parts of the Verilator runtime that every model needs.
const RUNTIME: [&str; 2] = ["verilated.cpp", "verilated_threads.cpp"];

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
    let folder = build::folder("machine", &files)?;
    let program = folder.join("bare");
    build::unless_there(&program, || compile(source, &folder))?;
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
    text.push_str(";\n}\n");
    text
}

fn compile(source: &ModelSource, folder: &Path) -> Result<(), String> {
    let verilator = tools::locate(Tool::Verilator).map_err(|missing| missing.to_string())?;
    let include = verilator.verilator_root().ok_or("Verilator's own folder is unknown")?;
    let include = include.join("include");
    let mut translate = verilator.command();
    translate.current_dir(folder).args(verilate::translation_flags(source));
    translate.args(["-Mdir", "cpp"]).args(source.files.iter().map(|(name, _)| name));
    build::run("Verilator", &mut translate)?;

    // As one piece, like a model.
    let generated = std::fs::read_dir(folder.join("cpp")).map_err(|e| build::said(folder, &e))?;
    let mut generated: Vec<String> = generated
        .filter_map(|file| file.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".cpp"))
        .collect();
    generated.sort();
    let all = generated.iter().map(|name| format!("#include \"{name}\"\n"));
    let all = all.chain(["#include \"bare.cpp\"\n".to_owned()]).collect::<String>();
    std::fs::write(folder.join("all.cpp"), all).map_err(|error| build::said(folder, &error))?;
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".into());
    let mut command = Command::new(compiler);
    command.current_dir(folder).args(CXX_FLAGS).arg(source.options.speed.flag());
    command.arg("-DVL_TIME_CONTEXT").arg("-I").arg(&include).arg("-Icpp");
    command.arg("-I").arg(include.join("vltstd"));
    command.arg("all.cpp").args(RUNTIME.map(|name| include.join(name))).args(["-o", "bare"]);
    build::run("the C++ compiler", &mut command)
}
