//! Runs compilers, two at a time or more, and reports what they had to say when they fail.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::Error;

/// The most lines of a compiler's complaints worth showing.
const SHOWN: usize = 40;

/// Runs one command to its end, whatever that is.
pub(crate) fn output(command: &mut Command) -> Result<Output, Error> {
    command.output().map_err(|error| {
        let program = command.get_program().to_string_lossy().into_owned();
        match error.kind() {
            ErrorKind::NotFound => Error::MissingTool(format!(
                "`{program}` is not on the PATH: models need a C++ compiler; \
                 install one, or name it in CXX"
            )),
            _ => Error::MissingTool(format!("`{program}` cannot be run: {error}")),
        }
    })
}

/// Runs one compiler; `top` is what it works for.
pub(crate) fn run(command: &mut Command, top: &str) -> Result<(), Error> {
    let output = output(command)?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let mut text = text.lines().take(SHOWN).collect::<Vec<_>>().join("\n");
    if text.is_empty() {
        text = output.status.to_string();
    }
    let command = format!("{command:?}");
    Err(Error::Compile { top: top.to_owned(), command, text })
}

/// Collects object files in a static archive.
pub(crate) fn archive(objects: &[PathBuf], archive: &Path, top: &str) -> Result<(), Error> {
    let mut archiver = Command::new("ar");
    // `D`: no dates or owners, so that equal objects give equal archives.
    archiver.arg("rcsD").arg(archive).args(objects);
    run(&mut archiver, top)
}

/// Runs all commands, as many at a time as the machine has processors. After a failure no
/// further one starts; the first failure is reported.
pub(crate) fn run_all(commands: Vec<Command>, top: &str) -> Result<(), Error> {
    let workers = thread::available_parallelism().map_or(1, |n| n.get()).min(commands.len());
    let queue = Mutex::new(commands.into_iter());
    let failure = Mutex::new(None);
    let failed = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while !failed.load(Ordering::Relaxed) {
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some(mut command) = next else { break };
                    if let Err(error) = run(&mut command, top) {
                        failed.store(true, Ordering::Relaxed);
                        let mut slot = failure.lock().unwrap_or_else(PoisonError::into_inner);
                        slot.get_or_insert(error);
                    }
                }
            });
        }
    });
    let failure = failure.into_inner().unwrap_or_else(PoisonError::into_inner);
    failure.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn a_failing_command_is_reported_with_its_words() {
        let commands = vec![shell("true"), shell("echo bad code >&2; exit 3"), shell("true")];
        let error = run_all(commands, "m").unwrap_err().to_string();
        assert!(error.contains("`m`") && error.contains("bad code"), "{error}");
    }

    #[test]
    fn a_missing_compiler_is_one_sentence() {
        let error = run(&mut Command::new("no-such-compiler"), "m").unwrap_err().to_string();
        assert!(error.starts_with("`no-such-compiler` is not on the PATH"), "{error}");
        assert!(!error.contains('\n'));
    }
}
