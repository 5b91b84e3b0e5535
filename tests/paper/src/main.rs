//! `crosstalk-paper`: what `cargo xtask paper` runs.
#![forbid(unsafe_code)]

mod show;

use clap::Parser;
use clap::builder::PossibleValuesParser;
use crosstalk::hunt::On;
use firmware::bugs::{self, Bug};
use kit::argument::within;
use paper::collect::{How, collect};
use paper::collection::replace;
use paper::measured::Measured;
use paper::page::{self, Made};
use paper::{Error, io, measure, tables};
use show::Show;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The name of the plot among the tables.
const FIGURE: &str = "figure-7";

/// Measure the papers' tables again on the bug suite, and print them beside the published figures.
///
/// Runs are collected once and kept below target/paper, by content; what was interrupted goes on where it
/// was left. With all bugs on the hardware and no table named, the page docs/results.md is written too.
#[derive(Parser)]
#[command(name = "cargo xtask paper", bin_name = "cargo xtask paper", max_term_width = 100)]
#[command(after_help = "\
Examples:
  cargo xtask paper                              all tables and the page; takes an hour or more
  cargo xtask paper --trials 1                   one trial instead of five
  cargo xtask paper recon-3 --on golden          one table, without hardware: minutes
  cargo xtask paper --bug vector                 one bug

Exit codes: 0 fine, 1 some bug could not be measured, 2 wrong use.")]
struct Args {
    /// Only this table; all of them, and the page, by default
    #[arg(value_name = "TABLE", value_parser = PossibleValuesParser::new(table_names()))]
    table: Option<String>,
    /// What the programs run on: the simulated hardware, or the golden machine alone, which is quick
    #[arg(long, value_enum, value_name = "MACHINE", default_value_t)]
    on: On,
    /// Trials of 25 failing and 25 passing runs each
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = within(1..=100u32))]
    trials: u32,
    /// Only this bug; may be given several times
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(bugs::ALL.iter().map(|bug| bug.name)))]
    bug: Vec<String>,
    /// Where the page goes: docs for all bugs on the hardware, else target/paper/page
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

fn table_names() -> Vec<&'static str> {
    tables::ALL.iter().map(|table| table.name).chain([FIGURE]).collect()
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(1)
        }
    }
}

/// Measures and prints; whether every bug could be measured.
fn run(args: &Args) -> Result<bool, Error> {
    let cache = tools::target_dir().join("paper");
    let how = How { on: args.on, trials: args.trials as usize, cache: cache.join("collections") };
    let wanted: Vec<&Bug> = bugs::ALL.iter().filter(|bug| args.wants(bug)).collect();
    let mut measured = Vec::new();
    let mut complete = true;
    for (place, bug) in wanted.iter().enumerate() {
        let show = Show::new(bug.name, place + 1, wanted.len());
        let done = collect(bug, &how, &|progress| show.collecting(progress))
            .and_then(|collection| measure::measure(bug, &collection, &|what| show.step(what)));
        match done {
            Ok(done) => {
                show.done(&done);
                measured.push(done);
            }
            Err(error) => {
                complete = false;
                show.failed(&error);
            }
        }
    }
    if measured.is_empty() {
        return Ok(false);
    }
    let json = serde_json::to_string_pretty(&measured).expect("numbers have a form in JSON");
    replace(&cache.join(format!("results-{}.json", how.on.name())), json.as_bytes())?;
    args.print(&measured, &cache)?;
    Ok(complete)
}

impl Args {
    fn wants(&self, bug: &Bug) -> bool {
        self.bug.is_empty() || self.bug.iter().any(|name| name == bug.name)
    }

    /// The command that gives this again.
    fn command_line(&self) -> String {
        let mut command = String::from("cargo xtask paper");
        if !self.on.is_default() {
            command += &format!(" --on {}", self.on.name());
        }
        command += &format!(" --trials {}", self.trials);
        self.bug.iter().for_each(|bug| command += &format!(" --bug {bug}"));
        command
    }

    fn print(&self, measured: &[Measured], cache: &Path) -> Result<(), Error> {
        let out = || self.out.clone().unwrap_or_else(|| cache.join("page"));
        match self.table.as_deref() {
            Some(FIGURE) => {
                let path = out().join("results").join(page::CONVERGENCE);
                replace(&path, page::convergence(measured)?.as_bytes())?;
                show::line(&format!("{}", path.display()));
                Ok(())
            }
            Some(name) => {
                let tables = tables::ALL.iter().filter(|table| table.name == name);
                tables.for_each(|table| show::line((table.make)(measured).trim_end()));
                Ok(())
            }
            None => {
                for table in &tables::ALL {
                    let text = (table.make)(measured);
                    show::line(&format!("{}: {}\n\n{text}", table.name, table.about));
                }
                let whole = self.on.is_default() && measured.len() == bugs::ALL.len();
                let docs = || tools::workspace_root().join("docs");
                let out = if whole && self.out.is_none() { docs() } else { out() };
                self.write(measured, &out)
            }
        }
    }

    fn write(&self, measured: &[Measured], out: &Path) -> Result<(), Error> {
        let machine = &format!("{}, preset `sim4`", self.on.called());
        let trials = self.trials as usize;
        let ledger = tools::workspace_root().join("docs/results/fixed.json");
        let fixed = fs::read_to_string(&ledger).map_err(io(&ledger))?;
        let command = self.command_line();
        let made = Made { command: &command, machine, trials, fixed: &fixed };
        let page = page::page(measured, &made)?;
        for (name, svg) in &page.plots {
            replace(&out.join("results").join(name), svg.as_bytes())?;
        }
        let path = out.join("results.md");
        replace(&path, page.text.as_bytes())?;
        eprintln!("wrote {}", path.display());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent_and_repeats_itself() {
        Args::command().debug_assert();
        let line = "cargo xtask paper --on golden --trials 2 --bug vector";
        // `paper` is what the task runner takes away.
        let words = line.split(' ').filter(|word| !["cargo", "xtask"].contains(word));
        assert_eq!(Args::try_parse_from(words).ok().unwrap().command_line(), line);
    }

    #[test]
    fn wrong_use_exits_with_2() {
        for wrong in [["paper", "table-9"], ["paper", "--bug=no-such"], ["paper", "--trials=0"]] {
            assert_eq!(Args::try_parse_from(wrong).err().unwrap().exit_code(), 2, "{wrong:?}");
        }
    }
}
