//! kill -9 at random moments, and again, until the work is done: nothing is lost, and nothing half-written is
//! believed. What is left must be, byte for byte, what an uninterrupted run leaves.

pub mod area;
pub mod hunt;
pub mod model;

use crate::child::{self, Ended};
use kit::Dice;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// The longest that any of the work may take.
const DEADLINE: Duration = Duration::from_secs(600);

/// Runs a command that must end with this code; gives what it said, and how long it took.
fn whole(command: &mut Command, code: i32) -> Result<(Ended, Duration), String> {
    let started = Instant::now();
    let ended = child::run(command, DEADLINE).map_err(|error| error.to_string())?;
    let took = started.elapsed();
    if ended.code == Some(code) {
        return Ok((ended, took));
    }
    let how = match (ended.late, ended.code) {
        (true, _) => "hangs".to_owned(),
        (_, Some(code)) => format!("ends with {code}"),
        (_, None) => format!("is ended by signal {}", ended.signal.unwrap_or_default()),
    };
    let program = command.get_program().to_string_lossy().into_owned();
    Err(format!("{program} {how}: {}", ended.errors.trim()))
}

/// Starts the work and kills it so many times: at once, then each at some moment within the time that it takes.
/// Gives how often it was still running.
fn interrupted(
    command: impl Fn() -> Command,
    kills: u32,
    takes: Duration,
    dice: &mut Dice,
) -> Result<u64, String> {
    let (mut killed, mut left) = (0, takes);
    for number in 0..kills {
        let share = if number == 0 { 0 } else { dice.below(1000u32) };
        let after = left.mul_f64(f64::from(share) / 1000.0);
        let alone = dice.one_in(2);
        let done = child::kill_after(&mut command(), after, alone);
        match done.map_err(|error| error.to_string())? {
            true => killed += 1,
            // It goes on where it was left, so it takes less time than at first.
            false => left = after,
        }
    }
    Ok(killed)
}

/// Every file below a folder.
fn files(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>, String> {
    let wrong = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inside) = folders.pop() {
        for entry in fs::read_dir(&inside).map_err(|error| wrong(&inside, error))? {
            let path = entry.map_err(|error| wrong(&inside, error))?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let bytes = fs::read(&path).map_err(|error| wrong(&path, error))?;
                let name = path.strip_prefix(folder).unwrap_or(&path).to_owned();
                found.insert(name, bytes);
            }
        }
    }
    Ok(found)
}

/// Whether two folders hold the same; or the names of files that differ.
fn same(whole: &Path, resumed: &Path) -> Result<(), String> {
    let (whole, resumed) = (files(whole)?, files(resumed)?);
    let names = whole.keys().chain(resumed.keys());
    let differ: Vec<_> = names.filter(|name| whole.get(*name) != resumed.get(*name)).collect();
    match differ.first() {
        None => Ok(()),
        Some(first) => Err(format!(
            "work that was killed and resumed differs from uninterrupted work in `{}` (files that differ: {})",
            first.display(),
            differ.len()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_differs_or_is_too_many_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        for path in [&one, &other] {
            fs::create_dir_all(path.join("runs")).unwrap();
            fs::write(path.join("runs/1.run"), "same").unwrap();
        }
        assert_eq!(same(&one, &other), Ok(()));
        fs::write(other.join("runs/.2.run.partial"), "").unwrap();
        let found = same(&one, &other).unwrap_err();
        assert!(found.contains("differ: 1)") && found.contains(".2.run.partial"), "{found}");
        fs::write(one.join("runs/.2.run.partial"), "more").unwrap();
        assert!(same(&one, &other).is_err());
    }
}
