//! The cross-compiler, with a cache in the target folder.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
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
    cache: PathBuf,
}

impl Compiler {
    /// The workspace's compiler, with its cache, `programs` in the target folder.
    ///
    /// # Errors
    /// If the compiler is not installed.
    pub fn for_workspace() -> Result<Self, Error> {
        let cache = tools::target_dir().join("programs");
        Ok(Self { zig: tools::locate(Tool::Zig)?, cache })
    }

    /// The path of the linked program.
    ///
    /// # Errors
    /// If a file cannot be read or written, or the compiler refuses.
    pub fn build(&self, source: &Source) -> Result<PathBuf, Error> {
        let first = source.files.first().map(PathBuf::as_path).unwrap_or(Path::new("program"));
        let stem = first.file_stem().unwrap_or(first.as_os_str()).to_string_lossy();
        let program = self.cache.join(format!("{stem}-{}.elf", key(source)?));
        if program.is_file() {
            return Ok(program);
        }
        fs::create_dir_all(&self.cache).map_err(Error::io(&self.cache))?;
        // Compiled beside and renamed, so that nobody ever sees half of one.
        let made = tempfile::Builder::new()
            .prefix("partial-")
            .tempdir_in(&self.cache)
            .map_err(Error::io(&self.cache))?;
        let partial = made.path().join("program.elf");
        let mut call = self.zig.command();
        call.arg("cc").args(FLAGS).arg(prefix_map());
        for folder in &source.includes {
            call.arg("-I").arg(folder);
        }
        call.arg("-T").arg(&source.script).args(&source.files).arg("-o").arg(&partial);
        let output = call.output().map_err(Error::io(self.zig.program()))?;
        if !output.status.success() {
            let messages = messages::of(&output.stderr);
            return Err(Error::Refused { program: first.to_owned(), messages });
        }
        fs::rename(&partial, &program).map_err(Error::io(&program))?;
        Ok(program)
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
    let mut hash = Sha256::new();
    let mut add = |bytes: &[u8]| {
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    add(tools::pin_id(Tool::Zig).as_bytes());
    FLAGS.iter().for_each(|flag| add(flag.as_bytes()));
    add(prefix_map().as_encoded_bytes());
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
        add(path.as_os_str().as_encoded_bytes());
        add(&fs::read(path).map_err(Error::io(path))?);
    }
    Ok(hash.finalize().iter().take(12).map(|byte| format!("{byte:02x}")).collect())
}
