//! The bare loop: a C++ program around the class that Verilator writes, and nothing else.

use std::path::Path;
use std::process::Command;

use tools::Tool;
use verilate::{CXX_FLAGS, ModelSource};

use crate::build;
use crate::peer::Peer;
use crate::ports;

/// Parts of the Verilator runtime that every model needs.
const RUNTIME: [&str; 2] = ["verilated.cpp", "verilated_threads.cpp"];

/// Builds the loop with the flags that our models are built with, and starts it.
pub fn start(source: &ModelSource, rows: &Path) -> Result<Peer, String> {
    let mut files: Vec<(&str, &str)> =
        source.files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let inputs = ports::inputs(source);
    let load = ports::lines(&inputs, |port| format!("top.{} = in[{}];", port.name, port.word));
    let see = ports::lines(&ports::outputs(source), |port| {
        format!("all ^= turned(top.{}, {});", port.name, port.word)
    });
    let words = format!("constexpr size_t kInputWords = {};\n", inputs.len());
    files.extend([("load.inc", &*load), ("see.inc", &*see), ("words.inc", &*words)]);
    files.push(("bare.cpp", include_str!("bare.cpp")));
    let folder = build::folder("bare", &files)?;
    let program = folder.join("bare");
    build::unless_there(&program, || compile(source, &folder))?;
    Peer::start("the bare loop", Command::new(&program).arg(rows))
}

fn compile(source: &ModelSource, folder: &Path) -> Result<(), String> {
    let verilator = tools::locate(Tool::Verilator).map_err(|missing| missing.to_string())?;
    let include = verilator.verilator_root().ok_or("Verilator's own folder is unknown")?;
    let include = include.join("include");
    let mut translate = verilator.command();
    translate.current_dir(folder).args(verilate::translation_flags(source));
    translate.args(["-Mdir", "cpp"]).args(source.files.iter().map(|(name, _)| name));
    build::run("Verilator", &mut translate)?;

    let flags = |command: &mut Command| {
        command.current_dir(folder).args(CXX_FLAGS).arg(source.options.speed.flag());
        command.arg("-DVL_TIME_CONTEXT").arg("-I").arg(&include).arg("-Icpp");
        command.arg("-I").arg(include.join("vltstd"));
    };
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
    flags(&mut command);
    command.arg("all.cpp").args(RUNTIME.map(|name| include.join(name))).args(["-o", "bare"]);
    build::run("the C++ compiler", &mut command)
}
