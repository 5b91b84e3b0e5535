//! The runtime that ordinary programs are linked with, and the linking.
//!
//! Its objects are compiled once for each content of `boot`, `drain`, `library` and `include`, and kept
//! as an archive in the target folder.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{env, fs, thread};

use kit::cache::{Cache, Key};
use kit::file::write_atomic;
use tools::{Installed, Tool};

use crate::given::Given;
use crate::messages::checked;
use crate::{Error, absent, flags, sources};

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

/// How a program is compiled unless its flags say otherwise; [`flags`] adds the optimization level. Assertions
/// stay: zig would define `NDEBUG` where it optimizes. 64-bit atomics take a lock on any 32-bit machine, so
/// the warning about that is off. Old-style C that gcc takes with a warning is taken with a warning.
const PROGRAM_FLAGS: [&str; 11] = [
    "-std=gnu11",
    "-g",
    "-UNDEBUG",
    "-Wno-atomic-alignment",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
    "-fdebug-compilation-dir=.",
];

/// Makes `main` what it is on a system: the end of it returns 0. Zig takes the target for one without a system, where
/// it would return whatever a register holds. The rest stays as it was, but for a line in the debug information of some
/// programs, so this is for those that need it.
const HOSTED: [&str; 2] = ["-fhosted", "-fno-builtin"];
/// What the compiler says of a function that does not return a value.
const NO_VALUE: &str = "[-Wreturn-type]";
/// Flags with which it says nothing.
const SILENT: [&str; 2] = ["-w", "-Wno-return-type"];

/// What the library calls the function that it stands in for, if the linker is told to: `__real_sleep`.
const REPLACED: &str = "__real_";
/// How the linker's messages begin.
const LINKER: &str = "ld.lld: ";

/// Folders of the runtime's sources.
const SOURCES: [&str; 3] = ["boot", "drain", "library"];

/// A program to be compiled and linked with the runtime.
#[derive(Clone, Debug, Default)]
pub struct Build {
    /// C and assembly files, and objects or archives to link.
    pub files: Vec<PathBuf>,
    /// Flags for the compiler, as any `cc` takes them; the last optimization level counts.
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
        let cache = Cache::at(tools::target_dir().join("programs"));
        let archive = cache.file(&format!("runtime-{}.a", key()?), |archive| {
            compile_all(&zig, &cache, archive, progress)
        })?;
        Ok(Self { zig, archive })
    }

    /// Compiles and links a program into the file `out`. Gives the compiler's warnings.
    ///
    /// # Errors
    /// If there is nothing to compile, a file is not C or assembly, a file cannot be read or written, or the
    /// compiler reports an error.
    pub fn build(&self, build: &Build, out: &Path) -> Result<String, Error> {
        let Some(first) = build.files.first() else { return Err(Error::NoFiles) };
        build.files.iter().try_for_each(|file| sources::check(file))?;
        if let Some(missing) = build.files.iter().find(|file| !file.is_file()) {
            return Err(Error::NoFile { path: missing.clone() });
        }
        let (given, flags) = Given::take(&build.flags)?;
        let made = tempfile::tempdir().map_err(Error::io(&env::temp_dir()))?;
        let linked = made.path().join("program.elf");
        let mut files = build.files.clone();
        if let Some(assembly) = given.assembly()? {
            let path = made.path().join("given.S");
            fs::write(&path, assembly).map_err(Error::io(&path))?;
            files.push(path);
        }
        let link = |hosted: &[&str], replaced: &[String]| {
            let mut call = self.zig.command();
            // Zig says what it warns of only when it compiles, not when it finds an object that it compiled before.
            call.env("ZIG_LOCAL_CACHE_DIR", made.path().join(format!("objects-{}", hosted.len())));
            call.arg("cc").args(TARGET).args(PROGRAM_FLAGS).args(hosted).arg("-static");
            call.arg("-isystem").arg(folder_of("include"));
            let here = env::current_dir().unwrap_or_default();
            let hidden = files.iter().filter_map(|file| hidden_folder(file, &here));
            call.args(hidden.filter_map(prefix_map)).args(flags::for_zig(&flags));
            call.args(&files).arg(&self.archive).args(replaced);
            call.args(["-Wl,--build-id=none", "-T"]).arg(folder_of("link.ld"));
            call.arg("-o").arg(&linked).output().map_err(Error::io(self.zig.program()))
        };
        let is_silent = flags.iter().any(|flag| SILENT.iter().any(|silent| flag == *silent));
        let mut hosted: &[&str] = if is_silent { &HOSTED } else { &[] };
        let mut output = link(hosted, &[])?;
        if says(&output.stderr, NO_VALUE) && !is_silent {
            hosted = &HOSTED;
            output = link(hosted, &[])?;
        }
        // A program that cancels threads has other waits than one that does not: the linker says which.
        let replaced = replaced(&output.stderr);
        if !output.status.success() && !replaced.is_empty() {
            // What was compiled the first time is not compiled again: its warnings are those of the first time.
            let mut said = compilers(&output.stderr).to_vec();
            output = link(hosted, &replaced)?;
            said.append(&mut output.stderr);
            output.stderr = said;
        }
        let messages = checked(first, &output)?;
        write_atomic(out, &fs::read(&linked).map_err(Error::io(&linked))?)?;
        if out.is_file() {
            let mode = fs::metadata(&linked).map_err(Error::io(&linked))?.permissions();
            fs::set_permissions(out, mode).map_err(Error::io(out))?;
        }
        Ok(messages)
    }
}

