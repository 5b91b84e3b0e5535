//! A C++ program around the class that Verilator writes, built as our models are.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tools::Tool;
use verilate::{CXX_FLAGS, ModelSource};

use crate::build;

/// Parts of the Verilator runtime that every model needs.
const RUNTIME: [&str; 2] = ["verilated.cpp", "verilated_threads.cpp"];

/// The program of `bare.cpp` and the Verilog, which are in the folder: in the pieces and with the flags
/// with which a model is compiled, so that both sides run the same code.
pub fn program(source: &ModelSource, folder: &Path) -> Result<PathBuf, String> {
    let program = folder.join("bare");
    build::unless_there(&program, || compile(source, folder))?;
    Ok(program)
}

fn compile(source: &ModelSource, folder: &Path) -> Result<(), String> {
    let verilator = tools::locate(Tool::Verilator).map_err(|missing| missing.to_string())?;
    let include =
        verilator.verilator_root().ok_or("Verilator does not say where its include files are")?;
    let include = include.join("include");
    let mut translate = verilator.command();
    translate.current_dir(folder).args(verilate::translation_flags(source));
    translate.args(["-Mdir", "cpp"]).args(source.files.iter().map(|(name, _)| name));
    build::run("Verilator", &mut translate)?;

    let mut pieces =
        verilate::generated_pieces(&folder.join("cpp")).map_err(|error| error.to_string())?;
    // Where the shim of a model is.
    pieces[0].insert(0, "bare.cpp".to_owned());
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".into());
    let compile = |file: &Path, object: &Path| {
        let mut command = Command::new(&compiler);
        command.current_dir(folder).args(CXX_FLAGS).arg(source.options.speed.flag());
        command.arg("-DVL_TIME_CONTEXT").arg("-I").arg(&include).args(["-Icpp", "-I."]);
        command.arg("-I").arg(include.join("vltstd")).arg("-c").arg(file).arg("-o").arg(object);
        build::run("the C++ compiler", &mut command)
    };
    let mut objects = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        let text: String = piece.iter().map(|name| format!("#include \"{name}\"\n")).collect();
        let file = folder.join(format!("piece{index}.cc"));
        fs::write(&file, text).map_err(|error| build::said(&file, &error))?;
        let object = file.with_extension("o");
        compile(&file, &object)?;
        objects.push(object);
    }
    for name in RUNTIME {
        let object = folder.join(name).with_extension("o");
        compile(&include.join(name), &object)?;
        objects.push(object);
    }
    let mut link = Command::new(&compiler);
    link.current_dir(folder).arg("-pthread").args(&objects).args(["-o", "bare"]);
    build::run("the linker", &mut link)
}
