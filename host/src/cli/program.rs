//! From the files on a command line to a program on the machine: compiled if need be, and told what it is
//! run with.

pub use crate::program::Setup;

use super::cc;
use super::failure::Failure;
use border::{Program, Settings};
use firmware::Build;
use std::path::{Path, PathBuf};

/// The program of these files: one that is linked already, or sources. Its settings are filled in, then
/// changed once more.
pub fn prepare(
    files: &[PathBuf],
    setup: &Setup,
    own: u8,
    change: impl FnOnce(&mut Settings),
) -> Result<Program, Failure> {
    let failure = |what: String| Failure::Own(what, own);
    let linked = match files {
        [program] if !is_source(program) => program.clone(),
        _ => {
            let folder = tempfile::tempdir().map_err(|error| failure(error.to_string()))?;
            let first = files.first().and_then(|file| file.file_stem()).unwrap_or_default();
            let out = folder.path().join(first).with_extension("elf");
            let build = Build { files: files.to_vec(), flags: Vec::new() };
            cc::compile(&build, &out).map_err(|error| failure(error.to_string()))?;
            return read(&out, setup, change).map_err(failure);
        }
    };
    read(&linked, setup, change).map_err(failure)
}

/// Whether a file is to be compiled.
pub fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|end| ["c", "S", "s"].iter().any(|source| end == *source))
}

fn read(path: &Path, setup: &Setup, change: impl FnOnce(&mut Settings)) -> Result<Program, String> {
    let ram_bytes = setup.config.simulation.ram_bytes;
    let program = Program::read(path, ram_bytes).map_err(|error| error.to_string())?;
    setup.applied_to(program, change)
}
