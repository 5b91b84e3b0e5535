//! A side that is a process of its own.
//!
//! It is started with the path of the rows of a round. For each line with a number of rounds it
//! answers with a line: the nanoseconds of processor time that they took, and what it saw in the last
//! of them.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running side, ready to be asked.
pub struct Peer {
    name: &'static str,
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// What every line of an answer begins with: peers print other things too.
const MARK: &str = "peer: ";

impl Peer {
    /// Starts it and waits until it is ready; the error is one sentence.
    pub fn start(name: &'static str, command: &mut Command) -> Result<Peer, String> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().map_err(|error| format!("{name}: {error}"))?;
        let (Some(requests), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
            unreachable!("both were asked for");
        };
        let mut peer = Peer { name, process, requests, answers: BufReader::new(answers) };
        match peer.answer()?.as_str() {
            "ready" => Ok(peer),
            other => Err(format!("{name} said `{other}` when it should have been ready")),
        }
    }

    /// Seconds for some rounds, and what was seen in the last.
    pub fn run(&mut self, rounds: u64) -> Result<(f64, u64), String> {
        let name = self.name;
        writeln!(self.requests, "{rounds}").map_err(|error| format!("{name}: {error}"))?;
        let answer = self.answer()?;
        let (time, seen) = answer.split_once(' ').unwrap_or((&answer, ""));
        let time: Option<f64> = time.parse().ok();
        let seen = u64::from_str_radix(seen, 16).ok();
        match (time, seen) {
            (Some(nanoseconds), Some(seen)) => Ok((nanoseconds * 1e-9, seen)),
            _ => Err(format!("{name} answered `{answer}`")),
        }
    }

    fn answer(&mut self) -> Result<String, String> {
        let name = self.name;
        loop {
            let mut line = String::new();
            match self.answers.read_line(&mut line) {
                Ok(0) => return Err(format!("{name} ended before it answered")),
                Ok(_) => {}
                Err(error) => return Err(format!("{name}: {error}")),
            }
            if let Some(answer) = line.trim().strip_prefix(MARK) {
                return Ok(answer.to_owned());
            }
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It may have ended already; there is nothing else to do.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
