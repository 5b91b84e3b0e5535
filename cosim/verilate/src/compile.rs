//! From Verilog to compiled code: Verilator, the shim, the compiler, the linker.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cache::Cache;
use crate::form::Form;
use crate::shim::Evaluation;
use crate::source::{ModelSource, Speed, is_compiled};
use crate::toolchain::Toolchain;
use crate::{Error, cxx, direct, header, key, runtime, shim};

/// Flags for all C++. Nothing is visible outside a model but its entry, so that models, each
/// with a Verilator runtime of its own, cannot meet in one process.
pub const CXX_FLAGS: &[&str] =
    &["-std=c++17", "-fPIC", "-fvisibility=hidden", "-ffunction-sections", "-pthread", "-w"];

/// Generated C++ up to this size is compiled as one piece; beyond, in pieces of about this
/// size, side by side.
const PIECE: u64 = 400_000;

/// A step that takes time, told to whoever asked with [`Builder::on_progress`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The Verilator runtime or its headers are being compiled; once for all models.
    Runtime,
    /// A model is being built.
    Model,
}

/// Builds models, or finds them built.
#[derive(Clone)]
pub struct Builder {
    cache: Cache,
    toolchain: Toolchain,
    progress: Arc<dyn Fn(Stage) + Send + Sync>,
}

impl Builder {
    /// With the workspace's tools and its cache, `models` in the target folder.
    pub fn for_workspace() -> Self {
        Self::new(tools::target_dir().join("models"), Toolchain::of_workspace())
    }

    /// With these tools, and a cache in this folder, which need not exist.
    pub fn new(cache: impl Into<PathBuf>, toolchain: Toolchain) -> Self {
        Self { cache: Cache::at(cache.into()), toolchain, progress: Arc::new(|_| ()) }
    }

    /// Calls `progress` before each step that takes time; nothing is said about what the cache
    /// already holds.
    pub fn on_progress(mut self, progress: impl Fn(Stage) + Send + Sync + 'static) -> Self {
        self.progress = Arc::new(progress);
        self
    }

    /// What `open` makes of the shared library for this source, given its path and its key. It
    /// is built if the cache has none, and built again if what the cache has is damaged or
    /// cannot be opened. Threads and processes that want the same one share one build.
    pub fn shared<T>(
        &self,
        source: &ModelSource,
        open: impl Fn(&Path, &str) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.compiled(source, Form::Shared, open)
    }

    /// An archive of this source for linking beside other models; the function that
    /// [`crate::archive_entry`] names gives its table. Shared as above, and it wants
    /// [`Self::runtime`] linked after it.
    pub fn archive(&self, source: &ModelSource, name: &str) -> Result<PathBuf, Error> {
        self.compiled(source, Form::Archive(name), |path, _| Ok(path.to_path_buf()))
    }

    /// The archive of the Verilator runtime, the same for all models.
    pub fn runtime(&self) -> Result<PathBuf, Error> {
        runtime::archive(&self.cache, &self.toolchain, &*self.progress)
    }

    fn compiled<T>(
        &self,
        source: &ModelSource,
        form: Form<'_>,
        open: impl Fn(&Path, &str) -> Result<T, Error>,
    ) -> Result<T, Error> {
        source.check()?;
        let key = key::model(source, form, &self.toolchain);
        let found = |entry: &Path| open(&entry.join(form.file()), &key);
        self.cache.entry(&key, found, |folder| self.build(source, form, &key, folder))
    }

    fn build(
        &self,
        source: &ModelSource,
        form: Form<'_>,
        key: &str,
        folder: &Path,
    ) -> Result<(), Error> {
        let work = folder.join("work");
        let generated = work.join("cpp");
        let prefix = form.prefix();
        self.verilate(source, form, &work)?;
        let archive = self.runtime()?;
        let speed = source.options.speed;
        let headers = runtime::headers(speed, &self.cache, &self.toolchain, &*self.progress)?;
        (self.progress)(Stage::Model);

        let ports = read(&generated.join(format!("{prefix}.h")))?;
        let members = header::match_ports(source, &ports)
            .map_err(|what| Error::Source { top: source.top.clone(), what })?;
        let mut files = generated_files(&generated)?;
        let path = generated.join("shim.cpp");
        let calls = calls(&generated, &prefix, &files)?;
        let text = shim::generate(source, form, &members, calls, key);
        fs::write(&path, &text).map_err(Error::io(&path))?;
        files.insert(
            0,
            GeneratedFile { slow: false, name: "shim.cpp".into(), size: text.len() as u64 },
        );

        let objects = self.compile(source, &generated, &prefix, &pieces(files), &headers)?;
        let target = folder.join(form.file());
        match form {
            Form::Shared => self.link(source, form, &work, &objects, &archive, &target)?,
            Form::Archive(_) => cxx::archive(&objects, &target, &source.top)?,
        }
        fs::remove_dir_all(&work).map_err(Error::io(&work))
    }

