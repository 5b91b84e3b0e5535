//! Edges whose source nobody is known to have written are called what they are, everywhere.

use crate::support::{run_of, write_runs};
use crosstalk::analysis::{Analysis, Request};
use crosstalk::formats::{self, Format};
use crosstalk::report::{Limits, Report};
use record::{Access, Ctx, Edge, EdgeKind, Hart, Pc, Run, Time};
use serde_json::Value;
use std::process::Command;

fn run(seed: u64, failed: bool) -> Run {
    let access =
        |hart, pc, time| Access { pc: Pc(pc), ctx: Ctx(0), time: Time(time), hart: Hart(hart) };
    let known = Edge { source: access(0, 1, 10), sink: access(1, 2, 20), kind: EdgeKind::Raw };
    // Another cache holds the line, but nobody wrote it: hardware says RAW and WAW, with a NULL source.
    let read = Edge { source: Access::NULL, sink: access(2, 3, 30), kind: EdgeKind::Raw };
    let write = Edge { source: Access::NULL, sink: access(2, 4, 40), kind: EdgeKind::Waw };
    let edges = if failed { vec![known, read, write] } else { vec![known] };
    run_of(seed, &edges, failed)
}

/// So many failing runs, and as many passing ones.
fn runs(each: u64) -> Vec<Run> {
    (0..2 * each).map(|seed| run(seed, seed % 2 == 0)).collect()
}

#[test]
fn tables_and_json_do_not_call_a_read_of_memory_a_read_after_a_write() {
    let folder = tempfile::tempdir().unwrap();
    write_runs(folder.path(), &runs(5));
    let crosstalk = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crosstalk"));
        let output = command.args(args).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    for args in [["graph", "."], ["diff", "."], ["rank", "."]] {
        let table = crosstalk(&args);
        let of_memory: Vec<_> =
            table.lines().filter(|line| line.contains("  memory  ")).map(str::to_owned).collect();
        assert!(!of_memory.is_empty(), "{table}");
        let wrong = |line: &&String| line.contains("RAW") || line.contains("WAW");
        assert!(!of_memory.iter().any(|line| wrong(&line)), "{table}");
        assert!(table.contains("first write"), "{table}");
    }
    let graph: Value = serde_json::from_str(&crosstalk(&["graph", ".", "--json"])).unwrap();
    let mut kinds: Vec<_> = graph["edges"].as_array().unwrap().iter().collect();
    kinds.retain(|edge| edge["source"]["name"] == "memory");
    kinds.sort_by_key(|edge| edge["sink"]["pc"].as_u64());
    let kinds: Vec<_> = kinds.iter().map(|edge| edge["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["memory", "first write"]);
    let rank: Value = serde_json::from_str(&crosstalk(&["rank", ".", "--json"])).unwrap();
    let found = &rank["reconstructions"][0];
    assert!(
        found["source"].is_null() && found["kind"] != "RAW" && found["kind"] != "WAW",
        "{found}"
    );
    assert_eq!(rank["finding"]["known"], "edge");
}

#[test]
fn the_page_says_memory_too() {
    let folder = tempfile::tempdir().unwrap();
    let files = write_runs(folder.path(), &runs(5));
    let request = Request { files, ..Request::default() };
    let analysis = Analysis::of(&request, &|| ()).unwrap();
    let page = Report::of(&analysis, Limits::default()).html();
    let verdict = analysis.finding().sentence().to_string();
    assert!(verdict.contains("memory that no thread had written"), "{verdict}");
    assert!(page.contains("memory that no thread had written"));
    assert!(!page.contains("nobody known"));
}

#[test]
fn dot_draws_memory_and_still_reads_back_the_record() {
    let run = run(1, true);
    let bytes = formats::write(&run, Format::Dot, &|_| None);
    let text = String::from_utf8(bytes.clone()).unwrap();
    assert!(text.contains("style=\"dotted\", tooltip=\"memory\", kind=\"RAW\""), "{text}");
    assert!(text.contains("style=\"dotted\", tooltip=\"first write\", kind=\"WAW\""), "{text}");
    assert_eq!(formats::read(&bytes).unwrap(), run);
}
