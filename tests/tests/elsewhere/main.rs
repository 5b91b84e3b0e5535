//! The generated Verilog in other people's hands: other simulators, other cores, other build tools.

mod buses;
mod example;
mod machine;
mod package;

use std::fs;

use crosstalk_tests::simulators::Icarus;

/// File names and texts.
type Files = Vec<(String, String)>;

/// Icarus, where it is installed; else it is said that the test does nothing.
fn icarus() -> Option<Icarus> {
    let found = Icarus::new();
    if found.is_none() {
        eprintln!("skipped: Icarus is not on the PATH (Debian package `iverilog`)");
    }
    found
}

/// A folder with these files.
fn folder_of(files: &Files) -> tempfile::TempDir {
    // Yosys sees the folders below the current one, not the system's temporary folder.
    let folder = tempfile::tempdir_in(tools::target_dir()).unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}
