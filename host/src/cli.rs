//! The command line. One file a command: a new one needs its file, a `mod` line and a row in the table.

mod avoid;
mod cc;
mod common;
mod core;
mod diff;
mod explain;
mod export;
mod failure;
mod gdb;
mod graph;
mod hunt;
mod lanes;
mod machine;
mod out;
mod program;
mod progress;
mod rank;
mod record;
mod recorded;
mod report;
mod repro;
mod run;
mod stats;
mod testing_graph;
mod trace;
mod watch;
mod why;

pub use failure::Failure;

use clap::{CommandFactory, Parser, Subcommand};
use std::process::ExitCode;

/// Explain concurrency bugs: from recorded communication to the line of code that broke.
///
/// Runs are files (*.run), or folders that contain them. Each holds the communication of one run and its outcome;
/// comparing failing runs with passing runs shows what went wrong.
#[derive(Parser)]
#[command(name = "crosstalk", max_term_width = 100, version)]
#[command(after_help = "\
Start here:
  crosstalk hunt prog.c                    find out why a program sometimes fails
  crosstalk why crosstalk-hunt/prog        who wrote what the failing statement read
  crosstalk gdb crosstalk-hunt/prog        walk through the failing run, back and forth
  crosstalk repro crosstalk-hunt/prog      force the order: is that really the cause?
  crosstalk avoid prog.c                   how often it fails when transactions guard its data
  crosstalk run prog.elf                   run a program on the machine
  crosstalk stats runs/                    list runs and how they ended
  crosstalk rank runs/ --elf prog.elf      which lines to look at first
  crosstalk explain runs/ --elf prog.elf   what happened there, in which order
  crosstalk report runs/ -o report.html    all of it on one page

Exit codes: 0 fine, 1 the thing asked about failed, 2 wrong use or bad input; `run` has its own.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Every command: its name, and the module with its `Args` and `run`.
macro_rules! commands {
    ($($name:ident => $module:ident,)*) => {
        #[derive(Subcommand)]
        enum Command {
            $($name($module::Args),)*
        }

        impl Command {
            fn run(&self) -> Result<ExitCode, Failure> {
                match self {
                    $(Self::$name(args) => $module::run(args),)*
                }
            }
        }
    };
}

commands! {
    Cc => cc,
    Run => run,
    Hunt => hunt,
    Why => why,
    Repro => repro,
    Avoid => avoid,
    Trace => trace,
    Gdb => gdb,
    Core => core,
    Rank => rank,
    Explain => explain,
    Report => report,
    Diff => diff,
    Graph => graph,
    Stats => stats,
    TestingGraph => testing_graph,
    Watch => watch,
    Record => record,
    Export => export,
}

/// The whole command line, for tests and documentation.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Runs the command line.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return wrong_use(&error),
    };
    failure::ended(cli.command.run())
}

/// Help and version are fine; wrong use of `run` has the exit code of its own errors, since the
/// others are the program's.
fn wrong_use(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    let of_run = std::env::args_os().nth(1).is_some_and(|command| command == "run");
    match error.exit_code() {
        0 => ExitCode::SUCCESS,
        _ if of_run => ExitCode::from(run::OWN_ERROR),
        _ => ExitCode::from(2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn wrong_use_exits_with_2() {
        for args in [
            vec!["crosstalk"],
            vec!["crosstalk", "rnak"],
            vec!["crosstalk", "rank", "runs", "--formula", "best"],
            vec!["crosstalk", "export", "runs", "--to", "xml"],
        ] {
            let error = Cli::try_parse_from(&args).err().expect("wrong use");
            assert_eq!(error.exit_code(), 2, "{args:?}");
        }
    }

    #[test]
    fn numbers_may_be_hexadecimal_and_separated_everywhere() {
        for line in [
            "run x.elf --seed 0x10 --max-cycles 1_000 --vcd w --from 0x10 --to 0x20 --harts 0x4",
            "why h --seed 0x7 --passing 0x3 --history 1_0",
            "trace h --seed 0x7 --hart 0x1",
            "gdb h --seed 0x7",
            "repro h --schedules 0x10",
            "core h --seed 0x7",
            "hunt x.c --failing 0x5 --passing 1_0 --max-runs 0x10 --max-cycles 1_000_000 --harts 0x2",
            "rank r --top 0x10 --context 0x2 --candidates 1_000 --window 0x3",
            "explain r --rank 0x1 --top 0x2",
            "report r --top 0x10 --pictures 0x2",
            "stats r --top 0x10",
            "graph r --top 0x10",
            "diff r --top 0x10",
            "record --serial /dev/null --out x.run --baud 0x10 --answer 0x1 --silence 0x2",
        ] {
            let args = std::iter::once("crosstalk").chain(line.split(' '));
            if let Err(error) = Cli::try_parse_from(args) {
                panic!("{line}: {error}");
            }
        }
    }

    #[test]
    fn help_fits_100_columns() {
        let mut command = command().term_width(100);
        command.build();
        for command in command.get_subcommands_mut() {
            let help = command.render_long_help().to_string();
            let widest = help.lines().map(|line| line.chars().count()).max();
            assert!(widest <= Some(100), "{}", command.get_name());
        }
    }
}
