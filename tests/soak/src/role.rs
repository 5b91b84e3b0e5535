//! The processes that a soak starts: the `crosstalk` tool, the program that measures areas, and one that
//! builds a small model. All but the second are this very program in another role, so that what is tried is
//! what was compiled with it, overflow checks included.

use crate::child;
use crate::kills::model;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Says which role a process has.
const VARIABLE: &str = "CROSSTALK_SOAK_ROLE";
const CROSSTALK: &str = "crosstalk";
const MODEL: &str = "model";

/// Plays the role that the environment asks for, if it asks for one.
pub fn play() -> Option<ExitCode> {
    let role = env::var(VARIABLE).ok()?;
    child::end_with_parent();
    match &*role {
        CROSSTALK => {
            child::limit_memory();
            Some(crosstalk::cli::main())
        }
        MODEL => Some(model::main()),
        _ => None,
    }
}

/// A call of `crosstalk` in a folder, which is also where it puts temporary files.
pub fn crosstalk(me: &Path, folder: &Path) -> Command {
    let mut command = in_role(me, CROSSTALK, folder);
    // However many cores there are, threads alone do not use up the memory.
    command.env("RAYON_NUM_THREADS", "2").env("MALLOC_ARENA_MAX", "2");
    command
}

/// A call of the builder of a small model.
pub fn model(me: &Path, folder: &Path) -> Command {
    in_role(me, MODEL, folder)
}

/// A call of the program that measures areas, which cargo has put beside this one.
pub fn area(me: &Path, folder: &Path) -> Command {
    prepared(Command::new(area_program(me)), folder)
}

/// Where the program that measures areas is.
pub fn area_program(me: &Path) -> PathBuf {
    me.with_file_name("crosstalk-area")
}

fn in_role(me: &Path, role: &str, folder: &Path) -> Command {
    let mut command = prepared(Command::new(me), folder);
    command.env(VARIABLE, role);
    command
}

fn prepared(mut command: Command, folder: &Path) -> Command {
    command.current_dir(folder).env("TMPDIR", folder).env("RUST_BACKTRACE", "0");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}
