//! From the files on a command line to a program on the machine: compiled if necessary, with its settings filled in.

pub use crate::program::Launch;

use super::cc;
use super::failure::Failure;
use border::{Program, Settings};
use firmware::flags::{COLOR_MALLOC, FILE, SIGNAL};
use firmware::{Build, sources};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// How sources are compiled.
#[derive(clap::Args)]
pub struct CompileArgs {
    /// Flags for the compiler, separated by spaces; the default is -O2 -g
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    cflags: Vec<String>,
    /// A file that the program can open, as PATH or NAME=PATH; /dev/stdin=PATH is its standard input
    #[arg(long, value_name = "NAME[=PATH]")]
    file: Vec<OsString>,
    /// A signal that the program gets after so many microseconds of its own time, as in INT@2000
    #[arg(long, value_name = "SIGNAL@TIME")]
    signal: Vec<OsString>,
    /// Give each block of the heap a color of its own
    #[arg(long)]
    color_malloc: bool,
}

impl CompileArgs {
    /// The flags, one by one.
    pub fn flags(&self) -> Vec<OsString> {
        let flags =
            self.cflags.iter().flat_map(|flags| flags.split_whitespace()).map(OsString::from);
        let files = self.file.iter().flat_map(|file| [FILE.into(), file.clone()]);
        let signals = self.signal.iter().flat_map(|signal| [SIGNAL.into(), signal.clone()]);
        let colors = self.color_malloc.then(|| COLOR_MALLOC.into());
        flags.chain(files).chain(signals).chain(colors).collect()
    }
}

/// Refuses what only a compiler can give to a program, for one that is linked already.
///
/// # Errors
/// A sentence with the name of the option.
pub fn check_linked(flags: &[OsString]) -> Result<(), String> {
    let options = [FILE, SIGNAL, COLOR_MALLOC];
    let Some(option) = options.into_iter().find(|one| flags.iter().any(|flag| flag == one)) else {
        return Ok(());
    };
    Err(format!(
        "{option} becomes part of a program when it is compiled: give it to `crosstalk cc`, or give the sources"
    ))
}

/// Whether these files are one linked program rather than sources to compile.
///
/// # Errors
/// If a file is in a language that is not supported.
pub fn is_linked(files: &[PathBuf]) -> Result<bool, firmware::Error> {
    match files {
        [program] if !sources::is_source(program) => {
            sources::check_language(program)?;
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// The program of these files, compiled with `flags` unless it is linked already. Its settings are filled in,
/// and then changed by `change`. Errors have the exit code `own`.
pub fn prepare(
    files: &[PathBuf],
    flags: Vec<OsString>,
    launch: &Launch,
    own: u8,
    change: impl FnOnce(&mut Settings),
) -> Result<Program, Failure> {
    let failure = |what: String| Failure::Own(what, own);
    if is_linked(files).map_err(|error| failure(error.to_string()))? {
        check_linked(&flags).map_err(failure)?;
        return read(&files[0], launch, change).map_err(failure);
    }
    let folder = tempfile::tempdir().map_err(|error| failure(error.to_string()))?;
    let first = files.first().and_then(|file| file.file_stem()).unwrap_or_default();
    let out = folder.path().join(first).with_extension("elf");
    let build = Build { files: files.to_vec(), flags };
    cc::compile(&build, &out).map_err(|error| failure(error.to_string()))?;
    read(&out, launch, change).map_err(failure)
}

fn read(
    path: &Path,
    launch: &Launch,
    change: impl FnOnce(&mut Settings),
) -> Result<Program, String> {
    let ram_bytes = launch.config.simulation.ram_bytes;
    let program = Program::read(path, ram_bytes).map_err(|error| error.to_string())?;
    launch.applied_to(program, change)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_language_is_not_taken_for_a_linked_program() {
        assert!(is_linked(&["program".into()]).unwrap());
        assert!(is_linked(&["program.elf".into()]).unwrap());
        assert!(!is_linked(&["a.c".into()]).unwrap());
        assert!(!is_linked(&["a.c".into(), "b.c".into()]).unwrap());
        let said = is_linked(&["x.cpp".into()]).unwrap_err().to_string();
        assert!(said.starts_with("`x.cpp` is C++, which is not supported;"), "{said}");
    }

    #[test]
    fn files_and_signals_go_to_the_compiler_and_not_to_a_linked_program() {
        let args = CompileArgs {
            cflags: vec!["-O3 -DN=8".into()],
            file: vec!["a.txt".into(), "/dev/stdin=my input".into()],
            signal: vec!["INT@2000".into()],
            color_malloc: true,
        };
        let flags = args.flags();
        let expected = [
            "-O3",
            "-DN=8",
            "--file",
            "a.txt",
            "--file",
            "/dev/stdin=my input",
            "--signal",
            "INT@2000",
            "--color-malloc",
        ];
        assert_eq!(flags, expected);
        assert_eq!(check_linked(&flags[..2]), Ok(()));
        let said = check_linked(&flags).unwrap_err();
        assert!(said.starts_with("--file becomes part of a program when it is compiled"), "{said}");
    }
}
