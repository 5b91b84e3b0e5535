//! A bug that one uniform schedule in a thousand shows is found, whichever seeds a hunt begins with.
//! `cargo xtask bench hunt-rare` measures how often it fails, and how long 20 hunts take.

use crate::source;
use crosstalk::hunt::{Collector, FailIf, Goal, Golden, On, Search, Setup, Shifted, Stop, Subject};
use record::Label;

#[test]
fn a_bug_of_one_schedule_in_a_thousand_is_found_within_the_usual_limits() {
    let build = firmware::Build { files: vec![source("rare.c")], flags: Vec::new() };
    let (subject, _) = Subject::compile("rare", &build).unwrap();
    let golden = Search::One(On::named("golden").unwrap());
    let (usual, _) = golden.goals(Goal { failing: 1, passing: 0, ..Goal::default() }, None);
    for start in [0, 6, 19] {
        let folder = tempfile::tempdir().unwrap();
        let loaded = subject.load(&Setup::new(config::Config::default())).unwrap();
        let collector = Collector {
            source: &Shifted::to(Box::new(Golden::new(loaded).unwrap()), start),
            fail_if: &FailIf::Exit,
            goal: usual,
            folder: folder.path(),
            progress: &|_| (),
        };
        let collection = collector.collect().unwrap();
        let (last, passed) = (collection.entries.last().unwrap(), collection.passing());
        assert_eq!(
            (collection.stop, last.label()),
            (Stop::Enough, Label::Failing),
            "start {start}"
        );
        assert!(
            passed > 20,
            "start {start}: it failed after {passed} schedules, which is not rare"
        );
    }
}
