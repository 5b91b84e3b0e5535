//! How often the variables of known bugs get their names, in the open half of the validation set.

use crate::common::Subject;
use evidence::event::Event;
use firmware::bugs::Mark;
use firmware::validation::{Half, Kind, Program, all};
use std::collections::BTreeSet;

/// What the marked lines of a program touched in one run, by name.
fn names(program: &Program) -> BTreeSet<String> {
    let subject = Subject::of(program.sources.clone(), &[]);
    let log = subject.run_on(program.threads, 0);
    let is_marked = |pc: u32| {
        let line = subject.names.line(pc);
        let at =
            |mark: &Mark, file: &str, line: u32| line == mark.line && mark.file.ends_with(file);
        line.is_some_and(|is| program.marks.iter().any(|mark| at(mark, &is.file, is.line)))
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
        let found = names(program);
        let is_named = |wanted: &String| {
            found.iter().any(|name| name == wanted || member(name) == member(wanted))
        };
        println!("{} {:?}: {:?} -> {found:?}", program.name, program.kind, program.variables);
        if !program.variables.iter().any(is_named) {
            missed.push((&program.name, &program.variables, found));
        }
    }
    println!("{} of {} programs", open.len() - missed.len(), open.len());
    assert!(missed.len() * 20 <= open.len(), "{missed:#?}");
}
