//! An edge is called a cause only if it tells failing runs from passing ones beyond chance, wherever it is told.

use crate::commands::{crosstalk, text};
use crate::support::{run_of, write_runs};
use record::{Access, Ctx, Edge, EdgeKind, Hart, Pc, Run, Time};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// An edge between two instructions of its own.
fn edge(number: u64) -> Edge {
    let access = |hart, offset| Access {
        pc: Pc(0x8000_4000 + 8 * number + offset),
        ctx: Ctx(0),
        time: Time(2 * number + offset / 4),
        hart: Hart(hart),
    };
    Edge { source: access(0, 0), sink: access(1, 4), kind: EdgeKind::Raw }
}

/// So many runs of each label. Every failing run has edge 0; all runs have `beside` others.
fn runs(failing: u64, passing: u64, beside: u64) -> Vec<Run> {
    let one = |seed: u64| {
        let failed = seed < failing;
        let edges: Vec<Edge> = (u64::from(!failed)..=beside).map(edge).collect();
        run_of(seed, &edges, failed)
    };
    (0..failing + passing).map(one).collect()
}

/// What people and programs are told of the runs in a folder: terminal, page, JSON.
struct Told {
    terminal: String,
    page: String,
    json: Value,
}

fn told(runs: &[Run]) -> Told {
    let folder = tempfile::tempdir().unwrap();
    write_runs(folder.path(), runs);
    let said = |args: &[&str]| text(&crosstalk(folder.path(), args)).replace('\n', " ");
    let terminal = said(&["rank", "."]);
    let json = serde_json::from_str(&text(&crosstalk(folder.path(), &["rank", ".", "--json"])));
    let page = page(folder.path());
    Told { terminal, page, json: json.unwrap() }
}

fn page(folder: &Path) -> String {
    text(&crosstalk(folder, &["report", ".", "-o", "report.html"]));
    fs::read_to_string(folder.join("report.html")).unwrap()
}

/// The page for people, without the data for programs.
fn for_people(page: &str) -> &str {
    page.split_once("<script type=\"application/json\"").unwrap().0
}

#[test]
fn an_edge_of_failing_runs_only_is_the_verdict_and_says_how_sure_it_is() {
    let Told { terminal, page, json } = told(&runs(6, 6, 9));
    assert!(
        terminal.contains("In all 6 failing runs but in none of 6 passing runs, 0x80004004 read")
    );
    // One way in C(12, 6) = 924, for each of ten edges.
    let strength = "one of 10 edges would tell 6 failing from 6 passing runs as well as this one with a \
                    probability of 0.011";
    assert!(terminal.contains(strength), "{terminal}");
    assert!(page.contains("<p class=\"evidence\">By chance, one of 10 edges would tell 6 failing"));
    assert_eq!(json["finding"]["known"], "edge");
    assert_eq!(json["finding"]["strength"]["candidates"], 10);
    let p = json["finding"]["strength"]["p"].as_f64().unwrap();
    assert!((p - 10.0 / 924.0).abs() < 1e-9, "{p}");
    assert_eq!(json["reconstructions"][0]["strength"], json["finding"]["strength"]);
    assert_eq!(json["verdict"], json["reconstructions"][0]["sentence"]);
}

#[test]
fn among_too_many_edges_the_same_edge_is_no_cause() {
    let Told { terminal, page, json } = told(&runs(6, 6, 99));
    let verdict = "Nothing tells failing runs from passing runs with enough evidence: what sets the best of \
                   100 edges apart may be chance (corrected p of 0.11; at most 0.05 counts).";
    assert!(terminal.contains(verdict), "{terminal}");
    assert_eq!(json["verdict"], verdict);
    assert_eq!(json["finding"]["known"], "undecided");
    assert_eq!(json["finding"]["candidates"], 100);
    for text in [&terminal, for_people(&page)] {
        assert!(!text.contains("had written") && !text.contains("likeliest"));
        assert!(!text.contains("the cause"), "{}", &text[..text.len().min(4000)]);
    }
    assert!(page.contains("so none is drawn"));
    // What was asked for is still shown, for what it is.
    for found in json["reconstructions"].as_array().unwrap() {
        assert!(found["sentence"].as_str().unwrap().ends_with("; that may be chance."), "{found}");
    }
}

#[test]
fn runs_of_one_label_have_no_cause() {
    let Told { terminal, page, json } = told(&runs(12, 0, 3));
    let verdict = "No run passed, so nothing can tell failing runs from passing runs: none of 4 edges of \
                   the failing runs is known to matter.";
    assert_eq!(json["verdict"], verdict);
    assert!(json["finding"]["p"].is_null());
    for text in [&terminal, for_people(&page)] {
        assert!(!text.contains("had written") && !text.contains("likeliest"));
    }
    let found = json["reconstructions"][0]["sentence"].as_str().unwrap();
    assert!(found.ends_with("; there is no passing run to compare with."), "{found}");
}

#[test]
fn an_edge_with_evidence_is_told_even_if_another_ranks_before_it() {
    // Edge 100 is in a single failing run, but in contexts that passing runs know nothing of.
    let mut runs = runs(12, 12, 9);
    runs[0] = run_of(0, &[(0..=9).map(edge).collect::<Vec<_>>(), vec![edge(100)]].concat(), true);
    for run in &mut runs[12..14] {
        *run = run_of(run.header.seed, &(0..=9).map(edge).collect::<Vec<_>>(), false);
    }
    let Told { json, .. } = told(&runs);
    assert_eq!(json["finding"]["known"], "edge");
    assert_eq!(json["finding"]["sink"]["name"], "0x80004004");
    assert_eq!(json["finding"]["in_runs"]["passing"], 2);
}
