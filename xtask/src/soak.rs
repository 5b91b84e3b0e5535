//! `cargo xtask soak`: hardware and golden machine side by side for as long as one likes.

use crate::failure::Failure;
use crate::{cargo, setup};
use std::ffi::OsString;
use tools::Tool;

/// Run random programs and suites in lockstep with the golden machine, for a while.
///
/// Every round has schedules and programs of its own, the same in every soak. The first mismatch ends
/// it, with its cycle, its fields and a waveform.
#[derive(clap::Args)]
pub struct Args {
    /// For this long
    #[arg(long, value_name = "N", default_value_t = 10.0)]
    minutes: f64,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    setup::ensure(&[Tool::Verilator, Tool::Zig])?;
    let call = [
        "test",
        "--release",
        "--package",
        "crosstalk-tests",
        "--test",
        "machine",
        "--",
        "--ignored",
        "--nocapture",
        "soak",
    ];
    let minutes = OsString::from(args.minutes.to_string());
    if cargo::run_with(&call, &[("CROSSTALK_SOAK_MINUTES", &minutes)])? {
        Ok(())
    } else {
        Err(Failure::failed("hardware and model differ"))
    }
}
