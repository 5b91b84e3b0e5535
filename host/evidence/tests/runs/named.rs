//! Names of what a program does to globals, heap blocks and stacks.

use crate::common::Subject;
use evidence::event::{AccessKind, Event};
use evidence::log::Log;
use std::collections::BTreeSet;

/// Everything that a run did, as `line verb name`.
fn deeds(subject: &Subject, log: &Log) -> BTreeSet<String> {
    let told = |event: &Event| match event {
        Event::Access(access) => {
            let line = subject.names.line(access.site)?.line;
            let verb = match access.kind {
                AccessKind::Read => "reads",
                AccessKind::Write => "writes",
                AccessKind::Update => "updates",
            };
            Some(format!("{line} {verb} {}", subject.names.of_access(log, access)))
        }
        Event::Call(call) => {
            let line = subject.names.line(call.site)?.line;
            let name = subject.names.of_object(log, call.values[0], call.site);
            Some(format!("{line} {:?} {name}", call.function))
        }
        _ => None,
    };
    log.events().filter_map(|(_, event)| told(event)).collect()
}

/// All of these must be among the deeds.
fn expect(subject: &Subject, log: &Log, wanted: &[&str]) {
    let deeds = deeds(subject, log);
    let missing: Vec<_> = wanted.iter().filter(|one| !deeds.contains(**one)).collect();
    let shown = |line: &&String| !line.contains("stack of");
    assert!(
        missing.is_empty(),
        "missing: {missing:#?}\nof {:#?}",
        deeds.iter().filter(shown).collect::<Vec<_>>()
    );
}

#[test]
fn members_of_heap_objects_are_named_as_the_source_writes_them() {
    let subject = Subject::new("named.c");
    let wanted = [
        "11 reads table->pair.b",
        "15 writes n->value",
        "16 MutexLock n->lock",
        "17 reads t->n",
        "17 writes n->value",
        "19 MutexLock t->inl[t->n].lock",
        "20 updates n->refs",
        "21 updates n->refs",
        "22 reads n->refs",
        "23 writes n->refs",
        "24 reads t->slots",
        "24 writes t->slots[t->n]",
        "27 reads t->slots[3]",
        "39 writes calls",
        "40 writes table->pair.b",
        "41 writes table->slots",
        "41 writes table->slots[7]",
    ];
    expect(&subject, &subject.run(0), &wanted);
}
