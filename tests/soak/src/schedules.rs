//! Random schedules of the fixed bug suite on the golden machine: none may fail, and each is always the same.

use crate::{Round, Tried};
use config::Config;
use crosstalk::hunt::{FailIf, Finished, Golden, Level, Schedule, Setup, Source, Subject};
use firmware::Build;
use firmware::bugs::{self, Bug};
use record::Label;

/// One round: so many schedules of one program.
pub fn round(round: &Round<'_>) -> Result<Tried, String> {
    let dice = &mut round.dice();
    let bug = dice.one_of(bugs::ALL);
    let (subject, setup) = fixed(&bug)?;
    let loaded = subject.load(&setup).map_err(|error| error.to_string())?;
    let machine = Golden::new(loaded).map_err(|error| error.to_string())?;
    for number in 0..round.cases {
        let seed = dice.roll();
        let run = passed(&machine, bug.name, seed, Level::CONFIGURED)?;
        // Every so often the same again: a schedule is the same for ever.
        if number % 16 == 0 && passed(&machine, bug.name, seed, Level::CONFIGURED)?.run != run.run {
            return Err(format!(
                "`{}` gives another result when schedule {seed} is repeated",
                bug.name
            ));
        }
    }
    Ok(Tried { schedules: u64::from(round.cases), ..Tried::default() })
}

/// The fixed variant of a bug, and the machine it wants.
///
/// # Errors
/// If it does not compile.
pub fn fixed(bug: &Bug) -> Result<(Subject, Setup), String> {
    let build = Build { files: bug.sources(), flags: vec!["-DFIXED".into()] };
    let (subject, _) = Subject::compile(bug.name, &build).map_err(|error| error.to_string())?;
    let usual = Config::default();
    let harts = usual.harts.max(bug.harts);
    Ok((subject, Setup::new(Config { harts, ..usual })))
}

/// The run of a schedule that must not fail.
///
/// # Errors
/// If it does.
pub fn passed(
    machine: &dyn Source,
    name: &str,
    seed: u64,
    level: Level,
) -> Result<Finished, String> {
    let finished = machine.run(Schedule { seed, level });
    let finished = finished.map_err(|error| format!("`{name}`, schedule {seed}: {error}"))?;
    match FailIf::Exit.label(&finished) {
        Label::Failing => {
            let (how, at) = (&finished.run.ending.outcome, level.0);
            Err(format!("`{name}` is fixed, but {how} under schedule {seed} at level {at}"))
        }
        _ => Ok(finished),
    }
}
