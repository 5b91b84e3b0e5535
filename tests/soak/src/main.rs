//! `crosstalk-soak`: what `cargo xtask soak` runs.
#![forbid(unsafe_code)]

use clap::Parser;
use crosstalk::hunt::On;
use kit::argument::{number, positive};
use kit::{Failure, ended};
use soak::fixed;
use soak::turns::{self, Soak};
use soak::{campaign, lockstep, role};
use std::env;
use std::process::ExitCode;
use std::time::Duration;

/// Try to break everything, at random, for a while.
///
/// Campaigns take turns, a round at a time, each round in a process with a deadline and a limit of memory: programs
/// in lockstep with the golden machine, schedules of the bug suite, damaged files and random command lines for
/// every command, and kill -9 in the middle of long work. Rounds have seeds; the first thing that is found ends the
/// soak, with the line that repeats it.
#[derive(Parser)]
#[command(name = "cargo xtask soak", bin_name = "cargo xtask soak", max_term_width = 100)]
#[command(after_help = format!("\
Campaigns:
{}
Examples:
  cargo xtask soak --minutes 30                        everything, for half an hour
  cargo xtask soak --only lockstep --minutes 10        hardware beside the golden machine
  cargo xtask soak --only files --round 0x5eed         one round again
  cargo xtask soak --fixed 500                         every fixed bug under 500 schedules, resumed
  cargo xtask soak --fixed 10000 --on golden           the same on the golden machine

Exit codes: 0 nothing was found, 1 something was, 2 wrong use.", listed()))]
struct Args {
    /// How long to run, in minutes
    #[arg(long, value_name = "N", default_value_t = 10.0)]
    minutes: f64,
    /// The seed that all rounds are derived from
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = number::<u64>)]
    seed: u64,
    /// Only this campaign; may be given several times
    #[arg(long, value_name = "CAMPAIGN")]
    only: Vec<String>,
    /// Run only the round with this seed, of the one campaign given with --only
    #[arg(long, value_name = "SEED", requires = "only", value_parser = number::<u64>)]
    round: Option<u64>,
    /// Number of cases to try in that round; by default as many as in any round
    #[arg(long, value_name = "N", requires = "round", value_parser = positive::<u32>)]
    cases: Option<u32>,
    /// Number of rounds to run in parallel; default: the number of processors
    #[arg(long, value_name = "N", value_parser = positive::<usize>)]
    jobs: Option<usize>,
    /// Instead, run every fixed program of the bug suite under this many schedules; what was run before is not
    /// run again
    #[arg(long, value_name = "SCHEDULES", value_parser = positive::<u64>, conflicts_with_all = ["minutes", "only", "round", "jobs"])]
    fixed: Option<u64>,
    /// The machine that runs these schedules
    #[arg(long, value_enum, value_name = "MACHINE", default_value_t, requires = "fixed")]
    on: On,
}

fn listed() -> String {
    let line =
        |campaign: &campaign::Campaign| format!("  {:12} {}\n", campaign.name, campaign.about);
    campaign::ALL.iter().map(line).collect()
}

fn main() -> ExitCode {
    role::play().unwrap_or_else(|| ended(run(&Args::parse())))
}

fn run(args: &Args) -> Result<ExitCode, Failure> {
    match (args.fixed, args.round) {
        (Some(schedules), _) => fixed_bugs(schedules, args.on),
        (_, Some(seed)) => one_round(args, seed),
        _ => soak(args),
    }?;
    Ok(ExitCode::SUCCESS)
}

fn fixed_bugs(schedules: u64, on: On) -> Result<(), Failure> {
    match fixed::all(schedules, on).map_err(Failure::failed)?.len() {
        0 => Ok(()),
        failed => Err(Failure::failed(format!("{failed} fixed programs fail"))),
    }
}

fn one_round(args: &Args, seed: u64) -> Result<(), Failure> {
    let campaigns = turns::chosen(&args.only).map_err(Failure::bad_input)?;
    let [campaign] = campaigns[..] else {
        return Err(Failure::bad_input(
            "--round needs exactly one --only, because a round belongs to one campaign",
        ));
    };
    let cases = args.cases.unwrap_or(campaign.cases);
    let tried = turns::round(campaign, seed, cases, &me()?).map_err(Failure::failed)?;
    println!("{}", serde_json::to_string(&tried).map_err(Failure::failed)?);
    Ok(())
}

fn soak(args: &Args) -> Result<(), Failure> {
    let time = Duration::try_from_secs_f64(60.0 * args.minutes)
        .map_err(|_| Failure::bad_input("--minutes: expected a number of at least 0"))?;
    let campaigns = turns::chosen(&args.only).map_err(Failure::bad_input)?;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let workers = args.jobs.unwrap_or_else(cores);
    if campaigns.iter().any(|campaign| campaign.name == "machines") {
        println!("building the unusual machines, once");
        lockstep::prepare().map_err(Failure::failed)?;
    }
    let soak = Soak { time, seed: args.seed, campaigns, workers, me: me()? };
    match soak.run() {
        Ok(tried) => {
            println!("{tried}: no mismatch, panic, leak or hang");
            Ok(())
        }
        Err(found) => {
            let (name, seed) = (found.campaign, found.seed);
            Err(Failure::failed(format!(
                "{}\nfound by {name}; repeat it with: cargo xtask soak --only {name} --round {seed:#x}",
                found.what
            )))
        }
    }
}

fn me() -> Result<std::path::PathBuf, Failure> {
    env::current_exe()
        .map_err(|error| Failure::failed(format!("cannot find the file of this program: {error}")))
}
