//! Icarus Verilog: a test bench that reads inputs and prints outputs as hexadecimal.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Simulator, cache};
use hdl::Module as _;

use crate::circuit::build::Part;
use crate::circuit::{Item, to_words, words_of};
use crate::pack::{Member, Subject, TOP};
use crate::stimulus::{Response, Stimulus};

/// Icarus, where it is installed.
pub struct Icarus {
    program: PathBuf,
    version: String,
}

impl Icarus {
    /// The one on the `PATH`.
    pub fn new() -> Option<Icarus> {
        let program = tools::Optional::Icarus.find()?;
        let output = Command::new(&program).arg("-V").output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let version = text.lines().next().unwrap_or_default().to_owned();
        Some(Icarus { program, version })
    }

    /// Which Icarus it is.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Compiles the files; with `warnings`, any warning of `-Wall` counts as a failure.
    pub fn compile(&self, dir: &Path, files: &[&str], warnings: bool) -> Result<(), String> {
        let mut command = Command::new(&self.program);
        command.current_dir(dir).args(["-g2005", "-o", "sim.vvp"]);
        if warnings {
            command.arg("-Wall");
        }
        let output = command.args(files).output().map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stderr);
        if output.status.success() && (!warnings || said.trim().is_empty()) {
            Ok(())
        } else {
            Err(format!("iverilog: {said}"))
        }
    }

    /// Runs what was compiled in this folder; gives what it printed.
    pub fn simulate(&self, dir: &Path) -> Result<String, String> {
        let output = Command::new(self.program.with_file_name("vvp"))
            .current_dir(dir)
            .args(["-n", "sim.vvp"])
            .output()
            .map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(format!("vvp: {}", String::from_utf8_lossy(&output.stderr)));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

impl Simulator for Icarus {
    fn name(&self) -> &'static str {
        "Icarus"
    }

    fn patience(&self) -> usize {
        300
    }

    fn run(&self, subject: &Subject, stimulus: &Stimulus) -> Result<Response, String> {
        let verilog = subject.verilog();
        let bench = bench(subject, stimulus.cycles());
        let vectors = vectors(subject, stimulus);
        let dir = cache::folder(
            &["icarus", &self.version, &verilog, &bench, &vectors],
            |dir| -> Result<(), String> {
                let write = |name: &str, text: &str| {
                    fs::write(dir.join(name), text).map_err(|error| error.to_string())
                };
                write("pack.v", &verilog)?;
                write("bench.v", &bench)?;
                write("vectors", &vectors)?;
                self.compile(dir, &["pack.v", "bench.v"], false)?;
                write("printed", &self.simulate(dir)?)
            },
        )?;
        let printed = fs::read_to_string(dir.join("printed")).map_err(|error| error.to_string())?;
        parse(subject, &printed)
    }
}

/// The test bench: one row of the vectors a cycle, first reset, then the inputs from the top down.
fn bench(subject: &Subject, cycles: usize) -> String {
    let total: u32 = 1 + subject.inputs.iter().map(|port| port.width).sum::<u32>();
    let mut text = format!(
        "`timescale 1ns/1ns\nmodule bench;\n  reg clk = 0;\n  reg [{}:0] row = 0;\n  \
         reg [{}:0] rows [0:{}];\n  integer cycle;\n",
        total - 1,
        total - 1,
        cycles - 1,
    );
    let mut connections = Vec::new();
    if subject.has_clock {
        connections.push(".clk(clk)".to_owned());
    }
    if subject.has_reset {
        connections.push(format!(".rst(row[{}])", total - 1));
    }
    let mut high = total - 1;
    for port in &subject.inputs {
        connections.push(format!(".{}(row[{}:{}])", port.name, high - 1, high - port.width));
        high -= port.width;
    }
    for port in &subject.outputs {
        writeln!(text, "  wire [{}:0] {};", port.width - 1, port.name).expect("a string");
        connections.push(format!(".{0}({0})", port.name));
    }
    writeln!(text, "  {TOP} dut ({});", connections.join(", ")).expect("a string");
    text += "  initial begin\n    $readmemh(\"vectors\", rows);\n";
    for Member { number, circuit } in &subject.members {
        let name = format!("c{number}");
        power_up(subject, &Part::top(&name, circuit), &format!("dut.{name}"), &mut text);
    }
    writeln!(text, "    for (cycle = 0; cycle < {cycles}; cycle = cycle + 1) begin")
        .expect("a string");
    text += "      row = rows[cycle]; #1;\n";
    for port in &subject.outputs {
        writeln!(text, "      $display(\"%h\", {});", port.name).expect("a string");
    }
    text += "      clk = 1; #1; clk = 0; #1;\n    end\n  end\nendmodule\n";
    text
}

/// Sets registers to zero, as simulators without unknown values have them at power-up: the Verilog
/// leaves those with a reset as they happen to be.
fn power_up(subject: &Subject, part: &Part, path: &str, text: &mut String) {
    let file = format!("{}.v", part.name());
    let verilog = subject.files.iter().find(|(name, _)| *name == file).map_or("", |(_, v)| v);
    for item in &part.unit().items {
        match item {
            // A register that nothing observes is not in the Verilog.
            Item::Reg { id, .. } if verilog.contains(&format!(" r{};", id.0)) => {
                writeln!(text, "    {path}.r{} = 0;", id.0).expect("a string");
            }
            Item::Instance { unit, .. } => {
                let path = format!("{path}.{}", item.instance_name());
                power_up(subject, &part.child(*unit), &path, text);
            }
            _ => {}
        }
    }
}

fn vectors(subject: &Subject, stimulus: &Stimulus) -> String {
    let mut text = String::new();
    for cycle in 0..stimulus.cycles() {
        let mut row = num_bigint::BigUint::from(stimulus.reset[cycle]);
        for (value, port) in stimulus.values(subject, cycle).iter().zip(&subject.inputs) {
            row = (row << port.width) | value;
        }
        writeln!(text, "{row:x}").expect("a string");
    }
    text
}

fn parse(subject: &Subject, printed: &str) -> Result<Response, String> {
    let lines: Vec<&str> = printed.lines().collect();
    let mut response = Response { words: Vec::new(), unknown: HashSet::new() };
    for (cycle, lines) in lines.chunks(subject.outputs.len().max(1)).enumerate() {
        let mut row = Vec::new();
        for (place, (line, port)) in lines.iter().zip(&subject.outputs).enumerate() {
            match num_bigint::BigUint::parse_bytes(line.trim().as_bytes(), 16) {
                Some(value) => row.extend(to_words(&value, port.width)),
                None if line.contains(['x', 'X', 'z', 'Z']) => {
                    response.unknown.insert((cycle, place));
                    row.extend(vec![0; words_of(port.width)]);
                }
                None => return Err(format!("vvp printed `{line}` in cycle {cycle}")),
            }
        }
        response.words.push(row);
    }
    Ok(response)
}
