//! The runtime that ordinary programs are linked with, and the linking.
//!
//! Its objects are compiled once for each content of `boot`, `drain`, `library` and `include`, and kept
//! as an archive in the target folder.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Mutex;
use std::{env, fs, thread};

use sha2::{Digest, Sha256};
use tools::{Installed, Tool};

use crate::{Error, messages};

/// The instruction set, and nothing of a system.
const TARGET: [&str; 5] = [
    "-target",
    "riscv32-freestanding-none",
    "-mcpu=generic_rv32+m+a+zicsr+zifencei",
    "-fno-sanitize=all",
    "-fno-unwind-tables",
];

/// How the runtime itself is compiled.
const RUNTIME_FLAGS: [&str; 7] = [
    "-std=gnu11",
    "-ffreestanding",
    "-fomit-frame-pointer",
    "-O2",
    "-g",
    "-Wall",
    "-fdebug-compilation-dir=.",
];

/// How a program is compiled unless its flags say otherwise. Assertions stay: zig would drop them where
/// it optimizes. That 64-bit atomics take a lock is no news on a 32-bit machine.
const PROGRAM_FLAGS: [&str; 6] =
    ["-std=gnu11", "-O1", "-g", "-UNDEBUG", "-Wno-atomic-alignment", "-fdebug-compilation-dir=."];

/// What other systems want to be told about threads and mathematics: here they are always there.
const IGNORED_FLAGS: [&str; 4] = ["-pthread", "-lpthread", "-lm", "-lrt"];

/// Folders of the runtime's sources.
const SOURCES: [&str; 3] = ["boot", "drain", "library"];

/// A program to be compiled and linked with the runtime.
#[derive(Clone, Debug, Default)]
pub struct Build {
    /// C and assembly files.
    pub files: Vec<PathBuf>,
    /// Flags for the compiler, as `cc` takes them.
    pub flags: Vec<OsString>,
}

/// Links ordinary programs.
#[derive(Clone, Debug)]
pub struct Runtime {
    zig: Installed,
    archive: PathBuf,
}

impl Runtime {
    /// The workspace's runtime, compiled if need be; `progress` is told each file's name before that.
    ///
    /// # Errors
    /// If the compiler is not installed, or a source does not compile.
    pub fn for_workspace(progress: impl Fn(&str) + Sync) -> Result<Self, Error> {
        let zig = tools::locate(Tool::Zig)?;
        let cache = tools::target_dir().join("programs");
        let archive = cache.join(format!("runtime-{}.a", key()?));
        let runtime = Self { zig, archive };
        if !runtime.archive.is_file() {
            fs::create_dir_all(&cache).map_err(Error::io(&cache))?;
            runtime.compile_all(&cache, progress)?;
        }
        Ok(runtime)
    }

    /// Compiles and links a program into the file `out`. Gives the compiler's warnings.
    ///
    /// # Errors
    /// If there is nothing to compile, a file cannot be read or written, or the compiler refuses.
    pub fn build(&self, build: &Build, out: &Path) -> Result<String, Error> {
        let Some(first) = build.files.first() else { return Err(Error::NoFiles) };
        if let Some(missing) = build.files.iter().find(|file| !file.is_file()) {
            return Err(Error::NoFile { path: missing.clone() });
        }
        let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        // Linked beside and renamed, so that nobody ever sees half of one.
        let made = tempfile::Builder::new().prefix(".crosstalk-partial-").tempdir_in(folder);
        let made = made.map_err(Error::io(folder))?;
        let partial = made.path().join("program.elf");
        let mut call = self.zig.command();
        call.arg("cc").args(TARGET).args(PROGRAM_FLAGS).arg("-static");
        call.arg("-isystem").arg(folder_of("include"));
        let here = env::current_dir().unwrap_or_default();
        call.args(
            build.files.iter().filter_map(|file| hidden_folder(file, &here)).filter_map(prefix_map),
        );
        call.args(build.flags.iter().filter(|flag| !is_ignored(flag)));
        call.args(&build.files).arg(&self.archive);
        call.args(["-Wl,--build-id=none", "-T"]).arg(folder_of("link.ld"));
        let output = call.arg("-o").arg(&partial).output();
        let output = output.map_err(Error::io(self.zig.program()))?;
        let messages = checked(first, &output)?;
        fs::rename(&partial, out).map_err(Error::io(out))?;
        Ok(messages)
    }