    /// Writes the Verilog below `work` and translates it into `work/cpp`.
    fn verilate(&self, source: &ModelSource, form: Form<'_>, work: &Path) -> Result<(), Error> {
        // Verilator runs among the files, so that its messages name them as the caller does.
        let rtl = work.join("rtl");
        for (name, text) in &source.files {
            let path = rtl.join(name);
            let parent = path.parent().unwrap_or(&rtl);
            fs::create_dir_all(parent).map_err(Error::io(parent))?;
            fs::write(&path, text).map_err(Error::io(&path))?;
        }
        let mut command = self.toolchain.verilator()?;
        command.current_dir(&rtl).args(verilator_flags(source, form)).args(["-Mdir", "../cpp"]);
        command.args(source.files.iter().map(|(name, _)| name).filter(|name| is_compiled(name)));
        let output = cxx::output(&mut command)?;
        if output.status.success() {
            return Ok(());
        }
        let mut text = complaints(&String::from_utf8_lossy(&output.stderr));
        if text.is_empty() {
            text = output.status.to_string();
        }
        Err(Error::Verilator { top: source.top.clone(), text })
    }

    /// Compiles all generated C++ and the shim.
    fn compile(
        &self,
        source: &ModelSource,
        generated: &Path,
        prefix: &str,
        pieces: &[Vec<String>],
        headers: &Path,
    ) -> Result<Vec<PathBuf>, Error> {
        let include = self.toolchain.include()?;
        let mut objects = Vec::new();
        let mut commands = Vec::new();
        for (index, piece) in pieces.iter().enumerate() {
            let unit = generated.join(format!("{prefix}_piece{index}.cc"));
            let includes = piece.iter().fold(String::new(), |mut text, name| {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "#include \"{name}\"");
                text
            });
            fs::write(&unit, includes).map_err(Error::io(&unit))?;
            let object = unit.with_extension("o");
            let mut command = self.toolchain.cxx();
            command.args(CXX_FLAGS).arg(source.options.speed.flag());
            command.arg("-include").arg(headers.join(runtime::PRELUDE));
            command.arg("-I").arg(headers).arg("-I").arg(&include);
            command.arg("-I").arg(include.join("vltstd"));
            command.arg("-c").arg(&unit).arg("-o").arg(&object);
            commands.push(command);
            objects.push(object);
        }
        cxx::run_all(commands, &source.top)?;
        Ok(objects)
    }

    fn link(
        &self,
        source: &ModelSource,
        form: Form<'_>,
        work: &Path,
        objects: &[PathBuf],
        archive: &Path,
        library: &Path,
    ) -> Result<(), Error> {
        let exports = work.join("exports");
        let script = format!("{{ global: {}; local: *; }};\n", form.entry());
        fs::write(&exports, script).map_err(Error::io(&exports))?;
        let mut command = self.toolchain.cxx();
        command.args(["-shared", "-pthread", "-s", "-Wl,--gc-sections", "-Wl,--no-undefined"]);
        command.arg(format!("-Wl,--version-script={}", exports.display()));
        command.args(objects).arg(archive).arg("-o").arg(library);
        cxx::run(&mut command, &source.top)
    }
}

/// Verilator's arguments for a shared library of this source, but for paths and files. The class is
/// called `Vmodel`. For those who measure a model without what this crate puts around it.
pub fn translation_flags(source: &ModelSource) -> Vec<String> {
    verilator_flags(source, Form::Shared)
}

/// The C++ files that Verilator wrote to a folder, in the groups in which they are compiled together.
///
/// # Errors
/// If the folder cannot be read.
pub fn generated_pieces(folder: &Path) -> Result<Vec<Vec<String>>, Error> {
    Ok(pieces(generated_files(folder)?))
}

