//! `cargo xtask prove`: runs the formal proofs of the units.

mod job;
mod mistakes;
mod pdr;
mod sby;
mod script;

use crate::assurance::{self, Proved};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::{needs, out};
use clap::builder::PossibleValuesParser;
use job::{Job, Source};
use sby::{Solver, Verdict};
use std::collections::BTreeSet;
use std::sync::Mutex;
use units::proofs::{PROOFS, Proof, Reach};

/// Prove the units' properties with SymbiYosys, z3 and Yices.
///
/// Each proof is of a small instance, for all time by induction, or for a stated number of cycles;
/// its covers show that its scenarios can happen. A proof whose Verilog, script and tools are
/// unchanged is not run again. Results are in the target folder under prove/; a proof that
/// fails leaves a waveform there. The proofs that hold are recorded in docs/assurance.md.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask prove                          everything; may take many minutes
  cargo xtask prove communication_table      one unit
  cargo xtask prove --quick                  those that take seconds
  cargo xtask prove --mistakes               see that each proof notices a mistake")]
pub struct Args {
    /// Only these units
    #[arg(value_name = "UNIT", value_parser = PossibleValuesParser::new(proved_units()))]
    units: Vec<String>,
    /// Only proofs that take seconds
    #[arg(long)]
    quick: bool,
    /// Run unchanged proofs again
    #[arg(long)]
    again: bool,
    /// List the proofs, and run none
    #[arg(long)]
    list: bool,
    /// Inject known mistakes into the hardware, and fail if a proof does not detect one
    #[arg(long, conflicts_with = "list")]
    mistakes: bool,
}

impl Args {
    fn wants(&self, proof: &Proof) -> bool {
        let named = self.units.is_empty()
            || self.units.iter().any(|unit| proof.units.contains(&unit.as_str()));
        named && (proof.quick || !self.quick)
    }
}

/// The units that have proofs.
fn proved_units() -> Vec<&'static str> {
    let units: BTreeSet<_> = PROOFS.iter().flat_map(|proof| proof.units).copied().collect();
    units.into_iter().collect()
}

/// Number of proofs run in parallel.
const AT_A_TIME: usize = 2;

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let wanted: Vec<&'static Proof> = PROOFS.iter().filter(|proof| args.wants(proof)).collect();
    if args.list {
        return wanted.into_iter().try_for_each(|proof| {
            let Proof { name, instance, claims, .. } = proof;
            out::line(format!("{name}: {instance}; {}\n  {claims}", reach(proof)))
        });
    }
    needs::ensure("prove", &[])?;
    let solver = Solver::locate()?;
    if args.mistakes {
        return mistakes::run(&wanted, args.again, &solver);
    }
    let (jobs, verdicts) = prove_all(wanted, args.again, &solver)?;
    write_down(&jobs, &verdicts)?;
    match failed(&verdicts) {
        0 => Ok(()),
        failed => Err(Failure::failed(format!("{failed} of {} proofs failed", jobs.len()))),
    }
}

/// Runs the proofs that take seconds, for the tests; records nothing. Returns whether all hold.
pub fn quick_ones_hold() -> Result<bool, Failure> {
    needs::ensure("prove", &[])?;
    let quick = PROOFS.iter().filter(|proof| proof.quick).collect();
    let (_, verdicts) = prove_all(quick, false, &Solver::locate()?)?;
    Ok(failed(&verdicts) == 0)
}

fn failed(verdicts: &[Verdict]) -> usize {
    verdicts.iter().filter(|verdict| !verdict.holds()).count()
}

/// Runs these proofs in parallel, and shows their results.
fn prove_all(
    proofs: Vec<&'static Proof>,
    again: bool,
    solver: &Solver,
) -> Result<(Vec<Job>, Vec<Verdict>), Failure> {
    let jobs: Vec<Job> = proofs.into_iter().map(Job::prepare).collect::<Result<_, _>>()?;
    let verdicts = verdicts(&jobs, again, solver)?;
    out::line(table(&jobs, &verdicts).trim_end())?;
    Ok((jobs, verdicts))
}

/// The verdicts, in the order of the jobs.
fn verdicts(jobs: &[Job], again: bool, solver: &Solver) -> Result<Vec<Verdict>, Failure> {
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

/// Records the proofs that hold, and removes those that no longer do.
fn write_down(jobs: &[Job], verdicts: &[Verdict]) -> Result<(), Failure> {
    assurance::update(|records| {
        records.retain(|name, _| PROOFS.iter().any(|proof| proof.name == name));
        for (job, verdict) in jobs.iter().zip(verdicts) {
            let name = job.proof.name.to_owned();
            match verdict.holds() {
                true => records.insert(name, Proved { key: job.key.clone() }),
                false => records.remove(&name),
            };
        }
    })?;
    out::line(assurance::write()?)
}

/// Whether a recorded proof applies to the current hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It holds for the current hardware.
    Holds,
    /// It held for earlier hardware or tools.
    HeldBefore,
    /// It was never recorded as holding.
    Unknown,
}

/// The standing of a proof with this recorded key.
pub fn standing(proof: &Proof, key: Option<&str>) -> Result<Standing, Failure> {
    let Some(key) = key else { return Ok(Standing::Unknown) };
    Ok(if Source::of(proof)?.key() == key { Standing::Holds } else { Standing::HeldBefore })
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

/// The reach of a proof as text.
pub fn reach(proof: &Proof) -> String {
    match proof.reach {
        Reach::Unbounded(_) | Reach::Invariant => "unbounded".to_owned(),
        Reach::Bounded(depth) => format!("{depth} cycles from reset"),
    }
}

fn table(jobs: &[Job], verdicts: &[Verdict]) -> String {
    let rows = jobs
        .iter()
        .zip(verdicts)
        .map(|(job, verdict)| [job.proof.name.to_owned(), reach(job.proof), verdict.to_string()]);
    columns(["proof", "reach", "result"], rows)
}

/// Rows under heads, each column as wide as it needs to be.
fn columns(heads: [&str; 3], rows: impl Iterator<Item = [String; 3]>) -> String {
    let all: Vec<_> = std::iter::once(heads.map(str::to_owned)).chain(rows).collect();
    let width = |column: usize| all.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let (first, second) = (width(0), width(1));
    let line = |[one, two, three]: &[String; 3]| format!("{one:first$}  {two:second$}  {three}\n");
    all.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quick() -> Args {
        Args { units: Vec::new(), quick: true, again: false, list: false, mistakes: false }
    }

    #[test]
    fn a_proof_stands_as_long_as_the_hardware_is_what_it_was() {
        let proof = &PROOFS[0];
        let key = Source::of(proof).unwrap().key();
        assert_eq!(standing(proof, Some(&key)), Ok(Standing::Holds));
        assert_eq!(standing(proof, Some("another")), Ok(Standing::HeldBefore));
        assert_eq!(standing(proof, None), Ok(Standing::Unknown));
    }

    #[test]
    fn a_unit_selects_its_proofs_and_quick_leaves_the_long_ones_out() {
        let named = |args: &Args| -> Vec<&str> {
            PROOFS.iter().filter(|proof| args.wants(proof)).map(|proof| proof.name).collect()
        };
        let table = Args { units: vec!["communication_table".into()], ..quick() };
        assert_eq!(named(&table), ["communication_table"]);
        let all = Args { quick: false, ..table };
        let tables = ["communication_table", "communication_table_3", "communication_table_stall"];
        assert_eq!(named(&all), tables);
        assert!(named(&quick()).len() < PROOFS.len());
    }
}
