//! From the files on a command line to a program on the machine: compiled if need be, and told what it is
//! run with.

use super::cc;
use super::failure::Failure;
use config::Config;
use cosim::machine::Program;
use firmware::{Build, Records, Settings};
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// What a program is run with.
pub struct Setup<'a> {
    /// The machine.
    pub config: &'a Config,
    /// The program's arguments, without its name.
    pub arguments: &'a [OsString],
    /// What it sends of records.
    pub records: Records,
}

/// The program of these files: one that is linked already, or sources.
pub fn prepare(files: &[PathBuf], setup: &Setup, own: u8) -> Result<Program, Failure> {
    let failure = |what: String| Failure::Own(what, own);
    let linked = match files {
        [program] if !is_source(program) => program.clone(),
        _ => {
            let folder = tempfile::tempdir().map_err(|error| failure(error.to_string()))?;
            let first = files.first().and_then(|file| file.file_stem()).unwrap_or_default();
            let out = folder.path().join(first).with_extension("elf");
            let build = Build { files: files.to_vec(), flags: Vec::new() };
            cc::compile(&build, &out).map_err(|error| failure(error.to_string()))?;
            return read(&out, setup).map_err(failure);
        }
    };
    read(&linked, setup).map_err(failure)
}

fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|end| ["c", "S", "s"].iter().any(|source| end == *source))
}

/// Reads a linked program; one with our runtime gets its settings.
fn read(path: &Path, setup: &Setup) -> Result<Program, String> {
    let ram_bytes = setup.config.simulation.ram_bytes;
    let program = Program::read(path, ram_bytes).map_err(|error| error.to_string())?;
    let Ok(mut settings) = Settings::of(&program.file) else {
        return match setup.arguments {
            [] => Ok(program),
            _ => Err(format!(
                "`{}` was not linked by `crosstalk cc`: it takes no arguments",
                path.display()
            )),
        };
    };
    let name = path.file_stem().unwrap_or_default().to_owned();
    settings.arguments = vec![name.into_vec()];
    settings.arguments.extend(setup.arguments.iter().map(|argument| argument.clone().into_vec()));
    settings.records = setup.records;
    settings.seed = setup.config.simulation.seed;
    settings.events = setup.config.context.events as u8;
    settings.pc_bits = setup.config.pc_bits as u8;
    settings.time_bits = setup.config.timestamp_bits as u8;
    settings.config_hash = Sha256::digest(setup.config.canonical()).into();
    settings.elf_hash = Sha256::digest(&program.file).into();
    let mut file = program.file;
    settings.write(&mut file).map_err(|error| error.to_string())?;
    Program::parse(path, file, ram_bytes).map_err(|what| format!("`{}` {what}", path.display()))
}
