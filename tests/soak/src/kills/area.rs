//! Area studies that are killed and begun again.

use super::{interrupted, same, whole};
use crate::{Round, Tried, role};
use std::process::Command;

/// Small studies of several modules each, so that there is something to lose.
const STUDIES: [&[&str]; 3] = [
    &["--top", "context_register", "--sweep", "context.events=1,2,3,4", "--target", "ice40"],
    &["--top", "signature", "--config", "colors.toml"],
    &["--top", "line_metadata", "--sweep", "context.events=2,5"],
];

/// A configuration that has signatures.
const COLORS: &str = "color.items = 4\n";

/// One round: a study, whole and interrupted so many times.
pub fn round(round: &Round<'_>) -> Result<Tried, String> {
    let dice = &mut round.dice();
    let study = dice.one_of(&STUDIES);
    let colors = round.folder.join("colors.toml");
    std::fs::write(&colors, COLORS).map_err(|error| format!("{}: {error}", colors.display()))?;
    let area = |out: &str| {
        let mut command: Command = role::area(round.me, round.folder);
        command.args(study).args(["--jobs", "2", "--out", out]);
        command.args(["--cache", &format!("{out}-cache")]);
        command
    };
    let (_, takes) = whole(&mut area("whole"), 0)?;
    let kills = interrupted(|| area("killed"), round.cases, takes, dice)?;
    whole(&mut area("killed"), 0)?;
    same(&round.folder.join("whole"), &round.folder.join("killed"))?;
    Ok(Tried { kills, ..Tried::default() })
}
