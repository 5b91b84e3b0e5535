//! Names of what a program does to globals, heap blocks and stacks.

use crate::common::Subject;
use evidence::event::{AccessKind, Event};
use evidence::log::{Ending, Log};
use evidence::names::{Accesses, Memory};
use std::collections::BTreeSet;
use std::path::Path;

/// Everything that a run did on marked lines, as `mark verb name`.
fn deeds(subject: &Subject, log: &Log) -> BTreeSet<String> {
    let names = &subject.names;
    let told = |event: &Event| match event {
        Event::Access(access) => {
            let verb = match access.kind {
                AccessKind::Read => "reads",
                AccessKind::Write => "writes",
                AccessKind::Update => "updates",
            };
            let name = names.of_access(log, access);
            Some(format!("{} {verb} {name}", subject.mark(access.site)))
        }
        Event::Call(call) => {
            let name = names.of_object(log, call.values[0], call.site);
            Some(format!("{} {:?} {name}", subject.mark(call.site), call.function))
        }
        _ => None,
    };
    log.events().filter_map(|(_, event)| told(event)).collect()
}

/// Runs the program at a level of optimization; all of these must be among its deeds.
fn expect(level: &str, wanted: &[&str]) {
    let subject = Subject::with("named.c", &[level]);
    let log = subject.run(0);
    assert_eq!(*log.ending(), Ending::Exit { code: 0 }, "{level}");
    let deeds = deeds(&subject, &log);
    let missing: Vec<_> = wanted.iter().filter(|one| !deeds.contains(**one)).collect();
    let is_of_interest = |line: &&String| !line.starts_with("line ") && !line.contains("stack of");
    let had: Vec<_> = deeds.iter().filter(is_of_interest).collect();
    assert!(missing.is_empty(), "{level}: missing {missing:#?} of {had:#?}");
}

/// What holds at every level.
const ALWAYS: [&str; 32] = [
    "value writes made->value",
    "lock MutexLock n->lock",
    "compound writes n->value",
    "compound reads t->used",
    "macro MutexLock t->slots[0]->lock",
    "lock-inside MutexLock t->inside[t->used % 2].lock",
    "fetch-add updates n->refs",
    "atomic-step updates n->refs",
    "atomic-load reads n->refs",
    "atomic-store writes n->refs",
    "slot reads t->slots",
    "slot writes t->slots[t->used % 4]",
    "step writes t->used",
    "bump writes t->pair.b",
    "chain reads t->slots[0]->value",
    "chain reads (*t).inside[2].value",
    "cast writes t->pair.a",
    "union writes t->number",
    "union reads flag",
    "tail writes t->tail[2]",
    "tail reads t->hook",
    "copy reads corners[2]",
    "element writes path[t->used % 2].y",
    "sum writes (path + 2)->z",
    "rows writes rows[3][1]",
    "lock-board MutexLock board->lock",
    "points writes board->points",
    "static writes calls",
    "zeroed writes table->pair.b",
    "hook writes table->hook",
    "slots writes table->slots[3]",
    "clear writes path[2].y",
];

#[test]
fn accesses_are_named_as_the_source_writes_them() {
    for level in ["-O0", "-O1", "-O2", "-Os"] {
        expect(level, &ALWAYS);
    }
}

#[test]
fn what_the_library_copies_is_named_by_the_arguments_of_the_call() {
    let wanted = [
        "label writes n->label[0]",
        "copy-label writes t->inside[1].label[3]",
        "copy-label reads n->label[2]",
    ];
    expect("-O0", &wanted);
}

#[test]
fn objects_are_known_by_where_they_are() {
    let subject = Subject::with("named.c", &["-O0"]);
    let log = subject.run(0);
    let at = |mark: &str, kind: AccessKind| {
        let accesses = log.events().filter_map(|(_, event)| match event {
            Event::Access(access) => Some(access),
            _ => None,
        });
        let mut found = accesses.filter(|one| subject.mark(one.site) == mark && one.kind == kind);
        let access = found.next().expect("an access");
        subject.names.variable(&log, access.address, access.size)
    };
    let rows = at("rows", AccessKind::Write);
    assert_eq!((rows.name.as_str(), rows.object.as_str()), ("rows[3][1]", "rows"));
    assert_eq!(rows.kind, Memory::Global);
    let value = at("value", AccessKind::Write);
    assert_eq!((value.name.as_str(), value.object.as_str()), ("made->value", "made"));
    let Memory::Heap { allocated } = value.kind else { panic!("{value:?}") };
    assert_eq!(subject.mark(log.trace(allocated)[0]), "zeroed");
    let free = log.events().find_map(|(_, event)| match event {
        Event::Access(access) => {
            let variable = subject.names.variable(&log, access.address, access.size);
            (variable.name == "first_free").then_some(variable.kind)
        }
        _ => None,
    });
    assert_eq!(free, Some(Memory::Library), "what `malloc` keeps for itself");
    let points = at("points", AccessKind::Write);
    let Memory::Stack { thread } = points.kind else { panic!("{points:?}") };
    assert_eq!((log.name(thread), points.name.as_str()), ("main", "mine.points"));
    let saved = at("saved", AccessKind::Write);
    assert!(!saved.is_named && saved.object.starts_with("the stack of "), "{saved:?}");
}

#[test]
fn functions_tell_what_was_inlined_where() {
    let subject = Subject::with("named.c", &["-O2"]);
    let log = subject.run(0);
    let bump = log.events().find_map(|(_, event)| match event {
        Event::Access(access) if subject.mark(access.site) == "bump" => Some(access.site),
        _ => None,
    });
    let functions = subject.names.functions(bump.expect("an access"));
    let shown: Vec<_> = functions
        .iter()
        .map(|one| {
            let line = one.line.as_ref().expect("a line");
            (one.name.as_str(), line.to_string(), subject.names.text(line).expect("its text"))
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("bump", "named.c:57".to_owned(), "*which += 1; /* @bump */"),
            ("worker", "named.c:84".to_owned(), "bump(&t->pair.b);"),
        ]
    );
}

#[test]
fn without_debug_information_symbols_are_left() {
    let subject = Subject::with("named.c", &["-g0", "-O0"]);
    let log = subject.run(0);
    let deeds = deeds(&subject, &log);
    let names: BTreeSet<_> = deeds.iter().filter_map(|deed| deed.rsplit(' ').next()).collect();
    assert!(names.contains("table") && names.contains("rows+28"), "{names:?}");
    assert!(names.iter().any(|name| name.starts_with("0x")));
}

#[test]
fn a_merged_access_is_told_by_the_line_that_lacks_one() {
    // The compiler makes one load of the first of `find` in all callers; the insertion behind it has a load of its own.
    let set = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../firmware/fourth-set");
    let subject = Subject::of(vec![set.join("peer-directory.c")], &[]);
    let log = subject.run(0);
    let merged = log.events().filter_map(|(_, event)| match event {
        Event::Access(access) if access.kind == AccessKind::Read => {
            let pc = access.site;
            let is_first = subject.names.of_access(&log, access).ends_with(".first");
            (is_first && subject.names.line(pc).is_none()).then_some(pc)
        }
        _ => None,
    });
    let line = |pc| subject.names.merged(pc, Accesses::Reads, |text| text.contains("->first"));
    let lines: BTreeSet<_> = merged.map(|pc| line(pc).map(|line| line.to_string())).collect();
    assert_eq!(lines, BTreeSet::from([Some("peer-directory.c:49".to_owned())]));
}
