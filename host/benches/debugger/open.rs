//! A run of about a million cycles on four harts, of each machine.

use cosim::Builder;
use crosstalk::hunt::sources::Opening;
use crosstalk::hunt::{Campaign, FailIf, Goal, Monitor, On, Recorded, Setup, Subject, Wanted};
use debugger::{View, Walk, Watch, WatchKind};
use measure::report::{Limit, Report, Row, time};
use measure::timing::seconds;
use std::path::Path;

/// Seconds of processor time within which the run should be open.
const OPEN: f64 = 10.0;
/// Seconds within which one should be back at its beginning.
const BACK: f64 = 2.0;

/// Measures both machines.
pub fn measure(report: &mut Report) {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/debugger/busy.c");
    let build = firmware::Build { files: vec![program], flags: Vec::new() };
    let (subject, _) = Subject::compile("busy", &build).expect("it compiles");
    report.section("A run of about a million cycles on four harts, in the debugger");
    for name in ["golden", "rtl"] {
        let on = On::named(name).expect("a source of runs");
        measure_on(on, &subject, report);
    }
}

fn measure_on(on: On, subject: &Subject, report: &mut Report) {
    let folder = tempfile::tempdir().expect("a folder for the runs");
    let hunt = folder.path().join("hunt");
    let builder = Builder::for_workspace();
    let mut setup = Setup::new(config::Config::default());
    setup.max_cycles = 10_000_000;
    let campaign = Campaign {
        subject,
        setup,
        more_harts: true,
        monitor: Monitor::Program,
        on: on.name(),
        open: &|setup: &Setup| on.open(&Opening { subject, setup, builder: &builder }),
        beside: None,
        fail_if: &FailIf::Exit,
        goal: Goal { failing: 1, passing: 1, max_runs: 2, ..Goal::default() },
        confirm: false,
        folder: &hunt,
        resume: false,
        watch: &|_| (),
    };
    campaign.run().expect("a hunt");
    let mut opened = None;
    let opening = seconds(|| {
        let wanted = Wanted { path: &hunt, seed: Some(1), on: None };
        let recorded = Recorded::open(&wanted, &builder).expect("the run");
        let recording = recorded.recording().expect("the run again");
        let mut walk = Walk::new(recording.tape.clone(), View::Program);
        walk.seek(recording.end().0);
        opened = Some((recording, walk));
    });
    let (recording, mut walk) = opened.expect("it was opened");
    // What is never executed and never written: the whole tape is looked through.
    walk.stops.add_break(0xffff_fffc);
    walk.stops.add_watch(Watch { range: 0..4, kind: WatchKind::Write });
    let back = seconds(|| walk.backward(None, 0));
    assert_eq!(walk.mark(), recording.tape.first(), "nothing stops on the way");
    let steps = recording.tape.last().0;
    for (what, seconds, limit) in
        [("opening it", opening, OPEN), ("going back over it", back, BACK)]
    {
        report.row(Row {
            what: format!("{} on {}: {steps} steps; {what}", subject.name, on.called()),
            ours: time(seconds),
            peer: time(limit),
            ratio: Some(seconds / limit),
            limit: Some(Limit::AtMost(1.0)),
        });
    }
}
