//! Amaranth as a process that converts its FIFO when asked to.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use tools::Tool;

/// How Amaranth writes the circuit.
#[derive(Clone, Copy)]
pub enum Way {
    /// As RTLIL: all that Amaranth does by itself.
    Rtlil,
    /// As Verilog: RTLIL that Yosys, a process of its own, translates.
    Verilog,
}

/// A running Amaranth, warmed up.
pub struct Amaranth {
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Amaranth {
    /// Starts it; the error is one sentence.
    pub fn start() -> Result<Amaranth, String> {
        let python = tools::locate(Tool::Amaranth).map_err(|missing| missing.to_string())?;
        let mut command = python.command();
        command.arg("-c").arg(include_str!("amaranth.py"));
        if let Ok(yosys) = tools::locate(Tool::Yosys) {
            command.envs(yosys.command().get_envs().filter_map(|(key, value)| Some((key, value?))));
            command.env("YOSYS", yosys.program());
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().map_err(|error| format!("Python: {error}"))?;
        let (Some(requests), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
            unreachable!("both were asked for");
        };
        let mut amaranth = Amaranth { process, requests, answers: BufReader::new(answers) };
        match amaranth.answer()?.as_str() {
            "ready" => Ok(amaranth),
            other => Err(format!("Amaranth said `{other}` when it should have been ready")),
        }
    }

    /// Seconds for one FIFO.
    pub fn convert(&mut self, way: Way) -> Result<f64, String> {
        let request = match way {
            Way::Rtlil => "rtlil",
            Way::Verilog => "verilog",
        };
        writeln!(self.requests, "{request}").map_err(|error| format!("Amaranth: {error}"))?;
        let answer = self.answer()?;
        let nanoseconds: f64 = answer.parse().map_err(|_| format!("Amaranth: {answer}"))?;
        Ok(nanoseconds * 1e-9)
    }

    fn answer(&mut self) -> Result<String, String> {
        let mut line = String::new();
        match self.answers.read_line(&mut line) {
            Ok(0) => Err("Amaranth ended".into()),
            Ok(_) => Ok(line.trim().to_owned()),
            Err(error) => Err(format!("Amaranth: {error}")),
        }
    }
}

impl Drop for Amaranth {
    fn drop(&mut self) {
        // It may have ended already; there is nothing else to do.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
