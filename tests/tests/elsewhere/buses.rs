//! The machine on Wishbone and AXI4, as other people's tools read it: no warnings, no waivers.

use config::Config;
use crosstalk_tests::simulators::Yosys;
use tools::Tool;

use crate::{Files, folder_of, icarus};

/// The machines, each with what surrounds it.
fn machines() -> impl Iterator<Item = (&'static str, Files)> {
    let keys =
        [("soc_wishbone", "bridge.wishbone_bits = 32"), ("soc_axi4", "bridge.axi4_bits = 64")];
    keys.into_iter().map(|(top, key)| {
        let config: Config = format!("harts = 2\n{key}").parse().unwrap();
        let files = units::generate(&config, Some(top)).unwrap();
        (top, files.into_iter().map(|file| (file.name, file.text)).collect())
    })
}

fn names(files: &Files) -> Vec<&str> {
    files.iter().map(|(name, _)| name.as_str()).collect()
}

#[test]
fn verilator_has_no_warnings() {
    let verilator = tools::locate(Tool::Verilator).unwrap();
    for (top, files) in machines() {
        let folder = folder_of(&files);
        let mut lint = verilator.command();
        lint.current_dir(folder.path()).args(["--lint-only", "-Wall", "--top-module", top]);
        let output = lint.args(names(&files)).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !said.contains("%Warning"), "{top}: {said}");
    }
}

#[test]
fn icarus_has_no_warnings() {
    let Some(icarus) = icarus() else { return };
    for (top, files) in machines() {
        let folder = folder_of(&files);
        icarus.compile(folder.path(), &names(&files), true).unwrap_or_else(|said| {
            panic!("{top}: {said}");
        });
    }
}

#[test]
fn yosys_accepts_them() {
    for (top, files) in machines() {
        let folder = folder_of(&files);
        let read = format!("read_verilog {}", names(&files).join(" "));
        let script = format!("{read}; hierarchy -check -top {top}; proc; opt_clean; check -assert");
        let accepted = Yosys::new().and_then(|yosys| yosys.script(folder.path(), &script));
        accepted.unwrap_or_else(|said| panic!("{top}: {said}"));
    }
}
