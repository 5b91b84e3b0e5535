//! Why memory holds what it holds: the last writer of every byte at the end of a run, and the writes before.
//!
//! Last writers are exact for any byte, however long the run was; the writes before them are those that the
//! log still has.

mod expression;
mod told;

pub use expression::{Asked, ExpressionError};
pub use told::{Freed, Part, Seen, Told, Writer};

use crate::event::{Access, Event, Site};
use crate::log::{Bytes, Log, Write};
use std::ops::Range;

/// Neighboring bytes with one last writer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where the first of them is.
    pub address: u32,
    /// What they hold.
    pub bytes: Vec<u8>,
    /// Who wrote them last; nobody: they are as the program was loaded, or the firmware wrote them.
    pub writer: Option<Written>,
}

/// A write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// The number of its event.
    pub at: u64,
    /// Where in the program, and by whom.
    pub place: Site,
    /// The access, if the log still has it.
    pub access: Option<Access>,
}

impl Written {
    /// The write of an event, at a place.
    pub fn of(log: &Log, at: u64, place: Site) -> Self {
        Self { at, place, access: log.event(at).and_then(accessed).copied() }
    }
}

/// The bytes of a range at the end of the run, by their last writers.
pub fn pieces(log: &Log, range: Range<u32>) -> Vec<Piece> {
    let written = |write: Write| Written::of(log, write.at, write.place);
    pieces_of(range, &log.memory, |address| log.memory.writer(address).map(written))
}

/// The bytes of a range by their last writers, where this is in memory and `writer` knows who wrote a byte.
pub fn pieces_of(
    range: Range<u32>,
    memory: &dyn Bytes,
    writer: impl Fn(u32) -> Option<Written>,
) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for address in range {
        let (byte, writer) = (memory.byte(address), writer(address));
        let at = |writer: &Option<Written>| writer.map(|writer| writer.at);
        match pieces.last_mut().filter(|piece| at(&piece.writer) == at(&writer)) {
            Some(piece) => piece.bytes.push(byte),
            None => pieces.push(Piece { address, bytes: vec![byte], writer }),
        }
    }
    pieces
}

/// All writes of any byte of a range that the log has, the newest first.
pub fn history(log: &Log, range: Range<u32>) -> impl Iterator<Item = (u64, &Access)> {
    let events = log.events().rev();
    let writes = events.filter_map(|(number, event)| Some((number, accessed(event)?)));
    writes.filter(move |(_, access)| access.kind.writes() && touches(access, &range))
}

/// The write before an event whose value a read of these bytes saw; of several, the newest.
pub fn writer_before(log: &Log, number: u64, range: Range<u32>) -> Option<(u64, &Access)> {
    history(log, range).find(|(at, _)| *at < number)
}

fn accessed(event: &Event) -> Option<&Access> {
    match event {
        Event::Access(access) | Event::Inside(access) => Some(access),
        _ => None,
    }
}

fn touches(access: &Access, range: &Range<u32>) -> bool {
    let end = u64::from(access.address) + u64::from(access.size);
    u64::from(range.start) < end && access.address < range.end
}
