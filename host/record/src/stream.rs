//! Reading a stream that may be damaged: every intact frame, and where the damage is.
//!
//! After bytes that are no frame, reading goes on at the next place where a whole frame with a right
//! checksum stands. A damaged length cannot swallow what follows: it does not agree with its complement.

use crate::frame::{self, FrameKind, Parsed, SYNC};
use crate::payload::{self, Shape};
use crate::reader::Window;
use crate::{Ending, Hart, Header, Reason, Total};
use std::io::Read;

/// Bytes that yielded nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The first of them.
    pub offset: u64,
    /// How many; 0 where frames are missing altogether.
    pub bytes: u64,
    /// What is wrong with them.
    pub reason: Reason,
}

/// What a stream yields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A run begins.
    Header(Header),
    /// Edges of the run.
    Records(Vec<Total>),
    /// So many edges did this hart lose since the run began.
    Lost(Hart, u32),
    /// The run ended. With `whole`, every frame since the header arrived.
    End {
        /// How it ended.
        ending: Ending,
        /// Whether every frame of it arrived.
        whole: bool,
    },
    /// Something is missing here.
    Damage(Damage),
}

/// Reads items from a stream: an iterator that ends with the data.
#[derive(Debug)]
pub struct StreamReader<R> {
    window: Window<R>,
    /// The number that the next frame should have, once there was one.
    sequence: Option<u8>,
    /// The checksum of the run's frames, and how many records they had, while none is missing.
    run: Option<(u32, u64)>,
    damage: Option<Damage>,
    /// A frame that was understood while there was damage to tell of first.
    waiting: Option<Item>,
    failed: bool,
}

impl<R: Read> StreamReader<R> {
    /// Reads from the beginning of `bytes`, or from the middle of a frame: it does not matter.
    pub fn new(bytes: R) -> Self {
        let window = Window::new(bytes);
        Self { window, sequence: None, run: None, damage: None, waiting: None, failed: false }
    }

    /// Where in the stream reading goes on.
    pub fn offset(&self) -> u64 {
        self.window.offset
    }

    /// The next frame, or damage that ended; `None` to go on.
    fn step(&mut self) -> Option<Item> {
        let offset = self.window.offset;
        let frame = match frame::parse(self.window.seen()) {
            Parsed::Frame(frame) => frame,
            Parsed::Bad(reason) => {
                self.skip(reason);
                return None;
            }
            Parsed::Incomplete(size) => {
                if self.window.ended() {
                    let missing = size - self.window.seen().len();
                    self.skip(Reason::Truncated { missing });
                } else if let Err(reason) = self.window.more() {
                    self.failed = true;
                    return Some(Item::Damage(Damage { offset, bytes: 0, reason }));
                }
                return None;
            }
        };
        let used = frame.len();
        let begins = frame.kind == FrameKind::Header;
        let found = frame.sequence;
        let gap = self.sequence.filter(|expected| *expected != found && !begins);
        if begins {
            self.run = Some((0, 0));
        } else if gap.is_some() {
            self.run = None;
        }
        let item = match item(&frame, self.run) {
            Ok(item) => item,
            Err(reason) => {
                // Its checksum is right, so nothing that is hidden inside it is a frame.
                self.skip_frame(used, reason);
                self.sequence = Some(found.wrapping_add(1));
                self.run = None;
                return None;
            }
        };
        if let (Some((chain, records)), Some(run)) = (self.run, &mut self.run) {
            let more = if let Item::Records(these) = &item { these.len() as u64 } else { 0 };
            *run = (frame::chain(chain, frame.checksum), records + more);
        }
        if matches!(item, Item::End { .. }) {
            self.run = None;
        }
        self.sequence = Some(found.wrapping_add(1));
        self.window.advance(used);
        let missing = gap.map(|expected| {
            let reason = Reason::Sequence { expected, found };
            Damage { offset, bytes: 0, reason }
        });
        match self.damage.take().or(missing) {
            None => Some(item),
            Some(damage) => {
                self.waiting = Some(item);
                Some(Item::Damage(damage))
            }
        }
    }

    /// Passes over a byte, and over those after it that begin no frame.
    fn skip(&mut self, reason: Reason) {
        let rest = self.window.seen().get(1..).unwrap_or_default();
        let next = rest.iter().position(|byte| *byte == SYNC[0]).unwrap_or(rest.len());
        self.skip_frame(1 + next, reason);
    }

    fn skip_frame(&mut self, bytes: usize, reason: Reason) {
        let offset = self.window.offset;
        self.damage.get_or_insert(Damage { offset, bytes: 0, reason }).bytes += bytes as u64;
        self.window.advance(bytes);
    }
}

/// What a frame says; `run` is what is known of the frames before it.
fn item(frame: &frame::Frame<'_>, run: Option<(u32, u64)>) -> Result<Item, Reason> {
    Ok(match frame.kind {
        FrameKind::Header => Item::Header(payload::read_header(frame.payload)?),
        FrameKind::Lost => {
            let (hart, lost) = payload::read_lost(frame.payload)?;
            Item::Lost(hart, lost)
        }
        FrameKind::End => {
            let end = payload::read_end(frame.payload)?;
            Item::End { ending: end.ending, whole: run == Some((end.chain, end.records)) }
        }
        kind => {
            let mut records = Vec::new();
            if let Some(shape) = Shape::of_kind(kind) {
                shape.read(frame.payload, &mut records)?;
            }
            Item::Records(records)
        }
    })
}

impl<R: Read> Iterator for StreamReader<R> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        if let Some(item) = self.waiting.take() {
            return Some(item);
        }
        loop {
            if self.failed {
                return None;
            }
            if self.window.seen().is_empty() {
                if self.window.ended() {
                    return self.damage.take().map(Item::Damage);
                }
                if let Err(reason) = self.window.more() {
                    self.failed = true;
                    let (offset, bytes) = (self.window.offset, 0);
                    return Some(Item::Damage(Damage { offset, bytes, reason }));
                }
                continue;
            }
            if let Some(item) = self.step() {
                return Some(item);
            }
        }
    }
}
