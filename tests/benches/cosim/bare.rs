//! The bare loop: a C++ program around the class that Verilator writes, and nothing else.

use std::path::Path;
use std::process::Command;

use verilate::ModelSource;

use crate::peer::Peer;
use crate::ports;
use crate::{build, verilated};

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
    let program = verilated::program(source, &folder)?;
    Peer::start("the bare loop", Command::new(&program).arg(rows))
}
