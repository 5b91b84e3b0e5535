//! Whole machines under Icarus, by way of the script that users call.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use border::Program;
use config::{Config, Preset};
use firmware::{Compiler, image, suites};
use tools::workspace_root;

use crate::icarus;

/// Writes the machine's Verilog, after `change`, and runs the script on it.
fn run(config: &Config, change: impl Fn(&str, String) -> String) -> Output {
    let folder = tempfile::tempdir().unwrap();
    for file in units::generate(config, Some("soc")).unwrap() {
        let text = change(&file.name, file.text);
        fs::write(folder.path().join(file.name), text).unwrap();
    }
    script(folder.path())
}

fn script(folder: &Path) -> Output {
    let script = workspace_root().join("fpga/icarus/run.sh");
    Command::new("sh").arg(script).arg(folder).output().unwrap()
}

fn printed(output: &Output) -> String {
    let text = [output.stdout.as_slice(), &output.stderr].concat();
    String::from_utf8(text).unwrap()
}

#[test]
fn every_preset_runs_a_program_under_icarus() {
    if icarus().is_none() {
        return;
    }
    for (preset, edges) in [(Preset::Sim4, 32), (Preset::Paper, 32), (Preset::Baseline, 0)] {
        let output = run(&preset.config(), |_, text| text);
        let printed = printed(&output);
        assert_eq!(output.status.code(), Some(0), "{preset:?}: {printed}");
        let verdict = printed.lines().last().unwrap_or_default();
        assert!(printed.starts_with("8 rounds\nPASS"), "{preset:?}: {printed}");
        assert!(verdict.ends_with(&format!("{edges} edges")), "{preset:?}: {verdict}");
    }
}

#[test]
fn a_monitor_that_forgets_stores_does_not_pass_under_icarus() {
    if icarus().is_none() {
        return;
    }
    let right = "assign tap_valid = access_valid && makes_edge;";
    let wrong = "assign tap_valid = access_valid && makes_edge && is_read;";
    let output = run(&Config::default(), |name, text| {
        let monitor = name.starts_with("comm_monitor");
        assert!(!monitor || text.contains(right), "the monitor reads differently now");
        if monitor { text.replace(right, wrong) } else { text }
    });
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    assert!(printed(&output).contains("FAIL in cycle"), "{}", printed(&output));
}

#[test]
fn a_folder_without_a_machine_is_refused() {
    if icarus().is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let output = script(folder.path());
    assert_eq!(output.status.code(), Some(2), "{}", printed(&output));
    assert!(printed(&output).contains("has no soc.v"), "{}", printed(&output));
}

#[test]
fn the_checked_in_image_is_what_the_compiler_makes_of_the_program() {
    let suite = suites::named("multi", "handover").unwrap();
    let elf = suite.program(&Compiler::for_workspace().unwrap()).unwrap();
    let folder = workspace_root().join("fpga/icarus");
    let program = Program::read(&elf, Config::default().simulation.ram_bytes).unwrap();
    let image = image::hex(&program).unwrap();
    assert!(
        fs::read_to_string(folder.join("program.hex")).unwrap() == image,
        "fpga/icarus/program.hex is not current; write it with `cargo run -p crosstalk-firmware \
         --example program_hex multi handover > fpga/icarus/program.hex`"
    );
    let tohost = program.tohost().unwrap().address;
    let line = format!("TOHOST = 32'h{:04x}_{:04x};", tohost >> 16, tohost & 0xffff);
    assert!(fs::read_to_string(folder.join("bench.v")).unwrap().contains(&line), "{line}");
}
