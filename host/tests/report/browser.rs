//! The report in a browser: pictures draw, tables sort and filter, nothing complains.
//!
//! A script that clicks and looks is put into a copy of the page; what it saw is read back from the
//! page as Chromium leaves it.

use super::escaping::sample;
use super::fixture::{Program, report};
use super::stories;
use std::path::{Path, PathBuf};
use std::process::Command;

const DRIVER: &str = include_str!("driver.js");

/// Chromium, if there is one on the PATH.
fn chromium() -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let mut all = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let found = all.find(|path| path.is_file());
    if found.is_none() {
        println!("skipped: there is no Chromium on the PATH");
    }
    found
}

/// The page after its scripts ran.
fn open(chromium: &Path, page: &Path) -> String {
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new(chromium)
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"])
        .args([
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-extensions",
        ])
        .args(["--window-size=1280,900", "--virtual-time-budget=4000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap_or_else(|error| panic!("{} does not start: {error}", chromium.display()));
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "Chromium failed: {complaints}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What the driver saw, in a copy of the page with the driver in it.
fn drive(chromium: &Path, html: &str) -> serde_json::Value {
    // The page's policy lets no foreign script run, so the copy has none.
    let (before, rest) = html.split_once("<meta http-equiv=").unwrap();
    let (_, after) = rest.split_once("/>").unwrap();
    let (watch, act) = DRIVER.split_once("// ---").unwrap();
    let copy = format!("{before}<script>{watch}</script>{after}");
    let copy = copy.replace("</body>", &format!("<script>{act}</script></body>"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("copy.html");
    std::fs::write(&path, copy).unwrap();
    let dom = open(chromium, &path);
    let seen = dom.split_once("<pre id=\"seen\">").map(|(_, rest)| rest);
    let seen = seen.and_then(|rest| rest.split_once("</pre>"));
    let (seen, _) = seen.unwrap_or_else(|| panic!("the driver did not get to its end:\n{dom}"));
    let seen = seen.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    serde_json::from_str(&seen).unwrap()
}

#[test]
fn pictures_draw_tables_sort_and_filter_and_nothing_complains() {
    let Some(chromium) = chromium() else { return };
    let program = Program::plain();
    let folder = tempfile::tempdir().unwrap();
    let report = report(&program, program.record(folder.path(), 60));
    let html = report.html();
    // It stays there for whoever wants to look at it.
    std::fs::write(Path::new(env!("CARGO_TARGET_TMPDIR")).join("report.html"), &html).unwrap();

    let seen = drive(&chromium, &html);
    assert_eq!(seen["errors"], serde_json::json!([]));
    let numbers = |what: &str| -> Vec<f64> {
        seen[what].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
    };
    assert_eq!(seen["pictures"].as_u64(), Some(report.pictures.len() as u64 + 1));
    for smallest in numbers("sizes") {
        assert!(smallest > 0.0, "something is drawn with no size: {seen}");
    }
    assert!(seen["drawn"].as_u64().unwrap() > 30, "{seen}");
    assert_eq!(seen["overlaps"], 0, "labels of the graph cover each other");

    let (up, down) = (numbers("up"), numbers("down"));
    assert!(up.is_sorted() && up.first() < up.last(), "{up:?}");
    assert!(down.is_sorted_by(|a, b| a >= b), "{down:?}");
    assert_eq!(seen["sortedBy"], "descending");
    let (all, some) = (seen["rows"].as_u64().unwrap(), seen["filtered"].as_u64().unwrap());
    assert!(0 < some && some < all, "{some} of {all} rows are left");
    assert_eq!(seen["nothing"], 0);
    assert_eq!(seen["again"].as_u64(), Some(all));

    let edges = seen["edges"].as_u64().unwrap();
    assert_eq!(edges, report.graph.edges.len() as u64);
    assert_eq!(seen["bestEdges"], 2);
    let bad = report.graph.edges.iter().filter(|edge| edge.bug_only > 0).count() as u64;
    assert_eq!(seen["badEdges"].as_u64(), Some(bad));
    assert_ne!(seen["zoomed"], seen["whole"]);
    assert_eq!(seen["restored"], seen["whole"]);
    assert_ne!(seen["light"], seen["dark"]);
}

#[test]
fn its_own_script_runs_under_its_own_policy() {
    let Some(chromium) = chromium() else { return };
    let program = Program::plain();
    let folder = tempfile::tempdir().unwrap();
    let html = report(&program, program.record(folder.path(), 20)).html();
    let path = folder.path().join("report.html");
    std::fs::write(&path, &html).unwrap();
    let dom = open(&chromium, &path);
    assert!(dom.contains("<html lang=\"en\" class=\"js\">"), "the policy keeps the script out");
    assert!(dom.contains("Zoom in"));
}

#[test]
fn hostile_names_and_lines_run_nothing() {
    let Some(chromium) = chromium() else { return };
    let attack = "</script></title></svg><img src=x onerror=console.error(1)>\
                  <script>console.error('ran')</script>\" onload=\"console.error(2)";
    let program = Program::hostile(attack, attack);
    let folder = tempfile::tempdir().unwrap();
    let report = report(&program, program.record(folder.path(), 60));
    let seen = drive(&chromium, &report.html());
    assert_eq!(seen["errors"], serde_json::json!([]));
    assert_eq!(seen["foreign"], 0);
    assert_eq!(seen["program"].as_str(), Some(attack));
}

/// How much of a phone's width a page has beside its scroll bar, and how wide it becomes.
fn widths_on_a_phone(chromium: &Path, html: &str) -> [u32; 2] {
    let page = html.replace('&', "&amp;").replace('"', "&quot;");
    // Windows are not made so narrow, but a frame is. The page's policy holds in the frame, not around it.
    let frame = format!(
        "<!DOCTYPE html><body><iframe style=\"width:390px;height:800px;border:0\" srcdoc=\"{page}\"></iframe>\
         <script>onload = () => {{ const inside = frames[0].document.documentElement; \
         document.body.append(`[${{inside.clientWidth}} ${{inside.scrollWidth}}]`); }};</script></body>"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("phone.html");
    std::fs::write(&path, frame).unwrap();
    let dom = open(chromium, &path);
    let (_, after) = dom.rsplit_once("</script>").unwrap();
    let seen = after.split_once(']').map_or("", |(seen, _)| seen.trim_start_matches('['));
    let (has, becomes) =
        seen.split_once(' ').unwrap_or_else(|| panic!("nothing was measured: {after}"));
    [has, becomes].map(|width| width.parse().unwrap())
}

#[test]
fn on_a_phone_no_story_makes_the_page_wider_than_the_screen() {
    let Some(chromium) = chromium() else { return };
    let long = "a_name_without_any_place_to_break_it_".repeat(4);
    for more in ["", &long] {
        let report = stories::with_all(sample(), more);
        let html = report.html();
        std::fs::write(Path::new(env!("CARGO_TARGET_TMPDIR")).join("story.html"), &html).unwrap();
        let [has, becomes] = widths_on_a_phone(&chromium, &html);
        assert!(has > 300 && becomes == has, "{becomes} pixels wide, of {has}");
    }
}