/// Verilator's arguments, but for paths and files.
pub(crate) fn verilator_flags(source: &ModelSource, form: Form<'_>) -> Vec<String> {
    let options = &source.options;
    let mut flags: Vec<String> = ["--cc", "--quiet", "--no-timing", "--prefix", &form.prefix()]
        .into_iter()
        // Lint is a check of its own; a model is built from whatever can be simulated.
        .chain(["-Wno-fatal", "-Wno-lint", "-Wno-style"])
        // Contents that nobody gave are zero in every run.
        .chain(["--x-assign", "0", "--x-initial", "0"])
        // A cycle is two units of time, in messages and in waveforms.
        .chain(["--timescale-override", "1ns/1ns"])
        .chain(["--top-module", &source.top])
        .map(str::to_owned)
        .collect();
    let mut flag = |text: &str| flags.push(text.to_owned());
    flag(if options.assertions { "--assert" } else { "--no-assert" });
    if options.speed == Speed::Once {
        // Wide operations stay calls instead of a statement a word: a third of the C++.
        flag("--expand-limit");
        flag("1");
    }
    if options.trace {
        flag("--trace-vcd");
    }
    if options.coverage {
        flag("--coverage-line");
        flag("--coverage-toggle");
    }
    for (name, value) in &options.defines {
        flag(&if value.is_empty() { format!("-D{name}") } else { format!("-D{name}={value}") });
    }
    flags
}

/// A C++ file that Verilator wrote, or the shim.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct GeneratedFile {
    /// Holds what is executed rarely.
    slow: bool,
    name: String,
    size: u64,
}

/// The generated C++ files: the rarely executed ones last, otherwise by name.
fn generated_files(folder: &Path) -> Result<Vec<GeneratedFile>, Error> {
    let mut files = Vec::new();
    for found in fs::read_dir(folder).map_err(Error::io(folder))? {
        let found = found.map_err(Error::io(folder))?;
        let name = found.file_name().to_string_lossy().into_owned();
        if name.ends_with(".cpp") {
            let size = found.metadata().map_err(Error::io(folder))?.len();
            files.push(GeneratedFile { slow: name.contains("Slow"), name, size });
        }
    }
    files.sort();
    Ok(files)
}

/// How the shim should evaluate the design.
fn calls(folder: &Path, prefix: &str, files: &[GeneratedFile]) -> Result<Evaluation, Error> {
    if !direct::is_plain(&read(&folder.join(format!("{prefix}.cpp")))?, prefix) {
        return Ok(Evaluation::Usual);
    }
    for file in files {
        if direct::has_classes(&read(&folder.join(&file.name))?) {
            return Ok(Evaluation::Usual);
        }
    }
    Ok(Evaluation::Direct)
}

/// The files in groups that are compiled together: a single one for a small design.
fn pieces(files: Vec<GeneratedFile>) -> Vec<Vec<String>> {
    let mut pieces: Vec<Vec<String>> = Vec::new();
    let mut filled = 0;
    for file in files {
        match pieces.last_mut() {
            Some(piece) if filled + file.size <= PIECE => piece.push(file.name),
            _ => {
                pieces.push(vec![file.name]);
                filled = 0;
            }
        }
        filled += file.size;
    }
    pieces
}

fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(Error::io(path))
}

/// Verilator's errors without its advice on where to read about them.
fn complaints(stderr: &str) -> String {
    let advice = |line: &str| {
        line.starts_with("%Error: Exiting due to")
            || line.starts_with("- ")
            || line.trim_start().starts_with("... ")
    };
    let mut kept: Vec<_> = stderr.lines().filter(|line| !advice(line)).collect();
    while kept.last().is_some_and(|line| line.trim().is_empty()) {
        kept.pop();
    }
    kept.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_designs_are_one_piece_and_large_ones_several() {
        let file = |name: &str, size| GeneratedFile { slow: false, name: name.into(), size };
        let piece = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        let small = vec![file("a", 1000), file("b", 2000), file("c", PIECE - 3000)];
        assert_eq!(pieces(small), [piece(&["a", "b", "c"])]);
        let large = vec![file("a", 1000), file("b", PIECE), file("c", 1), file("d", PIECE + 1)];
        assert_eq!(pieces(large), [&["a"], &["b"], &["c"], &["d"]].map(|names| piece(names)));
    }

    #[test]
    fn complaints_keep_errors_and_drop_advice() {
        let stderr = "%Error: m.v:2:3: syntax error\n    2 | assign\n      |  ^~\n        \
                      ... See the manual\n%Error: Exiting due to 1 error(s)\n";
        assert_eq!(
            complaints(stderr),
            "%Error: m.v:2:3: syntax error\n    2 | assign\n      |  ^~"
        );
    }
}
