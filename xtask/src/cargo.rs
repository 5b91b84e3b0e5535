//! Calling cargo again, with its output left to the person.

use crate::failure::Failure;
use std::process::Command;

/// Runs `cargo` with these arguments in the workspace; whether it succeeded.
pub fn run(args: &[&str]) -> Result<bool, Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(args)
        .current_dir(tools::workspace_root())
        .status()
        .map_err(|error| Failure::failed(format!("cargo cannot be run: {error}")))?;
    Ok(status.success())
}
