//! What the debugger says in words: threads, and the answers of `monitor`.

use super::super::out::{Color, Out, grouped, plural};
use super::super::why::{Document, RunFacts, nothing_known, words};
use crate::hunt::{HuntError, Recorded};
use crate::why::{About, Comparison};
use ::evidence::code::Code;
use ::evidence::log::Bytes as _;
use ::evidence::names;
use ::evidence::why::{Asked, Told};
use debugger::server::Teller;
use debugger::{Mark, Moment, Recording, Walk};
use record::Label;

const WFI: u32 = 0x1050_0073;
/// The writes that `monitor why` shows before the last.
const HISTORY: usize = 6;
const WIDTH: usize = 100;

const HELP: &str = "\
last-writer EXPR   who wrote what is there now, byte by byte
why EXPR           the same, with the writes before
why                what the failing statement read, and who wrote that
where              how far into the run this is
Expressions are those of `crosstalk why`: globals, members, constant indices, dereferences, addresses.";

/// A run's names, and what it is.
pub struct Names {
    names: names::Names,
    facts: RunFacts,
    label: Label,
    machine: &'static str,
}

impl Names {
    /// Of a run that was opened.
    pub fn new(names: names::Names, recorded: &Recorded) -> Self {
        Self {
            names,
            facts: RunFacts::of(recorded, 0),
            label: recorded.entry.label(),
            machine: recorded.on.called(),
        }
    }

    /// The line of an instruction, or its address.
    pub fn line(&self, pc: u32) -> String {
        self.names.line(pc).map_or_else(|| format!("{pc:#x}"), |line| line.to_string())
    }

    /// A hart at a moment: `hart 2: worker 1, M mode, asleep in pthread_join from main.c:40`.
    pub fn hart_at(&self, recording: &Recording, now: &Moment, hart: usize) -> String {
        let (log, mark) = (&recording.log, now.mark());
        let Some(state) = now.harts().get(hart) else { return String::new() };
        let thread = recording.thread(hart, mark);
        let name = thread.map_or("no thread", |thread| log.name(thread));
        let mode = if state.user { "U mode" } else { "M mode" };
        let asleep = now.memory().value(state.registers.pc, 4) == WFI;
        let number = recording.next_event(mark);
        let call = thread.and_then(|thread| log.waiting_call(thread, number));
        let called = call.and_then(|call| {
            Some(format!("in {} from {}", Code::called(call.function)?, self.line(call.site)))
        });
        let waits = match (asleep, called) {
            (false, None) => String::new(),
            (true, None) => ", asleep".to_owned(),
            (false, Some(called)) => format!(", {called}"),
            (true, Some(called)) => format!(", asleep {called}"),
        };
        format!("hart {hart}: {name}, {mode}{waits}")
    }

    fn document(&self) -> Document {
        Document::new(self.facts.clone(), "here", 0)
    }

    /// What is known of an expression at a moment, with so many writes.
    fn expression(&self, recording: &Recording, now: &Moment, text: &str, most: usize) -> String {
        let asked = match Asked::read(&self.names, now.memory(), text) {
            Ok(asked) => asked,
            Err(error) => return error.to_string(),
        };
        let found = recording.pieces(asked.range(), now);
        let number = recording.next_event(now.mark());
        let told = Told::before(&self.names, &recording.log, &asked, most, number, &found);
        let about = About { told, passing: Vec::new() };
        let mut out = Out::with_width(Color::Never, WIDTH);
        words::expression(&mut out, &about, &self.document());
        out.text().to_owned()
    }

    fn failure(&self, recording: &Recording) -> String {
        let nobody = |_| Err(HuntError::Refused("there are no other runs here".into()));
        let comparison = Comparison { names: &self.names, passing: &[], log: &nobody };
        let mut document = self.document();
        match comparison.reads(&recording.log) {
            Ok(reads) if reads.is_empty() => return nothing_known(self.label).to_owned(),
            Ok(reads) => document.reads = reads,
            Err(error) => return error.to_string(),
        }
        let mut out = Out::with_width(Color::Never, WIDTH);
        words::write(&mut out, &document, self.machine);
        out.text().to_owned()
    }

    fn place(&self, recording: &Recording, walk: &Walk) -> String {
        let (tape, Mark(here)) = (walk.tape(), walk.mark());
        let (end, hart) = recording.end();
        let far = match here.cmp(&end.0) {
            std::cmp::Ordering::Less => format!("{} before", grouped(end.0 - here)),
            std::cmp::Ordering::Equal => "at".to_owned(),
            std::cmp::Ordering::Greater => format!("{} after", grouped(here - end.0)),
        };
        let what = match recording.log.failure {
            Some(_) => format!("the instruction of hart {hart} that ended the run"),
            None => "the end of the run".to_owned(),
        };
        format!(
            "after {} of {}, {far} {what}; the next event is {} of {}",
            grouped(here),
            plural(tape.last().0, "step"),
            grouped(recording.next_event(walk.mark())),
            grouped(recording.log.next()),
        )
    }
}

impl Teller for Names {
    fn hart(&self, recording: &Recording, walk: &Walk, hart: usize) -> String {
        self.hart_at(recording, walk.now(), hart)
    }

    fn monitor(&self, recording: &Recording, walk: &Walk, command: &str) -> String {
        let (word, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        match (word, rest.trim()) {
            ("" | "help", _) => HELP.to_owned(),
            ("last-writer", "") => "expected an expression: monitor last-writer EXPR".to_owned(),
            ("last-writer", text) => self.expression(recording, walk.now(), text, 1),
            ("why", "") => self.failure(recording),
            ("why", text) => self.expression(recording, walk.now(), text, HISTORY + 1),
            ("where", _) => self.place(recording, walk),
            _ => format!("there is no command `{command}`; there are:\n{HELP}"),
        }
    }
}
