//! `cargo xtask soak`: hardware and golden machine side by side for as long as one likes.

use crate::failure::Failure;
use crate::{cargo, crosstalk, setup};
use std::ffi::OsString;
use std::fs;
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
    /// Instead, run every fixed program of the bug suite under this many schedules; what was run
    /// before is not run again
    #[arg(long, value_name = "SCHEDULES", conflicts_with = "minutes")]
    fixed: Option<u64>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    setup::ensure(&[Tool::Verilator, Tool::Zig])?;
    if let Some(schedules) = args.fixed {
        return fixed(schedules);
    }
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

/// Hunts every fixed program: no schedule may fail.
fn fixed(schedules: u64) -> Result<(), Failure> {
    let tool = crosstalk::built()?;
    let kept = tools::target_dir().join("soak/fixed");
    let mut failed = Vec::new();
    for name in bugs()? {
        println!("{name}: {schedules} schedules");
        let options = ["--cflags", "-DFIXED", "--failing", "1", "--passing", "0", "--resume"];
        let mut call: Vec<OsString> =
            ["hunt", &name].iter().chain(&options).map(Into::into).collect();
        call.extend(["--max-runs".into(), schedules.to_string().into()]);
        call.extend(["--monitor".into(), "program".into()]);
        call.extend(["--out".into(), kept.join(&name).into()]);
        match crosstalk::call(&tool, &call)? {
            // The hunt found nothing, and said so.
            1 => {}
            0 => failed.push(name),
            _ => return Err(Failure::failed(format!("`{name}` cannot be hunted"))),
        }
    }
    match failed.as_slice() {
        [] => Ok(()),
        names => Err(Failure::failed(format!(
            "these fail though they are fixed: {}; the reports are in {}",
            names.join(", "),
            kept.display()
        ))),
    }
}

/// The names of the bug suite: its folders.
fn bugs() -> Result<Vec<String>, Failure> {
    let folder = tools::workspace_root().join("firmware/bugs");
    let wrong = |error| Failure::failed(format!("{}: {error}", folder.display()));
    let entries = fs::read_dir(&folder).map_err(wrong)?;
    let paths = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir());
    let mut names: Vec<String> =
        paths.filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned())).collect();
    names.sort();
    Ok(names)
}
