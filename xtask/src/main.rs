//! The repository's own commands.
//!
//! Light on purpose: nothing here simulates. A command that needs the external tools makes sure of
//! just those with [`setup::ensure`], then does its work or lets cargo do it.
#![forbid(unsafe_code)]

mod area;
mod assurance;
mod bench;
mod cargo;
mod coverage;
mod crosstalk;
mod failure;
mod file;
mod folder;
mod fpga;
mod gen_border;
mod gen_rtl;
mod install;
mod mutate;
mod out;
mod paper;
mod pip;
mod program;
mod progress;
mod prove;
mod setup;
mod soak;
mod test;

use clap::{Parser, Subcommand};
use failure::ended;
use std::process::ExitCode;

/// The commands of the Crosstalk repository.
///
/// Each command installs the pinned tools it needs by itself, into the target folder; nothing needs
/// root. The first time takes a minute or two.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", max_term_width = 100)]
#[command(after_help = "\
Start here:
  cargo xtask gen-rtl                    write the Verilog of the default machine to rtl/
  cargo xtask test                       everything a change must pass

Exit codes: 0 fine, 1 the thing asked about failed, 2 wrong use or bad input.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Setup(setup::Args),
    GenRtl(gen_rtl::Args),
    GenBorder(gen_border::Args),
    Test(test::Args),
    Bench(bench::Args),
    Coverage(coverage::Args),
    Area(area::Args),
    Fpga(fpga::Args),
    Soak(soak::Args),
    Paper(paper::Args),
    Prove(prove::Args),
    Assurance(assurance::Args),
    Mutate(mutate::Args),
    Crosstalk(crosstalk::Args),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Setup(args) => setup::run(&args),
        Command::GenRtl(args) => gen_rtl::run(&args),
        Command::GenBorder(args) => gen_border::run(&args),
        Command::Test(args) => test::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Coverage(args) => coverage::run(&args),
        Command::Soak(args) => return ended(soak::run(&args)),
        Command::Paper(args) => return ended(paper::run(&args)),
        Command::Area(args) => return ended(area::run(&args)),
        Command::Fpga(args) => return ended(fpga::run(&args)),
        Command::Prove(args) => prove::run(&args),
        Command::Assurance(args) => assurance::run(&args),
        Command::Mutate(args) => return ended(mutate::run(&args)),
        Command::Crosstalk(args) => return ended(crosstalk::run(&args)),
    };
    ended(done.map(|()| ExitCode::SUCCESS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn wrong_use_exits_with_2() {
        for args in [
            vec!["cargo xtask"],
            vec!["cargo xtask", "genrtl"],
            vec!["cargo xtask", "setup", "verilog"],
            vec!["cargo xtask", "bench", "verilog"],
            vec!["cargo xtask", "prove", "verilog"],
            vec!["cargo xtask", "gen-rtl", "--preset", "paper", "--config", "x.toml"],
        ] {
            let error = Cli::try_parse_from(&args).err().expect("wrong use");
            assert_eq!(error.exit_code(), 2, "{args:?}");
        }
    }
}
