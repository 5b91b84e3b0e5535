//! Runs cargo, with its output shown to the user.

use crate::failure::Failure;
use std::ffi::OsStr;
use std::process::{Command, Stdio};

/// Runs `cargo` with these arguments in the workspace; returns whether it succeeded.
pub fn run(args: &[impl AsRef<OsStr>]) -> Result<bool, Failure> {
    run_with(args, &[])
}

/// As [`run`], with these environment variables.
pub fn run_with(args: &[impl AsRef<OsStr>], variables: &[(&str, &OsStr)]) -> Result<bool, Failure> {
    let status = command(args).envs(variables.iter().copied()).status().map_err(cannot_run)?;
    Ok(status.success())
}

/// The output of `cargo` with these arguments; `None` if it fails.
pub fn output(args: &[&str]) -> Result<Option<String>, Failure> {
    let output = command(args).stderr(Stdio::inherit()).output().map_err(cannot_run)?;
    Ok(output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// `cargo` with these arguments, in the workspace.
pub fn command(args: &[impl AsRef<OsStr>]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(args).current_dir(tools::workspace_root());
    command
}

fn cannot_run(error: std::io::Error) -> Failure {
    Failure::failed(format!("cannot run cargo: {error}"))
}
