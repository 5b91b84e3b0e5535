//! The whole way: the tool loads a program over the pins of the simulated board, and the run it receives is the
//! one that the design's tap showed.

use crate::board::{SimulatedBoard, Terminal};
use record::{Collected, End, Run};
use std::fs::File;
use std::path::Path;
use std::process::Command;

#[test]
fn a_run_over_the_serial_pins_is_what_the_tap_shows() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("exchange.run");
    let terminal = Terminal::open();
    let board = SimulatedBoard::on(&terminal);
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cable/programs/exchange.c");
    // A simulated board takes its time.
    let done = Command::new(env!("CARGO_BIN_EXE_crosstalk"))
        .args(["record", "--answer", "120", "--silence", "300"])
        .args(["--serial".as_ref(), terminal.path.as_os_str()])
        .args(["--load".as_ref(), program.as_os_str()])
        .args(["--out".as_ref(), out.as_os_str()])
        .output()
        .unwrap();
    let seen = board.off();
    let told = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(0), "{told}");
    assert_eq!(String::from_utf8_lossy(&done.stdout), "exchanged\n", "what the program prints");
    assert!(told.starts_with("ulx3s: 2 harts, 25 MHz\n"), "{told}");
    let run = Run::read(File::open(&out).unwrap()).unwrap();
    assert_eq!(run.ending.outcome, End::Exit { code: 0 });
    assert_eq!((run.header.harts, run.header.collected), (2, Collected::Firmware));
    assert_eq!(run.header.program, "exchange");
    assert!(run.lost.is_empty());
    assert!(run.edges.len() > 4, "they communicate: {}", run.edges.len());
    assert_eq!(run.edges, seen.edges, "after {} cycles", seen.cycles);
}
