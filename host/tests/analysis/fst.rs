//! `crosstalk run --fst`: the same waveform as `--vcd`, in the other form.

use fst_reader::{FstFilter, FstReader};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;
use std::process::Command;

#[test]
fn a_waveform_as_fst_has_the_changes_of_the_vcd() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.c"), "int main(void) { return 3; }\n").unwrap();
    for option in [["--vcd", "w.vcd"], ["--fst", "w.fst"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_crosstalk"))
            .args(["run", "p.c", "--harts", "1", "--from", "100", "--to", "160"])
            .args(option)
            .current_dir(folder.path())
            .env("CROSSTALK_PROGRESS", "never")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{said}");
    }
    let vcd = File::open(folder.path().join("w.vcd")).unwrap();
    let mut parser = vcd::Parser::new(BufReader::new(vcd));
    parser.parse_header().unwrap();
    let (mut times, mut changes) = (BTreeSet::new(), 0);
    for command in parser {
        match command.unwrap() {
            vcd::Command::Timestamp(time) => drop(times.insert(time)),
            vcd::Command::ChangeScalar(..) | vcd::Command::ChangeVector(..) => changes += 1,
            _ => {}
        }
    }
    let fst = File::open(folder.path().join("w.fst")).unwrap();
    let mut reader = FstReader::open(BufReader::new(fst)).unwrap();
    let (mut times_here, mut changes_here) = (BTreeSet::new(), 0);
    reader
        .read_signals::<()>(&FstFilter::all(), |time, _, _| {
            times_here.insert(time);
            changes_here += 1;
            Ok(())
        })
        .unwrap();
    assert!(changes > 1000 && times.len() > 100, "{changes} changes at {} times", times.len());
    let lost = times.difference(&times_here).count();
    assert!(changes_here >= changes && lost == 0, "{changes_here} of {changes} changes; {lost}");
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 3, "nothing is left beside the waveforms");
}
