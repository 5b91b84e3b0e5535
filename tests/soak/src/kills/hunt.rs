//! Hunts that are killed and resumed.

use super::{files, interrupted, same, whole};
use crate::corpus::Corpus;
use crate::{Round, Tried, role};
use std::path::{Path, PathBuf};
use std::process::Command;

/// One stage, so that a second one does not take most of the time.
const OPTIONS: [&str; 9] =
    ["--failing", "6", "--passing", "6", "--monitor", "program", "--max-runs", "200", "--resume"];

/// One round: a hunt of a program from its source, whole and interrupted so many times.
pub fn round(round: &Round<'_>) -> Result<Tried, String> {
    let dice = &mut round.dice();
    let corpus = Corpus::new(round.folder, dice)?;
    let machine = match dice.below(8u32) {
        0 => "rtl",
        1 => "both",
        _ => "golden",
    };
    let hunt = |out: &str| {
        let mut command: Command = role::crosstalk(round.me, round.folder);
        command.arg("hunt").arg(corpus.path("prog.c")).args(OPTIONS);
        command.args(["--on", machine, "--out", out]);
        command
    };
    let (reference, takes) = whole(&mut hunt("whole"), 0)?;
    let kills = interrupted(|| hunt("killed"), round.cases, takes, dice)?;
    let (resumed, _) = whole(&mut hunt("killed"), 0)?;
    if resumed.out.replace("killed/", "whole/") != reference.out {
        return Err(
            "a hunt that was killed and resumed gives another answer than an uninterrupted one"
                .into(),
        );
    }
    let (one, other) = (round.folder.join("whole"), round.folder.join("killed"));
    same(&one, &other)?;
    Ok(Tried { schedules: schedules(&one)? + schedules(&other)?, kills, ..Tried::default() })
}

/// How many schedules a folder has the runs of, of whichever machine.
fn schedules(folder: &Path) -> Result<u64, String> {
    let is_run = |path: &&PathBuf| path.extension().is_some_and(|end| end == "run");
    Ok(files(folder)?.keys().filter(is_run).count() as u64)
}