fn says(messages: &[u8], what: &str) -> bool {
    String::from_utf8_lossy(messages).contains(what)
}

/// For each function that the library would stand in for, the flag that lets it.
fn replaced(messages: &[u8]) -> Vec<String> {
    let messages = String::from_utf8_lossy(messages);
    let names = absent::undefined(&messages).filter_map(|name| name.strip_prefix(REPLACED));
    names.map(|name| format!("-Wl,--wrap={name}")).collect()
}

/// Of all messages those that came before the linker's.
fn compilers(messages: &[u8]) -> &[u8] {
    let mut linkers = messages.windows(LINKER.len()).enumerate();
    let end = linkers.find(|(_, text)| *text == LINKER.as_bytes()).map(|(at, _)| at);
    &messages[..end.unwrap_or(messages.len())]
}

/// Compiles the sources, several at a time, into an archive.
fn compile_all(
    zig: &Installed,
    cache: &Cache,
    archive: &Path,
    progress: impl Fn(&str) + Sync,
) -> Result<(), Error> {
    let made = cache.workplace()?;
    let sources = runtime_sources()?;
    let objects: Vec<PathBuf> =
        sources.iter().map(|source| object_of(source, made.path())).collect();
    let next = Mutex::new(sources.iter().zip(&objects));
    let work = || -> Result<(), Error> {
        loop {
            let job = next.lock().map_or(None, |mut jobs| jobs.next());
            let Some((source, object)) = job else { return Ok(()) };
            progress(&source.to_string_lossy());
            compile(zig, source, object)?;
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let all: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let joined = all.into_iter().map(|one| one.join().unwrap_or(Ok(())));
        joined.collect::<Result<Vec<()>, Error>>()
    })?;
    let output = zig.command().args(["ar", "rcsD"]).arg(archive).args(&objects).output();
    checked(archive, &output.map_err(Error::io(zig.program()))?).map(drop)
}

fn compile(zig: &Installed, source: &Path, object: &Path) -> Result<(), Error> {
    let mut call = zig.command();
    call.arg("cc").args(TARGET).args(RUNTIME_FLAGS).args(prefix_map(tools::workspace_root()));
    call.arg("-isystem").arg(folder_of("include"));
    call.arg("-I").arg(folder_of("border")).arg("-I").arg(records());
    call.arg("-c").arg(source).arg("-o").arg(object);
    let output = call.output().map_err(Error::io(zig.program()))?;
    checked(source, &output).map(drop)
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

fn runtime_sources() -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    for folder in SOURCES {
        files_below(&folder_of(folder), &["c", "S"], &mut found)?;
    }
    Ok(found)
}

/// Everything that decides what the archive holds. Paths count from this crate: the archive of one
/// content is the same wherever the workspace lies.
fn key() -> Result<String, Error> {
    let mut key = Key::new();
    key.add(tools::pin_id(Tool::Zig));
    TARGET.iter().chain(&RUNTIME_FLAGS).for_each(|flag| key.add(flag));
    let mut files = runtime_sources()?;
    let headers = ["include", "border"].map(folder_of);
    for folder in SOURCES.iter().map(|name| folder_of(name)).chain(headers).chain([records()]) {
        files_below(&folder, &["h"], &mut files)?;
    }
    for path in files {
        let inside = path.strip_prefix(tools::workspace_root()).unwrap_or(&path);
        key.add(inside.as_os_str().as_encoded_bytes());
        key.add(fs::read(&path).map_err(Error::io(&path))?);
    }
    Ok(key.name())
}
