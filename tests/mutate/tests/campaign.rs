//! A campaign with a test program of a few lines, so that all its ways can be gone quickly.

use mutate::campaign::{Fate, Workshop};
use mutate::netlist::Plan;
use mutate::report::UnitRecord;
use mutate::trial::Tests;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A flip-flop with an enable; mutants of the property are no mutants of it.
const VERILOG: &str = "\
// Source:     src/flop.rs:7
module flop (
    input wire clk,
    input wire rst,
    input wire en,
    input wire d,
    output wire q
);
  reg value; // src/flop.rs:9
  assign q = value;
  always @(posedge clk) begin
    if (rst) begin
      value <= 1'd0;
    end else if (en) begin
      value <= d;
    end
  end
`ifdef FORMAL
  always @(posedge clk) if (!rst) known: assert ((q ^ en) == (en ^ q));
`endif
endmodule
";

/// Leaves the Verilog as tests do, then notices mutants with an even number. Every call is noted. While
/// there is a file `broken`, the fourth mutant ends it in an unknown way.
fn program(folder: &Path) -> Tests {
    let verilog = folder.join("flop.v");
    fs::write(&verilog, VERILOG).unwrap();
    let text = format!(
        "#!/bin/sh\n\
         if [ ! -e \"$CROSSTALK_MUTATION/mutants.v\" ]; then\n\
           mkdir \"$CROSSTALK_MUTATION/original\"\n\
           cp {folder}/flop.v \"$CROSSTALK_MUTATION/original\"\n\
           exit 85\n\
         fi\n\
         echo $CROSSTALK_MUTANT >> {folder}/calls\n\
         if [ $CROSSTALK_MUTANT = 4 ] && [ -e {folder}/broken ]; then exit 3; fi\n\
         if [ $CROSSTALK_MUTANT = 0 ] || [ $((CROSSTALK_MUTANT % 2)) = 1 ]; then exit 0; fi\n\
         echo noticed >&2\n\
         exit 86\n",
        folder = folder.display()
    );
    let program = folder.join("tests.sh");
    // Another process writes the script: a test that starts a program just then would inherit the open file, and a
    // file open for writing cannot be run.
    let write = "printf %s \"$1\" > \"$0\" && chmod +x \"$0\"";
    assert!(
        Command::new("sh").args(["-c", write]).arg(&program).arg(text).status().unwrap().success()
    );
    Tests { program, filters: vec!["flop::".into()] }
}

fn calls(folder: &Path) -> Vec<String> {
    let calls = fs::read_to_string(folder.join("calls")).unwrap_or_default();
    calls.lines().map(str::to_owned).collect()
}

#[test]
fn a_campaign_that_was_stopped_goes_on_and_ends_with_the_survivors() {
    let dir = tempfile::tempdir().unwrap();
    let tests = program(dir.path());
    let workshop = Workshop::new(&dir.path().join("mutate"), 1).unwrap();
    let plan = Plan { top: "flop".into(), part: None, without: None, count: 12 };

    fs::write(dir.path().join("broken"), "").unwrap();
    let error = workshop.run(&plan, &tests).unwrap_err().to_string();
    assert_eq!(error, "the tests of mutant 4 ended with unexpected exit code 3: no output");
    assert_eq!(calls(dir.path()), ["0", "1", "2", "3", "4"]);

    fs::remove_file(dir.path().join("broken")).unwrap();
    let outcome = workshop.run(&plan, &tests).unwrap();
    let numbers: Vec<String> = (4..=12).map(|number| number.to_string()).collect();
    assert_eq!(calls(dir.path())[5..][0], "0", "without any mutant the tests must still pass");
    assert_eq!(calls(dir.path())[6..], numbers, "what was tried is not tried again");
    assert_eq!(outcome.mutants.len(), 12);
    for (mutant, fate) in &outcome.mutants {
        let noticed = mutant.number % 2 == 0;
        assert_eq!(matches!(fate, Fate::Killed(_)), noticed, "{mutant:?}: {fate:?}");
        assert!(mutant.places.iter().all(|place| !place.contains("flop.v:19")), "{mutant:?}");
    }
    assert!(outcome.survivors.iter().all(|(_, place)| place.rust.starts_with("src/flop.rs:")));

    let mut record = UnitRecord::default();
    record.add(&outcome);
    assert_eq!(record.killed, 6);
    assert_eq!(record.equivalent + record.survivors.len(), 6);
    assert!(!record.survivors.is_empty() && !record.reaches(100) && record.reaches(50));

    let before = calls(dir.path()).len();
    workshop.run(&plan, &tests).unwrap();
    assert_eq!(calls(dir.path()).len(), before, "everything is known");
}
