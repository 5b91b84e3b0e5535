//! A new source of runs is one file and one row: this one, of small programs under a seeded scheduler. Collection,
//! labels, analysis and report take it as they take any other.

use crate::support::{self, kernels, machine};
use crosstalk::analysis::Request;
use crosstalk::hunt::sources::{Opening, Row};
use crosstalk::hunt::{
    Collector, FailIf, Finished, Goal, HuntError, Schedule, Setup, Source, Stop, Subject, Tail,
};
use crosstalk::report::{Limits, Report};
use record::Label;
use std::collections::BTreeSet;

/// The row of the toy.
const ROW: Row = Row {
    name: "toy",
    called: "a toy",
    help: "A bank account under a seeded scheduler",
    identity: |_, _| Ok("toy 1".into()),
    open: |_| Ok(Box::new(Toy { program: kernels::all().swap_remove(0) })),
};

struct Toy {
    program: machine::Program,
}

impl Source for Toy {
    fn name(&self) -> &'static str {
        ROW.name
    }

    fn identity(&self) -> Result<String, HuntError> {
        Ok("toy 1".into())
    }

    fn has_levels(&self) -> bool {
        false
    }

    fn run(&self, schedule: Schedule) -> Result<Finished, HuntError> {
        let (edges, failed) = machine::run(&self.program, schedule.seed);
        Ok(Finished {
            run: support::run_of(schedule.seed, &edges, failed),
            console: Tail::default(),
            errors: Tail::default(),
            accesses: Vec::new(),
            work: None,
        })
    }
}

/// The toy, opened as its row says. It has no use for a linked program.
fn toy() -> Box<dyn Source> {
    let pieces = [(border::map::RAM.base, vec![0; 4])];
    let program = border::Program::of_pieces("toy", pieces);
    let subject = Subject { name: "toy".into(), program, sources: Vec::new() };
    let setup = Setup::new(config::Config::default());
    let builder = cosim::Builder::for_workspace();
    let opening = Opening { subject: &subject, setup: &setup, builder: &builder };
    (ROW.open)(&opening).unwrap()
}

#[test]
fn a_source_that_nobody_knows_is_collected_analyzed_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let source = toy();
    let collector = Collector {
        source: &*source,
        fail_if: &FailIf::Exit,
        goal: Goal { failing: 10, passing: 10, ..Goal::default() },
        folder: folder.path(),
        progress: &|_| (),
    };
    let collection = collector.collect().unwrap();
    assert_eq!(collection.stop, Stop::Enough);
    let labels = |label| collection.chosen().iter().filter(|e| e.label() == label).count();
    assert_eq!((labels(Label::Failing), labels(Label::Passing)), (10, 10));
    let sources: BTreeSet<_> = collection.entries.iter().map(|e| e.source.as_str()).collect();
    assert_eq!(sources, ["toy"].into());
    let analysis = collection.analyze(Request::default(), &|| ()).unwrap();
    assert!(analysis.separates(), "the failing runs have something of their own");
    let page = Report::of(&analysis, Limits::default()).html();
    let heading = page.split_once("<h1>").and_then(|(_, rest)| rest.split_once("</h1>"));
    let (heading, _) = heading.expect("a verdict");
    let said = heading.replace("<code>", "").replace("</code>", "").replace('\u{202f}', ",");
    assert_eq!(said, analysis.view(1).verdict, "the page says what the analysis found");
    assert!(said.starts_with("Nothing tells failing runs from passing runs"), "{said}");
    assert!(page.contains("10 failing") && page.contains("10 passing"), "the runs are counted");
    // What is there is not run again.
    let again = collector.collect().unwrap();
    assert_eq!(again.entries, collection.entries);
}
