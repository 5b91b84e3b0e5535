//! The cross-compiler, with a cache in the target folder.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use kit::cache::{Cache, Key};
use tools::{Installed, Tool};

use crate::{Error, messages};

/// What every call says: the harts' instruction set, nothing of a system, debug information with paths
/// that are the same on every machine.
const FLAGS: [&str; 9] = [
    "-target",
    "riscv32-freestanding-none",
    "-mcpu=generic_rv32+m+a+zicsr+zifencei",
    "-fno-sanitize=all",
    "-nostdlib",
    "-static",
    "-g",
    "-O2",
    "-Wl,--build-id=none",
];

/// One program to be compiled and linked.
#[derive(Clone, Debug)]
pub struct Source {
    /// C and assembly files.
    pub files: Vec<PathBuf>,
    /// Folders in which included files are looked for. All that lies in them counts for the cache.
    pub includes: Vec<PathBuf>,
    /// The linker script.
    pub script: PathBuf,
}

/// Compiles programs, or finds them compiled.
#[derive(Clone, Debug)]
pub struct Compiler {
    zig: Installed,
    cache: Cache,
}

impl Compiler {
    /// The workspace's compiler, with its cache, `programs` in the target folder.
    ///
    /// # Errors
    /// If the compiler is not installed.
    pub fn for_workspace() -> Result<Self, Error> {
        let cache = Cache::at(tools::target_dir().join("programs"));
        Ok(Self { zig: tools::locate(Tool::Zig)?, cache })
    }

    /// The path of the linked program.
    ///
    /// # Errors
    /// If a file cannot be read or written, or the compiler refuses.
    pub fn build(&self, source: &Source) -> Result<PathBuf, Error> {
        let first = source.files.first().map(PathBuf::as_path).unwrap_or(Path::new("program"));
        let stem = first.file_stem().unwrap_or(first.as_os_str()).to_string_lossy();
        self.cache.file(&format!("{stem}-{}.elf", key(source)?), |program| {
            let mut call = self.zig.command();
            call.arg("cc").args(FLAGS).arg(prefix_map());
            for folder in &source.includes {
                call.arg("-I").arg(folder);
            }
            call.arg("-T").arg(&source.script).args(&source.files).arg("-o").arg(program);
            let output = call.output().map_err(Error::io(self.zig.program()))?;
            messages::checked(first, &output).map(drop)
        })
    }
}

/// Source paths in debug information count from the workspace.
fn prefix_map() -> OsString {
    let mut flag = OsString::from("-ffile-prefix-map=");
    flag.push(tools::workspace_root());
    flag.push("=.");
    flag
}

/// Everything that decides what comes out.
fn key(source: &Source) -> Result<String, Error> {
    let mut key = Key::new();
    key.add(tools::pin_id(Tool::Zig));
    FLAGS.iter().for_each(|flag| key.add(flag));
    key.add(prefix_map().as_encoded_bytes());
    let mut files = source.files.clone();
    files.push(source.script.clone());
    for folder in &source.includes {
        let entries = fs::read_dir(folder).map_err(Error::io(folder))?;
        let mut found = entries
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<Vec<_>, _>>()
            .map_err(Error::io(folder))?;
        found.retain(|path| path.extension().is_some_and(|end| end == "h"));
        found.sort();
        files.extend(found);
    }
    for path in &files {
        key.add(path.as_os_str().as_encoded_bytes());
        key.add(fs::read(path).map_err(Error::io(path))?);
    }
    Ok(key.name())
}
