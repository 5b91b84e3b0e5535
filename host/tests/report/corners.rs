//! Reports of runs that leave much to be desired: each says so, and is a page all the same.

use super::escaping::shape;
use super::fixture::{Program, analyzed};
use crosstalk::code::CodeOptions;
use crosstalk::report::{Limits, Report};
use crosstalk::runs::RunFile;
use record::{Header, Label, Run, Time};
use std::path::Path;

/// The program's runs, changed, and their report.
fn report(limits: Limits, elf: bool, change: impl Fn(&mut Run)) -> Report {
    let program = Program::plain();
    let folder = tempfile::tempdir().unwrap();
    let files = program.record(folder.path(), 60);
    for file in &files {
        let mut run = file.load().unwrap();
        change(&mut run);
        std::fs::write(&file.path, run.write(Vec::new()).unwrap()).unwrap();
    }
    let code = match elf {
        true => CodeOptions { elf: Some(program.elf()), ..CodeOptions::default() },
        false => CodeOptions::default(),
    };
    Report::of(&analyzed(files, code), limits)
}

/// The page, which is well-formed and has a picture where it says so.
fn page(report: &Report) -> String {
    let page = report.html();
    let (elements, ..) = shape(&page).unwrap();
    let pictures = elements.iter().filter(|element| element.starts_with("svg ")).count();
    let graph = usize::from(!report.graph.edges.is_empty());
    assert_eq!(pictures, report.pictures.len() + graph);
    page
}

#[test]
fn without_failing_runs_it_shows_what_is_unusual() {
    let report = report(Limits::default(), true, |run| run.header.label = Label::Passing);
    let page = page(&report);
    assert!(report.pictures.is_empty() && !report.analysis.ranking.is_empty());
    assert!(page.contains("<h1>No run failed; of 60 runs, <code>message.c:"));
    assert!(page.contains("crosstalk report --failing BAD --passing GOOD"));
    assert!(!page.contains("edge bad"), "nothing is known to be of failing runs only");
}

#[test]
fn without_passing_runs_it_asks_for_some() {
    let report = report(Limits::default(), true, |run| run.header.label = Label::Failing);
    let page = page(&report);
    assert!(page.contains("<h1>No run passed, so nothing can tell failing runs from passing runs"));
    assert!(report.pictures.is_empty() && page.contains("so none is drawn"));
    assert!(page.contains("There is no passing run."));
}

#[test]
fn without_times_the_picture_says_that_it_has_no_order() {
    for wrapped in [false, true] {
        let report = report(Limits::default(), true, |run| {
            run.header.time_bits = 0;
            for total in &mut run.edges {
                (total.edge.source.time, total.edge.sink.time) = (Time(0), Time(0));
            }
            run.ending.wrapped = wrapped;
        });
        let page = page(&report);
        assert!(page.contains("No times were recorded, so within a part nothing is in order."));
        assert!(page.contains(">reader</text>") && !page.contains(">hart 0</text>"));
    }
}

#[test]
fn without_debug_information_it_asks_for_the_program() {
    let report = report(Limits::default(), false, |_| {});
    let page = page(&report);
    assert!(page.contains("crosstalk report RUNS --elf PROGRAM"));
    assert!(!page.contains("message.c:12"));
}

#[test]
fn without_any_edge_it_says_that_nothing_was_seen() {
    let report = report(Limits::default(), true, |run| run.edges.clear());
    let page = page(&report);
    assert!(page.contains("<h1>No communication between threads was recorded in 60 runs.</h1>"));
}

#[test]
fn limits_are_kept_and_told() {
    let limits = Limits { rows: 5, pictures: 1, nodes: 3, edges: 2, runs: 4 };
    let report = report(limits, true, |_| {});
    let page = page(&report);
    let analysis = &report.analysis;
    assert_eq!((analysis.reconstructions.len(), report.pictures.len()), (5, 1));
    assert_eq!((report.graph.nodes.len(), report.graph.edges.len(), report.runs.len()), (3, 2, 4));
    assert!(
        page.contains("Shown are the 2 with the best rank, of 6."),
        "{}",
        report.graph.all_edges
    );
    assert!(page.contains("The first 4 of 60."));
    let drawn = |found: &&crosstalk::view::ReconstructionView| !found.example.is_empty();
    assert_eq!(analysis.reconstructions.iter().filter(drawn).count(), 1);
}

#[test]
fn a_run_of_nothing_has_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.run");
    let run = Run { header: Header { runs: 1, ..Header::default() }, ..Run::default() };
    std::fs::write(&path, run.write(Vec::new()).unwrap()).unwrap();
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let files = vec![RunFile { name: name(&path), path, label: None }];
    let report = Report::of(&analyzed(files, CodeOptions::default()), Limits::default());
    assert!(
        page(&report).contains("<h1>No communication between threads was recorded in 1 run.</h1>")
    );
}

#[test]
fn where_everything_is_hidden_there_is_nothing_to_explain() {
    let program = Program::plain();
    let folder = tempfile::tempdir().unwrap();
    program.record(folder.path(), 4);
    let explain = |args: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_crosstalk"));
        command.args(["explain", "--failing", "."]).args(args).current_dir(folder.path());
        let output = command.arg("--elf").arg(program.elf()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, said) = explain(&["--library-path", "message.c"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("nothing is left to explain; --library shows"), "{said}");
    let (code, said) = explain(&["--library-path", "message.c", "--library"]);
    assert_eq!(code, Some(0), "{said}");
    // And where there was nothing in the first place.
    let empty = Run { header: Header { runs: 1, ..Header::default() }, ..Run::default() };
    for seed in 0..4 {
        let path = folder.path().join(format!("{seed:03}.run"));
        std::fs::write(path, empty.write(Vec::new()).unwrap()).unwrap();
    }
    let (code, said) = explain(&[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("the failing runs have no edges"), "{said}");
}
