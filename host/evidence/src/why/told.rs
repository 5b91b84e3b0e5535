//! Last writers with names in them: threads, lines, variables and values, for those who show them.

use super::{Asked, Piece, Written, history, pieces, writer_before};
use crate::account::Spot;
use crate::event::{Access, Event, Site};
use crate::log::Log;
use crate::names::Names;
use crate::verdict::{Role, inputs_of_failure};
use serde::Serialize;

/// A write or read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Writer {
    /// Who.
    pub thread: String,
    /// When: the number of its event, from 0. Events of all threads are numbered together.
    pub event: u64,
    /// What the source calls the bytes there; none if the log does not have it any more.
    pub variable: Option<String>,
    /// The value before; the first byte in the low bits.
    pub before: Option<u32>,
    /// The value after; what was read.
    pub after: Option<u32>,
    /// The function of the library that did it, if the program called one.
    pub library: Option<String>,
    /// The line.
    pub at: Spot,
    /// The calls that led there, innermost first.
    pub stack: Vec<Spot>,
}

/// Some bytes with one last writer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// How far from the first byte that was asked for.
    pub offset: u32,
    /// What they hold.
    pub bytes: Vec<u8>,
    /// Who wrote them; nobody: they are as the program was loaded, or the firmware wrote them.
    pub writer: Option<Writer>,
}

/// The block of the heap that the bytes are in was freed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Freed {
    /// Who freed it.
    pub thread: String,
    /// The number of the event with which it was freed.
    pub event: u64,
    /// The line of the call that freed it.
    pub at: Spot,
    /// Where it had been allocated.
    pub allocated: Spot,
}

/// All that is known of some bytes at the end of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Told {
    /// What was asked for.
    pub expression: String,
    /// What that address is, by itself.
    pub variable: String,
    /// The first byte.
    pub address: u32,
    /// What is there.
    pub bytes: Vec<u8>,
    /// The same by last writers.
    pub parts: Vec<Part>,
    /// The writes of any of the bytes, the newest first.
    pub history: Vec<Writer>,
    /// Older ones that are not listed.
    pub older: u64,
    /// The log is too long to have all writes.
    pub incomplete: bool,
    /// The block was freed.
    pub freed: Option<Freed>,
}

impl Told {
    /// What a log says of these bytes at the end, with at most so many writes.
    pub fn of(names: &Names, log: &Log, asked: &Asked, most: usize) -> Self {
        Self::before(names, log, asked, most, log.next(), &pieces(log, asked.range()))
    }

    /// What a log says of these bytes before an event, when they were `found` so.
    pub fn before(
        names: &Names,
        log: &Log,
        asked: &Asked,
        most: usize,
        number: u64,
        found: &[Piece],
    ) -> Self {
        let part = |piece: &Piece| Part {
            offset: piece.address - asked.address,
            bytes: piece.bytes.clone(),
            writer: piece.writer.as_ref().map(|written| writer(names, log, written)),
        };
        let mut writes = history(log, asked.range()).filter(|(at, _)| *at < number);
        let shown: Vec<Writer> = writes
            .by_ref()
            .take(most)
            .map(|(at, access)| accessed(names, log, at, access))
            .collect();
        let size = u8::try_from(asked.bytes).unwrap_or(u8::MAX);
        Self {
            expression: asked.text.clone(),
            variable: names.variable(log, asked.address, size).name,
            address: asked.address,
            bytes: found.iter().flat_map(|piece| piece.bytes.iter().copied()).collect(),
            parts: found.iter().map(part).collect(),
            history: shown,
            older: writes.count() as u64,
            incomplete: log.dropped() > 0,
            freed: freed(names, log, asked.address).filter(|freed| freed.event < number),
        }
    }

    /// The newest of the last writers.
    pub fn last(&self) -> Option<&Writer> {
        let writers = self.parts.iter().filter_map(|part| part.writer.as_ref());
        writers.max_by_key(|writer| writer.event)
    }
}

