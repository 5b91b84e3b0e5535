//! Reads a stream that may be damaged: every intact frame, and the location of damage.
//!
//! After bytes that are not a frame, reading continues at the next complete frame with a valid
//! checksum. A damaged length cannot skip what follows: it does not match its complement.

use crate::frame::{self, FrameKind, Parsed, SYNC};
use crate::payload::{self, Shape};
use crate::reader::Window;
use crate::{Ending, Hart, Header, Limits, Reason, Total};
use std::io::Read;

/// Bytes that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Offset of the first of them.
    pub offset: u64,
    /// Number of bytes; 0 if whole frames are missing.
    pub bytes: u64,
    /// Why they could not be read.
    pub reason: Reason,
}

/// What a stream yields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A run begins.
    Header(Header),
    /// Edges of the run.
    Records(Vec<Total>),
    /// Number of edges this hart has lost since the run began.
    Lost(Hart, u32),
    /// The run ended. With `whole`, every frame since the header arrived.
    End {
        /// How it ended.
        ending: Ending,
        /// Whether every frame of it arrived.
        whole: bool,
    },
    /// Bytes that could not be read, or missing frames.
    Damage(Damage),
}

/// Reads items from a stream: an iterator that ends with the data.
#[derive(Debug)]
pub struct StreamReader<R> {
    window: Window<R>,
    /// Expected number of the next frame, once one was read.
    sequence: Option<u8>,
    /// Checksum and record count of the run's frames, while none is missing.
    run: Option<(u32, u64)>,
    /// What the run's header says of its edges, if it arrived.
    limits: Option<Limits>,
    damage: Option<Damage>,
    /// A frame that was read after damage that must be reported first.
    waiting: Option<Item>,
    failed: bool,
}

impl<R: Read> StreamReader<R> {
    /// Reads from `bytes`, which may start in the middle of a frame.
    pub fn new(bytes: R) -> Self {
        let window = Window::new(bytes);
        Self {
            window,
            sequence: None,
            run: None,
            limits: None,
            damage: None,
            waiting: None,
            failed: false,
        }
    }

    /// Offset in the stream of the next byte to read.
    pub fn offset(&self) -> u64 {
        self.window.offset
    }

    /// The next frame, or damage that ended; `None` to continue.
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
            // Its header may be among what is missing.
            (self.run, self.limits) = (None, None);
        }
        let item = match item(&frame, self.run, self.limits) {
            Ok(item) => item,
            Err(reason) => {
                // Its checksum is valid, so no bytes inside it are a frame.
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
        match &item {
            Item::Header(header) => self.limits = Some(header.into()),
            Item::End { .. } => (self.run, self.limits) = (None, None),
            _ => {}
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

    /// Skips a byte, and the bytes after it that begin no frame.
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

/// Decodes a frame; `run` is the state of the frames before it, `limits` what its header promised.
fn item(
    frame: &frame::Frame<'_>,
    run: Option<(u32, u64)>,
    limits: Option<Limits>,
) -> Result<Item, Reason> {
    Ok(match frame.kind {
        FrameKind::Header => Item::Header(payload::read_header(frame.payload)?),
        FrameKind::Lost => {
            let (hart, lost) = payload::read_lost(frame.payload)?;
            limits.map_or(Ok(()), |limits| limits.check_lost(hart))?;
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
                if let Some(limits) = limits {
                    records.iter().try_for_each(|total| limits.check(&total.edge))?;
                }
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
