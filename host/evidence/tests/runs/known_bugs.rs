//! Whether the variables of known bugs get their names: in the suite, and in the open half of the validation set.

use crate::common::Subject;
use evidence::event::Event;
use firmware::bugs::{self, Mark};
use firmware::validation::{Half, Kind, all};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What the marked lines of a program touched in one run, by name.
fn names(sources: Vec<PathBuf>, threads: u32, marks: &[Mark]) -> BTreeSet<String> {
    let subject = Subject::of(sources, &[]);
    let log = subject.run_on(threads, 0);
    let is_marked = |pc: u32| {
        let line = subject.names.line(pc);
        let at =
            |mark: &Mark, file: &str, line: u32| line == mark.line && mark.file.ends_with(file);
        line.is_some_and(|is| marks.iter().any(|mark| at(mark, &is.file, is.line)))
    };
    let mut seen = BTreeSet::new();
    let mut found = BTreeSet::new();
    for (_, event) in log.events() {
        let (site, address) = match event {
            Event::Access(access) => (access.site, access.address),
            Event::Call(call) => (call.site, call.values[0]),
            _ => continue,
        };
        if !seen.insert((site, address)) || !is_marked(site) {
            continue;
        }
        found.insert(match event {
            Event::Access(access) => subject.names.of_access(&log, access),
            _ => subject.names.of_object(&log, address, site),
        });
    }
    found
}

/// The last member of a name, without indexes.
fn member(name: &str) -> &str {
    let last = name.rsplit(['.', '>']).next().unwrap_or(name);
    last.split('[').next().unwrap_or(last)
}

#[test]
fn variables_of_known_bugs_are_named_as_the_programs_name_them() {
    let programs = all().expect("the validation set");
    let open: Vec<_> = programs
        .into_iter()
        .filter(|one| one.half == Half::Open && one.kind != Kind::Plain)
        .collect();
    let mut missed = Vec::new();
    for program in &open {
        let found = names(program.sources.clone(), program.threads, &program.marks);
        let is_named = |wanted: &String| {
            found.iter().any(|name| name == wanted || member(name) == member(wanted))
        };
        if !program.variables.iter().any(is_named) {
            missed.push((&program.name, &program.variables, found));
        }
    }
    println!("{} of {} programs", open.len() - missed.len(), open.len());
    assert!(missed.len() * 20 <= open.len(), "{missed:#?}");
}

#[test]
fn variables_of_the_suite_are_named() {
    for bug in bugs::ALL {
        let found = names(bug.sources(), bug.harts, &bug.marks().expect("marks"));
        let is_named = |wanted: &str| found.iter().any(|name| member(name) == member(wanted));
        assert!(bug.variables.iter().all(|wanted| is_named(wanted)), "{}: {found:?}", bug.name);
    }
}