/// A read of the statement that failed, and the write that it saw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Seen {
    /// How it belongs to the failure.
    pub role: Role,
    /// Its instruction.
    pub pc: u32,
    /// The program's instruction: the same, or its call of the library.
    pub site: u32,
    /// What it read, how many bytes.
    pub bytes: u32,
    /// Where they are.
    pub address: u32,
    /// The read.
    pub read: Writer,
    /// The last write before it; none: they were as the program was loaded.
    pub writer: Option<Writer>,
    /// The block that it read was freed before.
    pub freed: Option<Freed>,
}

impl Seen {
    /// What the statement that failed had read, the surest first; nothing of a run that passed.
    pub fn by_failure(names: &Names, log: &Log) -> Vec<Self> {
        let inputs = inputs_of_failure(log).into_iter();
        let seen = inputs.filter_map(|input| {
            let number = input.read.number;
            Some(Self::by(names, log, input.role, number, log.access(number)?))
        });
        seen.collect()
    }

    /// What an instruction read when it was last executed in a run.
    pub fn at(names: &Names, log: &Log, role: Role, pc: u32, site: u32) -> Option<Self> {
        let mut events = log.events().rev();
        events.find_map(|(number, event)| match event {
            Event::Access(access) if (access.pc, access.site) == (pc, site) => {
                Some(Self::by(names, log, role, number, access))
            }
            _ => None,
        })
    }

    fn by(names: &Names, log: &Log, role: Role, number: u64, access: &Access) -> Self {
        let range = access.address..access.address.saturating_add(access.size.into());
        let before = writer_before(log, number, range);
        let freed = freed(names, log, access.address).filter(|freed| freed.event < number);
        Self {
            role,
            pc: access.pc,
            site: access.site,
            bytes: access.size.into(),
            address: access.address,
            read: accessed(names, log, number, access),
            writer: before.map(|(at, access)| accessed(names, log, at, access)),
            freed,
        }
    }
}

fn writer(names: &Names, log: &Log, written: &Written) -> Writer {
    match &written.access {
        Some(access) => accessed(names, log, written.at, access),
        None => placed(names, log, written.at, written.place),
    }
}

fn accessed(names: &Names, log: &Log, at: u64, access: &Access) -> Writer {
    let library = access.in_library_call().then(|| {
        let inside = names.functions(access.pc).pop();
        inside.map_or_else(|| "the library".to_owned(), |function| function.name)
    });
    Writer {
        variable: Some(names.of_access(log, access)),
        before: access.before,
        after: Some(access.after),
        library,
        ..placed(names, log, at, access.place())
    }
}

fn placed(names: &Names, log: &Log, at: u64, place: Site) -> Writer {
    let mut trace = log.trace(place).into_iter().map(|pc| spot(names, pc));
    let here = trace.next().unwrap_or_else(|| spot(names, place.pc));
    Writer {
        thread: log.name(place.thread).to_owned(),
        event: at,
        variable: None,
        before: None,
        after: None,
        library: None,
        at: here,
        stack: trace.collect(),
    }
}

/// The last block at an address, if it was freed and not given out again.
fn freed(names: &Names, log: &Log, address: u32) -> Option<Freed> {
    let block = log.state.heap.block(address)?;
    let (place, event) = block.freed?;
    Some(Freed {
        thread: log.name(place.thread).to_owned(),
        event,
        at: spot(names, place.pc),
        allocated: spot(names, block.allocated.pc),
    })
}

fn spot(names: &Names, pc: u32) -> Spot {
    let line = names.line(pc);
    let unknown = || if pc == 0 { "the library".to_owned() } else { format!("{pc:#x}") };
    Spot {
        line: line.as_ref().map_or_else(unknown, ToString::to_string),
        function: names.functions(pc).into_iter().next().map(|function| function.name),
        text: line.and_then(|line| names.text(&line).map(str::to_owned)),
    }
}
