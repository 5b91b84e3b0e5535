//! What is said when hardware and software model part.

mod common;

use common::{counter, library};
use cosim::bench::{Cause, Difference};
use cosim::{Bench, Mismatch, Model, ModelSource, lockstep};

#[derive(Debug, PartialEq)]
struct Outputs {
    count: u64,
    even: bool,
}

/// A counter as it should be.
struct Counting(u64);

impl Bench for Counting {
    type Stimulus = bool;
    type Outputs = Outputs;

    fn drive(&mut self, dut: &mut Model, &enable: &bool) {
        dut.poke("en", enable);
    }

    fn sample(&self, dut: &Model) -> Outputs {
        let count = dut.peek("count");
        Outputs { count, even: count.is_multiple_of(2) }
    }

    fn expect(&mut self, &enable: &bool, _: &Outputs) -> Outputs {
        let count = self.0;
        self.0 = (count + u64::from(enable)) % 256;
        Outputs { count, even: count.is_multiple_of(2) }
    }
}

/// The counter with one thing in its text replaced.
fn broken(good: &str, bad: &str) -> ModelSource {
    let mut source = counter();
    source.files[0].1 = source.files[0].1.replace(good, bad);
    source
}

fn first_mismatch(source: &ModelSource, stimuli: Vec<bool>) -> Box<Mismatch> {
    lockstep(&mut library(source).model(), &mut Counting(0), stimuli).unwrap_err()
}

#[test]
fn what_agrees_is_counted() {
    let mut model = library(&counter()).model();
    let stimuli = (0..600).map(|cycle| cycle % 3 != 0);
    assert_eq!(lockstep(&mut model, &mut Counting(0), stimuli).unwrap(), 600);
    assert_eq!(model.cycle(), 601, "and one of reset");
}

#[test]
fn the_first_difference_is_reported_with_cycle_unit_fields_and_waveform() {
    let source = broken("else if (en) count", "else if (en && count != 3) count");
    let mismatch = first_mismatch(&source, vec![true; 20]);
    assert_eq!((mismatch.unit.as_str(), mismatch.cycle), ("m", 5));
    let Cause::Outputs(differences) = &mismatch.cause else { panic!("{mismatch}") };
    let difference = |field: &str, expected: &str, actual: &str| Difference {
        field: field.into(),
        expected: expected.into(),
        actual: actual.into(),
    };
    assert_eq!(
        *differences,
        [difference("count", "0x4", "0x3"), difference("even", "true", "false")]
    );

    let report = mismatch.report(&source);
    let (text, path) = report.rsplit_once("\nwaveform: ").expect("a waveform");
    assert_eq!(
        text,
        "cycle 5 of `m`: hardware and model differ\n  \
         field     expected  actual\n  \
         count     0x4       0x3\n  \
         even      true      false\n\
         stimulus of the cycle: true"
    );
    let waveform = std::fs::read_to_string(path).unwrap();
    assert!(waveform.contains(" count "), "{waveform}");
    // Two time units a cycle, from the first cycle to four after the mismatch.
    assert!(waveform.contains("\n#0\n") && waveform.contains("\n#19\n"), "{waveform}");
    assert!(!waveform.contains("\n#20\n"));
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_design_that_complains_is_a_mismatch() {
    let mut source = broken("endmodule", "always @(posedge clk) assert (count != 2);\nendmodule");
    source.options.assertions = true;
    let mismatch = first_mismatch(&source, vec![true; 9]);
    assert_eq!(mismatch.cycle, 3);
    let text = mismatch.to_string();
    assert!(text.starts_with("cycle 3 of `m`: m.v:"), "{text}");
    assert!(text.contains("Assertion failed"), "{text}");
    let report = mismatch.report(&source);
    let (_, path) = report.rsplit_once("\nwaveform: ").expect("a waveform");
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_model_that_has_already_run_gives_no_wrong_waveform() {
    let source = broken("count + 1", "count + 2");
    let mut model = library(&source).model();
    model.tick().unwrap();
    let mismatch = lockstep(&mut model, &mut Counting(0), vec![true; 9]).unwrap_err();
    assert!(mismatch.report(&source).contains("no waveform"));
}

#[test]
fn an_unknown_port_is_refused_with_the_names_there_are() {
    let model = library(&counter()).model();
    let refused = std::panic::catch_unwind(|| model.peek("cuont"));
    let text = *refused.unwrap_err().downcast::<String>().unwrap();
    assert_eq!(text, "`m` has no port `cuont`; its ports are: clk, rst, en, count");
}
