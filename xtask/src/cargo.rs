//! Calling cargo again, with its output left to the person.

use crate::failure::Failure;
use std::ffi::OsStr;
use std::process::Command;

/// Runs `cargo` with these arguments in the workspace; whether it succeeded.
pub fn run(args: &[&str]) -> Result<bool, Failure> {
    run_with(args, &[])
}

/// As [`run`], with these variables set.
pub fn run_with(args: &[&str], variables: &[(&str, &OsStr)]) -> Result<bool, Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(args)
        .envs(variables.iter().copied())
        .current_dir(tools::workspace_root())
        .status()
        .map_err(|error| Failure::failed(format!("cargo cannot be run: {error}")))?;
    Ok(status.success())
}
