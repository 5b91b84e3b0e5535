//! `crosstalk`: see `crosstalk --help`.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    crosstalk::cli::main()
}
