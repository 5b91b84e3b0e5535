//! The crate `marlin`, a peer that also drives Verilated models from Rust.
//!
//! It is a project of its own, built when it is measured, so that nobody else has to build it: it
//! has some sixty dependencies.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use tools::Tool;
use verilate::ModelSource;

use crate::build;
use crate::peer::Peer;
use crate::ports;

/// As the report calls it; the version is that of the project's lock file.
pub const NAME: &str = "marlin 0.21.1";

/// The project, but for what follows from the design.
const PROJECT: [(&str, &str); 3] = [
    ("Cargo.toml", include_str!("marlin/manifest.toml")),
    ("Cargo.lock", include_str!("marlin/lock.toml")),
    ("src/main.rs", include_str!("marlin/main.rs")),
];

/// The program that marlin is told to use as Verilator.
const WRAPPER: &str = "verilator";

/// Builds the project and starts it; it builds the model when it starts.
pub fn start(source: &ModelSource, rows: &Path) -> Result<Peer, String> {
    let verilator = tools::locate(Tool::Verilator).map_err(|missing| missing.to_string())?;
    let script = verilator.other("verilator").map_err(|missing| missing.to_string())?;
    let (ports, wrapper) = (ports_text(source), wrapper(source, script.program()));
    let mut files = PROJECT.to_vec();
    files.extend([("src/ports.rs", &*ports), (WRAPPER, &*wrapper)]);
    files.extend(source.files.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    let folder = build::folder("marlin", &files)?;
    let executable = fs::Permissions::from_mode(0o755);
    let path = folder.join(WRAPPER);
    fs::set_permissions(&path, executable).map_err(|error| build::said(&path, &error))?;

    eprintln!("cosim: building {NAME}");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(&folder).args(["build", "--release", "--locked", "--quiet"]);
    command.env("CARGO_TARGET_DIR", folder.join("target"));
    build::run("cargo", &mut command)?;
    let mut command = Command::new(folder.join("target/release/marlin-peer"));
    command.current_dir(&folder).arg(rows).envs(build::variables(&script));
    Peer::start(NAME, &mut command)
}

/// The types and functions that follow from the design.
fn ports_text(source: &ModelSource) -> String {
    let kind = |width: u32| match width {
        0..=8 => "u8",
        9..=16 => "u16",
        17..=32 => "u32",
        _ => "u64",
    };
    let inputs = ports::inputs(source);
    let load = ports::lines(&inputs, |port| {
        format!("    top.{} = row[{}] as {};", port.name, port.word, kind(port.width))
    });
    let see = ports::lines(&ports::outputs(source), |port| {
        format!("    all ^= u64::from(top.{}).rotate_left({});", port.name, port.word)
    });
    let (top, words, count) = (&source.top, inputs.len(), source.files.len());
    let names: Vec<_> = source.files.iter().map(|(name, _)| name).collect();
    format!(
        "use marlin::verilog::prelude::*;\n\n\
         #[verilog(src = \"{top}.v\", name = \"{top}\")]\npub struct Top;\n\n\
         pub const SOURCES: [&str; {count}] = {names:?};\n\
         pub const INPUT_WORDS: usize = {words};\n\n\
         #[inline]\npub fn load(top: &mut Top, row: &[u64]) {{\n{load}}}\n\n\
         #[inline]\npub fn see(top: &Top) -> u64 {{\n    let mut all = 0;\n{see}    all\n}}\n"
    )
}

/// The Verilator that marlin calls. It answers with a version, which the pinned one does not, and
/// hands on the flags and the optimization that our models are built with.
fn wrapper(source: &ModelSource, script: &Path) -> String {
    let version = tools::pin(Tool::Verilator).version();
    let mut parts = version.split('.');
    let (major, minor) = (parts.next().unwrap_or("5"), parts.next().unwrap_or("0"));
    let (flags, speed) = (build::shared_flags(source).join(" "), source.options.speed.flag());
    format!(
        "#!/bin/sh\n\
         if [ \"$1\" = --version ]; then\n    echo 'Verilator {major}.{minor:0>3} pinned'\n    exit\nfi\n\
         exec perl '{}' \"$@\" {flags} -MAKEFLAGS 'OPT_FAST={speed} OPT_GLOBAL={speed}'\n",
        script.display()
    )
}