    /// Compiles the sources, several at a time, and puts the archive in its place.
    fn compile_all(&self, cache: &Path, progress: impl Fn(&str) + Sync) -> Result<(), Error> {
        let made = tempfile::Builder::new().prefix("partial-").tempdir_in(cache);
        let made = made.map_err(Error::io(cache))?;
        let sources = sources()?;
        let objects: Vec<PathBuf> =
            sources.iter().map(|source| object_of(source, made.path())).collect();
        let next = Mutex::new(sources.iter().zip(&objects));
        let work = || -> Result<(), Error> {
            loop {
                let job = next.lock().map_or(None, |mut jobs| jobs.next());
                let Some((source, object)) = job else { return Ok(()) };
                progress(&source.to_string_lossy());
                self.compile(source, object)?;
            }
        };
        let workers = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            let all: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            let joined = all.into_iter().map(|one| one.join().unwrap_or(Ok(())));
            joined.collect::<Result<Vec<()>, Error>>()
        })?;
        let partial = made.path().join("runtime.a");
        let mut call = self.zig.command();
        let output = call.args(["ar", "rcsD"]).arg(&partial).args(&objects).output();
        let output = output.map_err(Error::io(self.zig.program()))?;
        checked(&self.archive, &output)?;
        fs::rename(&partial, &self.archive).map_err(Error::io(&self.archive))
    }

    fn compile(&self, source: &Path, object: &Path) -> Result<(), Error> {
        let mut call = self.zig.command();
        call.arg("cc").args(TARGET).args(RUNTIME_FLAGS).args(prefix_map(tools::workspace_root()));
        call.arg("-isystem").arg(folder_of("include"));
        call.arg("-I").arg(folder_of("border")).arg("-I").arg(records());
        call.arg("-c").arg(source).arg("-o").arg(object);
        let output = call.output().map_err(Error::io(self.zig.program()))?;
        checked(source, &output)?;
        Ok(())
    }
}

/// What the compiler said, or that it refused.
fn checked(program: &Path, output: &Output) -> Result<String, Error> {
    let messages = messages::of(&output.stderr);
    if output.status.success() {
        return Ok(messages);
    }
    Err(Error::Refused { program: program.to_owned(), messages })
}

fn is_ignored(flag: &OsStr) -> bool {
    IGNORED_FLAGS.iter().any(|ignored| flag == *ignored)
}

/// Where this crate's sources are.
fn folder_of(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The writer of the record stream, which the firmware shares with the host.
fn records() -> PathBuf {
    tools::workspace_root().join("host/record/c")
}

/// Which part of a source's path is nobody's business: of an absolute one the current folder, or else the
/// source's own. A relative path stays as it was given.
fn hidden_folder<'a>(file: &'a Path, here: &'a Path) -> Option<&'a Path> {
    match file.is_absolute() {
        true if file.starts_with(here) => Some(here),
        true => file.parent(),
        false => None,
    }
}

/// No path of this machine gets into a program: what lies in `folder` counts from it.
fn prefix_map(folder: &Path) -> Option<OsString> {
    if folder.as_os_str().is_empty() {
        return None;
    }
    let mut flag = OsString::from("-ffile-prefix-map=");
    flag.push(folder);
    flag.push("=.");
    Some(flag)
}

/// The object file of a source: its path inside this crate, in one name.
fn object_of(source: &Path, folder: &Path) -> PathBuf {
    let inside = source.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(source);
    let name = inside.to_string_lossy().replace(['/', '\\'], "_");
    folder.join(name + ".o")
}

/// Every file below a folder whose name ends in one of `ends`, in a fixed order.
fn files_below(folder: &Path, ends: &[&str], found: &mut Vec<PathBuf>) -> Result<(), Error> {
    let entries = fs::read_dir(folder).map_err(Error::io(folder))?;
    let mut paths = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(Error::io(folder))?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files_below(&path, ends, found)?;
        } else if path.extension().is_some_and(|end| ends.iter().any(|wanted| end == *wanted)) {
            found.push(path);
        }
    }
    Ok(())
}

fn sources() -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    for folder in SOURCES {
        files_below(&folder_of(folder), &["c", "S"], &mut found)?;
    }
    Ok(found)
}

/// Everything that decides what the archive holds. Paths count from this crate: the archive of one
/// content is the same wherever the workspace lies.
fn key() -> Result<String, Error> {
    let mut hash = Sha256::new();
    let mut add = |bytes: &[u8]| {
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    add(tools::pin_id(Tool::Zig).as_bytes());
    TARGET.iter().chain(&RUNTIME_FLAGS).for_each(|flag| add(flag.as_bytes()));
    let mut files = sources()?;
    let headers = ["include", "border"].map(folder_of);
    for folder in SOURCES.iter().map(|name| folder_of(name)).chain(headers).chain([records()]) {
        files_below(&folder, &["h"], &mut files)?;
    }
    for path in files {
        let inside = path.strip_prefix(tools::workspace_root()).unwrap_or(&path);
        add(inside.as_os_str().as_encoded_bytes());
        add(&fs::read(&path).map_err(Error::io(&path))?);
    }
    Ok(hash.finalize().iter().take(12).map(|byte| format!("{byte:02x}")).collect())
}
