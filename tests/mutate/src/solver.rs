//! Queries to z3, as a child process.

use kit::Failure;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::Instant;
use tools::Installed;

/// A running solver.
pub struct Solver {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    /// The deadline.
    until: Instant,
}

/// Answer of the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Satisfiable: there is such a case.
    Satisfiable,
    /// Unsatisfiable: there is none.
    Unsatisfiable,
    /// It gave up.
    Unknown,
}

impl Solver {
    /// Starts z3; it answers no query after this deadline.
    pub fn start(z3: &Installed, until: Instant) -> Result<Solver, Failure> {
        let mut command = z3.command();
        command.arg("-in").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().map_err(broken)?;
        let (Some(to), Some(from)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(Failure::failed("cannot connect to z3"));
        };
        let mut solver = Solver { process, to, from: BufReader::new(from), until };
        solver.say("(set-logic QF_BV)")?;
        Ok(solver)
    }

    /// Sends a command that has no answer.
    pub fn say(&mut self, text: &str) -> Result<(), Failure> {
        writeln!(self.to, "{text}").map_err(broken)
    }

    /// Checks the assertions for satisfiability.
    pub fn check(&mut self) -> Result<Answer, Failure> {
        let left = self.until.saturating_duration_since(Instant::now()).as_millis();
        if left == 0 {
            return Ok(Answer::Unknown);
        }
        // Taken as a whole, a question is answered far sooner than as a change to the last.
        writeln!(self.to, "(check-sat-using (try-for qfbv {left}))").map_err(broken)?;
        match self.line()?.trim() {
            "sat" => Ok(Answer::Satisfiable),
            "unsat" => Ok(Answer::Unsatisfiable),
            "unknown" | "timeout" => Ok(Answer::Unknown),
            other => Err(Failure::failed(format!("unexpected answer from z3: {other}"))),
        }
    }

    /// The names that are false in the model found.
    pub fn false_ones<'a>(&mut self, names: &'a [String]) -> Result<Vec<&'a String>, Failure> {
        self.say(&format!("(get-value ({}))", names.join(" ")))?;
        let mut text = String::new();
        let mut depth = 0_isize;
        while text.is_empty() || depth > 0 {
            let line = self.line()?;
            let count = |c| line.matches(c).count() as isize;
            depth += count('(') - count(')');
            text += &line;
        }
        if text.contains("(error") {
            return Err(Failure::failed(format!("unexpected answer from z3: {}", text.trim())));
        }
        let words: Vec<&str> =
            text.split(['(', ')', ' ', '\n']).filter(|word| !word.is_empty()).collect();
        let is_false: std::collections::HashSet<&str> = words
            .chunks(2)
            .filter(|pair| pair.get(1) == Some(&"false"))
            .map(|pair| pair[0])
            .collect();
        Ok(names.iter().filter(|name| is_false.contains(name.as_str())).collect())
    }

    fn line(&mut self) -> Result<String, Failure> {
        self.to.flush().map_err(broken)?;
        let mut line = String::new();
        match self.from.read_line(&mut line).map_err(broken)? {
            0 => Err(Failure::failed("z3 exited before it answered")),
            _ => Ok(line),
        }
    }
}

impl Drop for Solver {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn broken(error: std::io::Error) -> Failure {
    Failure::failed(format!("cannot communicate with z3: {error}"))
}
