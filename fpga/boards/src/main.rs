//! `cargo xtask fpga`: from nothing to a bitstream.

use area::Error;
use boards::{Board, flow, report};
use clap::Parser;
use kit::Failure;
use kit::file::write_atomic;
use std::path::PathBuf;
use std::process::ExitCode;
use tools::target_dir;

/// Build the bitstream of a board with the open tools: Yosys, nextpnr, ecppack or icepack.
///
/// Prints what the design takes of the device and the clock it reaches, and shows that caches and tables are
/// in block RAM. Steps that were done before are not done again. Writes the bitstream, report.md, and the logs
/// of the tools, also those of a step that failed.
#[derive(Parser)]
#[command(name = "cargo xtask fpga", bin_name = "cargo xtask fpga", max_term_width = 100)]
#[command(after_help = "\
Examples:
  cargo xtask fpga --board ulx3s
  cargo xtask fpga --board hx8k --out build/

Exit codes: 0 fine; 1 the design does not fit, misses the board's clock, or has a cache or table outside
block RAM (what there is of it is written all the same); 2 wrong use or bad input.")]
struct Cli {
    /// The board: ulx3s, hx8k
    #[arg(long, value_name = "BOARD")]
    board: String,
    /// Where to write; by default below the target folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

fn main() -> ExitCode {
    kit::ended(run(&Cli::parse()).map(|()| ExitCode::SUCCESS).map_err(Failure::from))
}

fn run(cli: &Cli) -> Result<(), Error> {
    let board = Board::named(&cli.board).map_err(Error::BadInput)?;
    let tools = flow::Tools::locate(board.target)?;
    let home = target_dir().join("fpga");
    let out = cli.out.clone().unwrap_or_else(|| home.join(board.name));
    let steps = boards::Steps::new(home.join("cache"), out.clone())?;
    let synthesized = flow::synthesize(board, &tools, &steps)?;
    for accident in report::accidents(&synthesized.memories) {
        eprintln!("warning: {accident}");
    }
    let built = flow::build(board, synthesized, &tools, &steps)?;
    write_atomic(&out.join("report.md"), report::markdown(board, &built).as_bytes())?;
    print!("{}", report::summary(board, &built));
    println!("  in {}: {}, report.md, logs", out.display(), built.bitstream);
    verdict(&report::failures(board, &built))
}

/// How the program ends, given what is wrong with the board.
fn verdict(failures: &[String]) -> Result<(), Error> {
    match failures {
        [] => Ok(()),
        failures => Err(Error::Failed(failures.join("\nerror: "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_that_is_not_good_ends_with_one() {
        assert!(verdict(&[]).is_ok());
        let error = verdict(&["too slow".into(), "too large".into()]).unwrap_err();
        assert_eq!(Failure::from(error), Failure::failed("too slow\nerror: too large"));
    }

    #[test]
    fn a_board_that_does_not_exist_ends_with_two() {
        let cli = Cli::try_parse_from(["fpga", "--board", "ulx4"]).ok().unwrap();
        let failure = Failure::from(run(&cli).unwrap_err());
        assert!(matches!(failure, Failure::BadInput(_)), "{failure}");
        assert!(failure.to_string().starts_with("unknown board `ulx4`"), "{failure}");
    }
}
