//! Programs on one hart with caches of 8 KiB: how many cycles each instruction takes.

use std::io;
use std::path::Path;

use border::{End, Program};
use config::Config;
use cosim::Library;
use cosim::machine::{Machines, Options, Run};
use firmware::benchmarks::{self, Counted, FLAGS};
use firmware::{Build, Runtime};
use measure::report::{Report, Row};

/// More than any of them takes.
const LIMIT: u64 = 100_000_000;

/// One hart, 8 KiB + 8 KiB.
pub fn config() -> Result<Config, String> {
    let keys = "harts = 1\nl1.data.bytes = 8192\nl1.instruction.bytes = 8192";
    keys.parse().map_err(|error: config::ConfigError| error.to_string())
}

/// Every program with every set of flags, and which set is the fastest for all of them together.
pub fn measure(report: &mut Report) {
    let mut sets = Vec::new();
    for flags in FLAGS {
        let title = format!("One hart, 8 KiB + 8 KiB: {}", flags.join(" "));
        report.section(title);
        let mut cycles = Vec::new();
        for name in benchmarks::ALL {
            eprintln!("single-hart: {name} {}", flags.join(" "));
            match one(name, flags) {
                Ok(counted) => {
                    cycles.push(f64::from(counted.cycles));
                    report.row(Row {
                        what: (*name).to_owned(),
                        ours: format!("{} cycles", counted.cycles),
                        peer: format!("{} instructions", counted.instructions),
                        ratio: Some(counted.cpi()),
                        limit: None,
                    });
                }
                Err(why) => report.missing(name, &why, None),
            }
        }
        sets.push((flags.join(" "), cycles));
    }
    report.section("All of them: cycles beside those of the first set, geometric mean");
    let usual = sets[0].1.clone();
    for (flags, cycles) in sets {
        if cycles.len() != benchmarks::ALL.len() || usual.len() != cycles.len() {
            report.missing(&flags, "a program is missing", None);
            continue;
        }
        let logs: f64 = cycles.iter().zip(&usual).map(|(own, usual)| (own / usual).ln()).sum();
        report.row(Row {
            what: flags,
            ours: format!("{:.0} cycles", cycles.iter().sum::<f64>()),
            peer: format!("{:.0} cycles", usual.iter().sum::<f64>()),
            ratio: Some((logs / cycles.len() as f64).exp()),
            limit: None,
        });
    }
}

fn one(name: &str, flags: &[&str]) -> Result<Counted, String> {
    let runtime = Runtime::for_workspace(|_| ()).map_err(|error| error.to_string())?;
    let output = output_of(|out| {
        let flags = flags.iter().map(Into::into).collect();
        let build = Build { files: vec![benchmarks::source(name)], flags };
        runtime.build(&build, out).map(drop).map_err(|error| error.to_string())
    })?;
    benchmarks::counted(&output)
}

/// What a program prints on the machine; `build` links it into the file it is given.
pub fn output_of(build: impl FnOnce(&Path) -> Result<(), String>) -> Result<String, String> {
    let config = config()?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let out = folder.path().join("program.elf");
    build(&out)?;
    let program = Program::read(&out, config.simulation.ram_bytes);
    let program = program.map_err(|error| error.to_string())?;
    let library = Machines::for_workspace().library(&config, false);
    let library: Library = library.map_err(|error| error.to_string())?;
    let options = Options { limit: Some(LIMIT), ..Options::default() };
    let mut console = Vec::new();
    let outcome =
        Run::new(&library, &config, &program, options, &mut console as &mut dyn io::Write)
            .and_then(Run::finish)
            .map_err(|error| error.to_string())?;
    let end = outcome.end.clone();
    drop(outcome);
    let text = String::from_utf8_lossy(&console).into_owned();
    match end {
        End::Exit { code: 0 } => Ok(text),
        end => Err(format!("it ended with {end:?}: {}", text.trim_end())),
    }
}
