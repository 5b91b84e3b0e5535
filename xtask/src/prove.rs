//! `cargo xtask prove`: what is proved of the units, proved again.

mod job;
mod sby;

use crate::failure::Failure;
use crate::progress::Progress;
use crate::{out, setup};
use clap::builder::PossibleValuesParser;
use job::Job;
use sby::{Solver, Verdict};
use std::collections::BTreeSet;
use std::sync::Mutex;
use tools::Tool;
use units::proofs::{PROOFS, Proof, Reach};

/// Prove the units' properties with SymbiYosys and z3.
///
/// Each proof is of a small instance, for all time by induction, or for a stated number of cycles;
/// its covers show that what it speaks of can happen. A proof whose Verilog, script and tools are those
/// of the last time is not run again. Results are in the target folder under prove/; a proof that
/// fails leaves a waveform there.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask prove                          everything; may take many minutes
  cargo xtask prove communication_table      one unit
  cargo xtask prove --quick                  those that take seconds")]
pub struct Args {
    /// Only these units
    #[arg(value_name = "UNIT", value_parser = PossibleValuesParser::new(proved_units()))]
    units: Vec<String>,
    /// Only proofs that take seconds
    #[arg(long)]
    quick: bool,
    /// Prove again what has not changed
    #[arg(long)]
    again: bool,
    /// Show what there is to prove, and prove nothing
    #[arg(long)]
    list: bool,
}

impl Args {
    fn wants(&self, proof: &Proof) -> bool {
        let named = self.units.is_empty() || self.units.iter().any(|unit| unit == proof.unit);
        named && (proof.quick || !self.quick)
    }
}

/// The units that something is proved of.
fn proved_units() -> Vec<&'static str> {
    let units: BTreeSet<_> = PROOFS.iter().map(|proof| proof.unit).collect();
    units.into_iter().collect()
}

/// How many proofs are under way at a time.
const AT_A_TIME: usize = 2;

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let wanted: Vec<&Proof> = PROOFS.iter().filter(|proof| args.wants(proof)).collect();
    if args.list {
        return wanted.into_iter().try_for_each(|proof| {
            let Proof { name, instance, claims, .. } = proof;
            out::line(format!("{name}: {instance}; {}\n  {claims}", reach(proof)))
        });
    }
    setup::ensure(&[Tool::Yosys, Tool::Z3])?;
    let solver = Solver::locate()?;
    let jobs: Vec<Job> = wanted.into_iter().map(Job::prepare).collect::<Result<_, _>>()?;
    let verdicts = prove_all(&jobs, args.again, &solver)?;
    let failed = jobs.iter().zip(&verdicts).filter(|(_, verdict)| !verdict.holds()).count();
    out::line(table(&jobs, &verdicts).trim_end())?;
    match failed {
        0 => Ok(()),
        _ => Err(Failure::failed(format!("{failed} of {} proofs failed", jobs.len()))),
    }
}

/// The verdicts, in the order of the jobs.
fn prove_all(jobs: &[Job], again: bool, solver: &Solver) -> Result<Vec<Verdict>, Failure> {
    let progress = Progress::new();
    let queue = Mutex::new(jobs.iter().enumerate());
    let verdicts: Mutex<Vec<_>> = Mutex::new(jobs.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        for _ in 0..AT_A_TIME.min(jobs.len()) {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().expect("no panic").next();
                    let Some((place, job)) = next else { break };
                    let verdict = prove(job, again, solver, &progress);
                    verdicts.lock().expect("no panic")[place] = Some(verdict);
                }
            });
        }
    });
    let verdicts = verdicts.into_inner().expect("no panic");
    verdicts.into_iter().map(|verdict| verdict.expect("every job was done")).collect()
}

fn prove(job: &Job, again: bool, solver: &Solver, progress: &Progress) -> Result<Verdict, Failure> {
    if !again && job.is_proved() {
        return Ok(Verdict::Unchanged);
    }
    let task = progress.task(job.proof.name);
    job.forget()?;
    let verdict = solver.run(job, &|step| task.step(step))?;
    if verdict.holds() {
        job.remember()?;
    }
    task.ended(if verdict.holds() { "proved" } else { "FAILED" });
    Ok(verdict)
}

/// How far a proof goes, in words.
fn reach(proof: &Proof) -> String {
    match proof.reach {
        Reach::Unbounded(_) => "unbounded".to_owned(),
        Reach::Bounded(depth) => format!("{depth} cycles from reset"),
    }
}

fn table(jobs: &[Job], verdicts: &[Verdict]) -> String {
    let rows: Vec<[String; 4]> = jobs
        .iter()
        .zip(verdicts)
        .map(|(job, verdict)| {
            let Proof { name, unit, .. } = *job.proof;
            [name.to_owned(), unit.to_owned(), reach(job.proof), verdict.to_string()]
        })
        .collect();
    let head = ["proof", "unit", "reach", "result"].map(str::to_owned);
    let width = |column: usize| {
        let cells = rows.iter().chain([&head]).map(|row| row[column].len());
        cells.max().unwrap_or(0)
    };
    let widths = [width(0), width(1), width(2)];
    let line = |row: &[String; 4]| {
        let [name, unit, reach, result] = row;
        let [w0, w1, w2] = widths;
        format!("{name:w0$}  {unit:w1$}  {reach:w2$}  {result}\n")
    };
    std::iter::once(&head).chain(&rows).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quick() -> Args {
        Args { units: Vec::new(), quick: true, again: false, list: false }
    }

    #[test]
    fn every_proof_is_in_the_book_with_what_it_says() {
        let book = tools::workspace_root().join("docs/assurance.md");
        let book = std::fs::read_to_string(book).unwrap();
        for proof in PROOFS {
            let Proof { name, instance, claims, .. } = proof;
            let row = format!("| `{name}` | {instance} | {} | {claims} |", reach(proof));
            assert!(book.contains(&row), "docs/assurance.md lacks this row:\n{row}");
        }
    }

    #[test]
    fn a_unit_selects_its_proofs_and_quick_leaves_the_long_ones_out() {
        let named = |args: &Args| -> Vec<&str> {
            PROOFS.iter().filter(|proof| args.wants(proof)).map(|proof| proof.name).collect()
        };
        let table = Args { units: vec!["communication_table".into()], ..quick() };
        assert_eq!(named(&table), ["communication_table"]);
        let all = Args { quick: false, ..table };
        assert_eq!(named(&all), ["communication_table", "communication_table_3"]);
        assert!(named(&quick()).len() < PROOFS.len());
    }
}
