//! The Verilog of the hart and its instruction cache: no warnings from Verilator, without a waiver.
//!
//! What they do is tested beside them, in `hdl-gen/units/tests/hart`.

use hdl::{Module, elaborate};
use tools::Tool;
use units::hart::Hart;
use units::hart::beside::HartUnits;
use units::hart::interrupts::{Interrupt, TABLE};
use units::l1_instruction::L1Instruction;

/// `verilator --lint-only -Wall` has nothing to say.
fn is_clean(module: impl Module) {
    let verilator = tools::locate(Tool::Verilator).unwrap_or_else(|missing| panic!("{missing}"));
    let top = module.name();
    let design = elaborate(module).unwrap_or_else(|findings| panic!("{findings}"));
    let dir = tempfile::tempdir().expect("a temporary folder");
    let mut command = verilator.command();
    command.current_dir(dir.path()).args(["--lint-only", "-Wall", "--top-module", &top]);
    for file in design.verilog(&[]) {
        std::fs::write(dir.path().join(&file.name), &file.text).expect("room for a file");
        command.arg(&file.name);
    }
    let output = command.output().expect("Verilator runs");
    let said = String::from_utf8_lossy(&output.stderr);
    let quiet = !said.contains("%Warning") && !said.contains("%Error");
    assert!(output.status.success() && quiet, "{top}:\n{said}");
}

#[test]
fn the_hart_has_no_warnings() {
    let hart = |reset_vector, predictor_entries, interrupts: &[Interrupt]| Hart {
        reset_vector,
        predictor_entries,
        origin: !interrupts.is_empty(),
        interrupts: interrupts.to_vec(),
        units: HartUnits::none(),
    };
    is_clean(hart(border::map::RAM.base, 32, &[TABLE]));
    is_clean(hart(0x8000_0100, 2, &[]));
}

#[test]
fn instruction_caches_of_all_shapes_have_no_warnings() {
    let shapes =
        [(4096, 2, 32), (32768, 8, 64), (32, 1, 32), (64, 2, 32), (64, 1, 16), (256, 4, 8)];
    for (bytes, ways, line) in shapes {
        is_clean(L1Instruction { bytes, ways, line });
    }
}
