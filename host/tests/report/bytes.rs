//! The same runs give the same bytes, whatever the order in which they are named and read.

use super::fixture::{Program, report};

#[test]
fn the_page_depends_on_nothing_but_the_runs() {
    let program = Program::plain();
    let folder = tempfile::tempdir().unwrap();
    let files = program.record(folder.path(), 60);
    let page = report(&program, files.clone()).html();
    assert_eq!(page, report(&program, files.clone()).html(), "once more");

    let mut backward = files.clone();
    backward.reverse();
    assert!(page == report(&program, backward).html(), "the order of runs shows");

    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let other = pool.install(|| report(&program, files.clone()).html());
        assert!(page == other, "it shows that {threads} threads read the runs");
    }

    let elsewhere = tempfile::tempdir().unwrap();
    let moved = program.record(elsewhere.path(), 60);
    assert!(page == report(&program, moved).html(), "the folder of the runs shows");
    for path in [folder.path(), program.folder.path()] {
        assert!(!page.contains(path.to_str().unwrap()), "an absolute path shows");
    }
}

#[test]
fn the_page_tells_the_bug_and_the_runs() {
    let program = Program::plain();
    let folder = tempfile::tempdir().unwrap();
    let files = program.record(folder.path(), 60);
    let report = report(&program, files);
    let runs = &report.analysis.runs;
    assert!(runs.failing > 5 && runs.passing > 5, "{} failing of {}", runs.failing, runs.total);
    let page = report.html();
    let heading = page.split_once("<h1>").unwrap().1.split_once("</h1>").unwrap().0;
    let bug = ["message.c:6", "message.c:7", "message.c:11", "message.c:12"];
    assert!(bug.iter().any(|line| heading.contains(&format!("<code>{line}</code>"))), "{heading}");
    assert!(heading.contains("failing runs"), "{heading}");
    for section in ["happened", "look", "who", "recorded", "next", "words"] {
        assert!(page.contains(&format!("<section id=\"{section}\">")), "{section}");
    }
    assert!(page.contains(&format!("{} failing", runs.failing)));
    assert!(
        page.contains("2\u{202f}") || page.contains("<span class=\"failing\">2</span>"),
        "lost edges"
    );
    assert!(page.contains("int length = message.length;"), "source lines");
    // Nothing is loaded from anywhere.
    for outside in ["http://", "https://", "src=", "@import", "url(http"] {
        assert!(!page.contains(outside), "{outside}");
    }
}
