//! The Verilator runtime and its headers, compiled once and used by every model.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cache::Cache;
use crate::compile::{CXX_FLAGS, Stage};
use crate::shim::{HEADERS, RUNTIME};
use crate::source::Speed;
use crate::toolchain::Toolchain;
use crate::{Error, cxx, key};

/// The runtime's files that a model may need; the linker takes what it does need.
const SOURCES: [&str; 5] = [
    "verilated.cpp",
    "verilated_vcd_c.cpp",
    "verilated_cov.cpp",
    "verilated_threads.cpp",
    "verilated_probdist.cpp",
];

/// The header that everything includes first, and that is worth compiling in advance.
pub(crate) const PRELUDE: &str = "runtime.h";

/// The archive's file name.
const ARCHIVE: &str = "libcrosstalk_runtime.a";

/// What errors call the thing being built.
const NAME: &str = "Verilator runtime";

/// The static archive of the runtime.
pub(crate) fn archive(
    cache: &Cache,
    toolchain: &Toolchain,
    progress: &dyn Fn(Stage),
) -> Result<PathBuf, Error> {
    let found = |entry: &Path| Ok(entry.join(ARCHIVE));
    cache.entry(&format!("runtime-{}", key::runtime(toolchain)), found, |folder| {
        progress(Stage::Runtime);
        build_archive(folder, toolchain)
    })
}

fn build_archive(folder: &Path, toolchain: &Toolchain) -> Result<(), Error> {
    let include = toolchain.include()?;
    let work = folder.join("work");
    write(&RUNTIME, &work)?;
    let sources = SOURCES.iter().map(|name| include.join(name)).chain([work.join("runtime.cpp")]);
    let mut objects = Vec::new();
    let mut commands = Vec::new();
    for source in sources {
        let object = work.join(source.file_stem().unwrap_or_default()).with_extension("o");
        let mut command = toolchain.cxx();
        command.args(CXX_FLAGS).arg("-O2").arg("-I").arg(&include);
        command.arg("-I").arg(include.join("vltstd"));
        command.arg("-include").arg(work.join(PRELUDE));
        command.arg("-c").arg(&source).arg("-o").arg(&object);
        commands.push(command);
        objects.push(object);
    }
    cxx::run_all(commands, NAME)?;
    cxx::archive(&objects, &folder.join(ARCHIVE), NAME)?;
    fs::remove_dir_all(&work).map_err(Error::io(&work))
}

/// A folder with the fixed headers, and the prelude compiled for models of this speed.
pub(crate) fn headers(
    speed: Speed,
    cache: &Cache,
    toolchain: &Toolchain,
    progress: &dyn Fn(Stage),
) -> Result<PathBuf, Error> {
    let found = |entry: &Path| Ok(entry.to_path_buf());
    cache.entry(&format!("headers-{}", key::headers(speed, toolchain)), found, |folder| {
        progress(Stage::Runtime);
        write(&HEADERS, folder)?;
        let include = toolchain.include()?;
        let prelude = folder.join(PRELUDE);
        let mut command = toolchain.cxx();
        command.args(CXX_FLAGS).arg(speed.flag()).arg("-I").arg(&include);
        command.args(["-x", "c++-header"]).arg(&prelude);
        command.arg("-o").arg(folder.join(format!("{PRELUDE}.gch")));
        cxx::run(&mut command, NAME)
    })
}

fn write(files: &[(&str, &str)], folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(Error::io(folder))?;
    for (name, text) in files {
        let path = folder.join(name);
        fs::write(&path, text).map_err(Error::io(&path))?;
    }
    Ok(())
}
