//! The image of a suite, for a simulator that reads hexadecimal words.
//!
//! `cargo run -p crosstalk-firmware --example program_hex multi handover > fpga/icarus/program.hex`

use std::env;
use std::process::ExitCode;

use border::Program;
use firmware::{Compiler, image, suites};

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let [group, name] = args.as_slice() else {
        eprintln!("usage: program_hex GROUP NAME, as in firmware/suites");
        return ExitCode::from(2);
    };
    let Some(suite) = suites::named(group, name) else {
        eprintln!("unknown suite `{group}/{name}`; expected a GROUP and NAME of firmware/suites");
        return ExitCode::from(2);
    };
    let program = Compiler::for_workspace().and_then(|compiler| suite.program(&compiler));
    let text = program
        .map_err(|error| error.to_string())
        .and_then(|path| Program::read(&path, Program::ANY_RAM).map_err(|error| error.to_string()))
        .and_then(|program| image::hex(&program));
    match text {
        Ok(text) => print!("{text}"),
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
