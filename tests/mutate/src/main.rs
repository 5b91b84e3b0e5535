//! `cargo xtask mutate`: do the tests of the units notice mistakes?

mod programs;

use clap::Parser;
use clap::builder::PossibleValuesParser;
use kit::argument::{positive, within};
use kit::{Failure, ended};
use mutate::campaign::Workshop;
use mutate::netlist::Plan;
use mutate::report::{Record, UnitRecord};
use mutate::targets::{COUNT, TARGETS, Target};
use mutate::trial::Tests;
use std::process::ExitCode;
use tools::{target_dir, workspace_root};

/// As many mutants as a module can have: more do not fit into one model.
const MOST_MUTANTS: usize = 10_000;

/// Make small mistakes in the units' Verilog, and see whether their tests notice.
///
/// Yosys changes one bit of one port of one cell: inverted, always 0, always 1, inverted while another bit
/// is 0 or 1. All mutants of a module are one model with an input that selects one. Each is run against
/// the unit's co-simulation tests until one fails. Survivors are proved equivalent to the unit, for all
/// time and all inputs that the unit allows, or listed with their lines. Results are stored in the target
/// folder under mutate/, so that an interrupted run continues where it stopped.
#[derive(Parser)]
#[command(name = "cargo xtask mutate", bin_name = "cargo xtask mutate", max_term_width = 100)]
#[command(after_help = "\
Examples:
  cargo xtask mutate                             all units; writes docs/assurance/mutation.json
  cargo xtask mutate context_register            one unit
  cargo xtask mutate signature --count 1000      more mutants than usual

Exit codes: 0 every unit reaches its share; 1 one does not, or its tests fail without any mutant; 2 wrong
use.")]
struct Cli {
    /// Only these units
    #[arg(value_name = "UNIT", value_parser = PossibleValuesParser::new(TARGETS.iter().map(|t| t.unit)))]
    units: Vec<String>,
    /// Mutants of each module
    #[arg(long, value_name = "N", default_value_t = COUNT, value_parser = within(1..=MOST_MUTANTS))]
    count: usize,
    /// Number of tests to run in parallel; default: the number of processors
    #[arg(long, value_name = "N", value_parser = positive::<usize>)]
    jobs: Option<usize>,
}

fn main() -> ExitCode {
    ended(run(&Cli::parse()).map(|()| ExitCode::SUCCESS))
}

fn run(cli: &Cli) -> Result<(), Failure> {
    let processors = || std::thread::available_parallelism().map_or(1, |n| n.get());
    let jobs = cli.jobs.unwrap_or_else(processors);
    let workshop = Workshop::new(&target_dir().join("mutate"), jobs)?;
    let wanted: Vec<&Target> = TARGETS
        .iter()
        .filter(|target| cli.units.is_empty() || cli.units.iter().any(|name| name == target.unit))
        .collect();
    let subjects = wanted.iter().flat_map(|target| target.subjects);
    let programs = programs::build(subjects.map(|subject| subject.program))?;

    let path = workspace_root().join("docs/assurance/mutation.json");
    let mut found = Record::default();
    for target in &wanted {
        let mut unit = UnitRecord::default();
        for subject in target.subjects {
            let tests = Tests {
                program: programs[subject.program].clone(),
                filters: subject.filters.iter().map(|filter| filter.to_string()).collect(),
            };
            let plan = Plan {
                top: subject.top.to_owned(),
                part: subject.part.map(str::to_owned),
                without: subject.without.map(str::to_owned),
                count: cli.count,
            };
            unit.add(&workshop.run(&plan, &tests)?);
        }
        found.units.insert(target.unit.to_owned(), unit.clone());
        // The book tells of the usual number.
        if cli.count == COUNT {
            let mut record = Record::read(&path)?;
            record.units.insert(target.unit.to_owned(), unit);
            record.write(&path)?;
        }
    }
    print!("{}", found.text());
    let short: Vec<&str> = wanted
        .iter()
        .filter(|target| !found.units[target.unit].reaches(target.required))
        .map(|target| target.unit)
        .collect();
    match short[..] {
        [] => Ok(()),
        _ => Err(Failure::failed(format!("too few mutants killed in: {}", short.join(", ")))),
    }
}
