//! `cargo xtask area`: what the hardware costs.

use area::cache::Cache;
use area::study::{self, Question};
use area::sweep::Sweep;
use area::target::Target;
use area::{Error, report};
use clap::Parser;
use config::{Config, Preset};
use kit::Failure;
use std::path::PathBuf;
use std::process::ExitCode;
use tools::target_dir;

/// What the hardware costs on a device, unit by unit, and how that moves with the configuration.
///
/// Each module is synthesized with Yosys by itself, once, whatever number of instances and
/// configurations share it; costs are added up over the hierarchy. Results are kept: what was stopped
/// goes on where it was, and a second run is quick. Beside every configuration the same one without
/// monitors is measured. Hardware is measured as a board has it: without perturbation, with the ports
/// open that only models watch.
///
/// Writes report.md, area.csv, area.json and plots (*.svg).
#[derive(Parser)]
#[command(name = "cargo xtask area", bin_name = "cargo xtask area", max_term_width = 100)]
#[command(after_help = "\
Examples:
  cargo xtask area                                               the default machine
  cargo xtask area --top comm_monitor --target ice40             one unit, on a small device
  cargo xtask area --sweep context.events=1,3,5,8 --sweep ct.depth=64,256,1024
  cargo xtask area --config two.toml --pnr --mhz 60              with the clock it reaches; 1 if below

Several sweeps are combined, every value with every value.
Exit codes: 0 fine; 1 something could not be synthesized, placed or reached (all the rest is written
all the same); 2 wrong use or bad input.")]
struct Cli {
    /// A named configuration: sim4 (the default), paper, baseline
    #[arg(long, value_name = "NAME", conflicts_with = "config")]
    preset: Option<String>,
    /// A configuration in a TOML file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The unit to measure, with all that is in it
    #[arg(long, value_name = "UNIT", default_value = "soc")]
    top: String,
    /// A key and the values it takes; may be given for several keys
    #[arg(long, value_name = "KEY=A,B,C")]
    sweep: Vec<Sweep>,
    /// Device family to synthesize for
    #[arg(long, value_enum, default_value_t = Target::Ecp5)]
    target: Target,
    /// Also place and route the whole design with nextpnr, for the highest clock; takes minutes
    #[arg(long)]
    pnr: bool,
    /// Number of seeds to place with: the best one counts, and all of them are reported
    #[arg(long, value_name = "N", default_value_t = 3, requires = "pnr")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100))]
    seeds: u32,
    /// Do not measure the same configuration without monitors, which takes half of the time
    #[arg(long)]
    no_baseline: bool,
    /// The clock that must be reached, in MHz
    #[arg(long, value_name = "F", requires = "pnr")]
    mhz: Option<f64>,
    /// Where to write; by default below the target folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Where results are kept from run to run; by default below the target folder
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Number of tools to run in parallel; default: the number of processors
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
}

fn main() -> ExitCode {
    kit::ended(run(&Cli::parse()).map(|()| ExitCode::SUCCESS).map_err(Failure::from))
}

fn run(cli: &Cli) -> Result<(), Error> {
    let bad = |error: config::ConfigError| Error::BadInput(error.to_string());
    let (base, base_name) = match (&cli.preset, &cli.config) {
        (Some(name), _) => (Preset::named(name).map_err(bad)?.config(), name.clone()),
        (None, Some(path)) => {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            (Config::load(path).map_err(bad)?, stem.into_owned())
        }
        (None, None) => (Config::default(), Preset::default().name().to_owned()),
    };
    if cli.mhz.is_some_and(|mhz| !(mhz > 0.0 && mhz.is_finite())) {
        return Err(Error::BadInput("--mhz: expected a number above 0".into()));
    }
    let area = target_dir().join("area");
    let folder = cli
        .out
        .clone()
        .unwrap_or_else(|| area.join(format!("{base_name}-{}-{}", cli.top, cli.target.name())));
    let question = Question {
        base,
        base_name,
        top: cli.top.clone(),
        target: cli.target,
        sweeps: cli.sweep.clone(),
        place: cli.pnr,
        mhz: cli.mhz,
        seeds: cli.seeds,
        compare: !cli.no_baseline,
        workers: cli.jobs.unwrap_or_else(|| {
            std::thread::available_parallelism().map_or(1, |processors| processors.get())
        }),
    };
    let cache = cli.cache.clone().unwrap_or_else(|| area.join("cache"));
    let study = study::run(&question, &Cache::new(cache)?)?;
    let written = report::write(&study, cli.target, &folder)?;
    report::print_summary(&study, &folder, &written);
    match &study.failures()[..] {
        [] => Ok(()),
        failures => Err(Error::Failed(failures.join("\nerror: "))),
    }
}
