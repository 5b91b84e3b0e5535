//! What a model writes: waveforms and coverage.

mod common;

use std::fs;

use common::{counter, library};

#[test]
fn a_waveform_holds_the_asked_for_cycles() {
    let mut source = counter();
    source.options.trace = true;
    let mut model = library(&source).model();
    model.set(model.port("en").unwrap(), 1);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("m.vcd");
    for _ in 0..3 {
        model.tick().unwrap();
    }
    model.trace_open(&path, 5..8).unwrap();
    for _ in 0..10 {
        model.tick().unwrap();
    }
    model.trace_close().unwrap();

    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("$var") && text.contains(" count "), "{text}");
    let times: Vec<_> = text.lines().filter(|line| line.starts_with('#')).collect();
    assert_eq!(times, ["#10", "#11", "#12", "#13", "#14", "#15"]);
    // In cycle 5 the counter shows 5, and its edge makes that 6.
    let value = |number: u8| format!("b{number:08b} ");
    assert!(text.contains(&value(5)) && text.contains(&value(8)), "{text}");
    assert!(!text.contains(&value(9)), "{text}");
}

#[test]
fn a_second_waveform_replaces_the_first() {
    let mut source = counter();
    source.options.trace = true;
    let mut model = library(&source).model();
    let dir = tempfile::tempdir().unwrap();
    let paths = ["a.vcd", "b.vcd"].map(|name| dir.path().join(name));
    for path in &paths {
        model.trace_open(path, 0..u64::MAX).unwrap();
        model.tick().unwrap();
    }
    drop(model);
    let texts = paths.map(|path| fs::read_to_string(path).unwrap());
    assert!(texts[0].contains("#0\n") && !texts[0].contains("#2\n"), "{}", texts[0]);
    assert!(texts[1].contains("#2\n") && !texts[1].contains("#0\n"), "{}", texts[1]);
    assert!(texts[1].contains("$var"));
}

#[test]
fn a_file_that_cannot_be_written_is_an_error_and_the_model_goes_on() {
    let mut source = counter();
    source.options.trace = true;
    source.options.coverage = true;
    let mut model = library(&source).model();
    let path = std::path::Path::new("/nonexistent/m.vcd");
    let error = model.trace_open(path, 0..9).unwrap_err().to_string();
    assert!(error.starts_with("/nonexistent/m.vcd: "), "{error}");
    let error = model.write_coverage(path).unwrap_err().to_string();
    assert!(error.starts_with("/nonexistent/m.vcd: "), "{error}");
    model.tick().unwrap();
}

#[test]
fn coverage_counts_each_model_for_itself() {
    let mut source = counter();
    source.options.coverage = true;
    let library = library(&source);
    let dir = tempfile::tempdir().unwrap();
    let mut written = [0, 50].map(|cycles| {
        let mut model = library.model();
        model.set(model.port("en").unwrap(), 1);
        for _ in 0..=cycles {
            model.tick().unwrap();
        }
        let path = dir.path().join(format!("{cycles}.dat"));
        model.write_coverage(&path).unwrap();
        fs::read_to_string(path).unwrap()
    });
    assert!(written.iter().all(|text| text.contains("m.v") && text.contains("count")));
    let hits = |text: &mut String| -> u64 {
        let counts = text.lines().filter_map(|line| line.rsplit_once("' ")?.1.parse::<u64>().ok());
        counts.sum()
    };
    let [few, many] = written.each_mut().map(hits);
    assert!(few < many, "{few} {many}");
}
