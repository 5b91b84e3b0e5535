//! Reads a run file; any damage is an error.

use crate::frame::{self, FrameKind, MAX_FRAME, Parsed, SYNC};
use crate::payload::{self, Shape};
use crate::run::label_of;
use crate::{Ending, Hart, Header, Label, Limits, ReadError, Reason, Total};
use std::collections::BTreeMap;
use std::io::{ErrorKind, Read};

/// Reads a run file, a frame at a time.
#[derive(Debug)]
pub struct RunReader<R> {
    window: Window<R>,
    header: Header,
    lost: BTreeMap<Hart, u32>,
    ending: Option<Ending>,
    /// The records of the last frame.
    records: Vec<Total>,
    sequence: u8,
    chain: u32,
    count: u64,
}

impl<R: Read> RunReader<R> {
    /// Reads the header.
    pub fn new(bytes: R) -> Result<Self, ReadError> {
        let mut window = Window::new(bytes);
        let start = window.filled(SYNC.len()).map_err(|reason| ReadError::new(0, reason))?;
        if start.is_empty() {
            return Err(ReadError::new(0, Reason::Empty));
        }
        if !start.starts_with(&SYNC) && !SYNC.starts_with(start) {
            let start = window.filled(8).unwrap_or_default();
            let seen = payload::hex(&start[..start.len().min(8)]);
            return Err(ReadError::new(0, Reason::Foreign(seen)));
        }
        let mut reader = Self {
            window,
            header: Header::default(),
            lost: BTreeMap::new(),
            ending: None,
            records: Vec::new(),
            sequence: 0,
            chain: 0,
            count: 0,
        };
        reader.step(true)?;
        Ok(reader)
    }

    /// The run's header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The next records, at least one; `None` at the end of a complete run.
    pub fn next_records(&mut self) -> Result<Option<&[Total]>, ReadError> {
        self.records.clear();
        while self.records.is_empty() {
            if self.ending.is_some() {
                return Ok(None);
            }
            self.step(false)?;
        }
        Ok(Some(&self.records))
    }

    /// How the run ended, once its end was read.
    pub fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// Edges lost by each hart, as far as read.
    pub fn lost(&self) -> &BTreeMap<Hart, u32> {
        &self.lost
    }

    /// The run's label, once its end was read.
    pub fn label(&self) -> Label {
        self.ending.as_ref().map_or(self.header.label, |ending| label_of(&self.header, ending))
    }

    /// Header, lost counts and ending; the ending is the default until its frame was read.
    pub fn into_parts(self) -> (Header, BTreeMap<Hart, u32>, Ending) {
        (self.header, self.lost, self.ending.unwrap_or_default())
    }

    /// Reads one frame.
    fn step(&mut self, first: bool) -> Result<(), ReadError> {
        let offset = self.window.offset;
        let at = |reason| ReadError::new(offset, reason);
        let bytes = self.window.filled(MAX_FRAME).map_err(at)?;
        if bytes.is_empty() {
            return Err(at(Reason::NoEnd));
        }
        let frame = match frame::parse(bytes) {
            Parsed::Frame(frame) => frame,
            Parsed::Bad(reason) => return Err(at(reason)),
            Parsed::Incomplete(size) => {
                return Err(at(Reason::Truncated { missing: size - bytes.len() }));
            }
        };
        if first != (frame.kind == FrameKind::Header) {
            let expected = if first { "header" } else { "records, lost or end" };
            return Err(at(Reason::OutOfPlace(frame.kind.name().replace('_', " "), expected)));
        }
        if frame.sequence != self.sequence {
            let (expected, found) = (self.sequence, frame.sequence);
            return Err(at(Reason::Sequence { expected, found }));
        }
        match frame.kind {
            FrameKind::Header => self.header = payload::read_header(frame.payload).map_err(at)?,
            FrameKind::Lost => {
                let (hart, lost) = payload::read_lost(frame.payload).map_err(at)?;
                Limits::from(&self.header).check_lost(hart).map_err(at)?;
                let kept = self.lost.entry(hart).or_default();
                *kept = lost.max(*kept);
            }
            FrameKind::End => {
                let end = payload::read_end(frame.payload).map_err(at)?;
                if end.records != self.count {
                    let (said, found) = (end.records, self.count);
                    return Err(at(Reason::Records { said, found }));
                }
                if end.chain != self.chain {
                    return Err(at(Reason::Chain));
                }
                if bytes.len() > frame.len() {
                    let more = bytes.len() - frame.len();
                    return Err(ReadError::new(
                        offset + frame.len() as u64,
                        Reason::Trailing(more),
                    ));
                }
                self.ending = Some(end.ending);
            }
            kind => {
                if let Some(shape) = Shape::of_kind(kind) {
                    shape.read(frame.payload, &mut self.records).map_err(at)?;
                    let limits = Limits::from(&self.header);
                    let mut edges = self.records.iter().map(|total| &total.edge);
                    edges.try_for_each(|edge| limits.check(edge)).map_err(at)?;
                    self.count += self.records.len() as u64;
                }
            }
        }
        self.sequence = self.sequence.wrapping_add(1);
        self.chain = frame::chain(self.chain, frame.checksum);
        let used = frame.len();
        self.window.advance(used);
        Ok(())
    }
}

/// A bounded buffer over the data to come.
#[derive(Debug)]
pub(crate) struct Window<R> {
    bytes: R,
    buffer: Vec<u8>,
    start: usize,
    /// Offset of `start` in the data.
    pub offset: u64,
    ended: bool,
}

/// Bytes per read.
const CHUNK: usize = 1 << 16;

impl<R: Read> Window<R> {
    pub fn new(bytes: R) -> Self {
        Self { bytes, buffer: Vec::new(), start: 0, offset: 0, ended: false }
    }

    /// The buffered bytes, at least `wanted` unless the data ends before.
    pub fn filled(&mut self, wanted: usize) -> Result<&[u8], Reason> {
        while self.buffer.len() - self.start < wanted && !self.ended {
            self.more()?;
        }
        Ok(&self.buffer[self.start..])
    }

    /// The bytes already buffered.
    pub fn seen(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    /// Whether the data ends after the buffer.
    pub fn ended(&self) -> bool {
        self.ended
    }

    /// Reads once.
    pub fn more(&mut self) -> Result<(), Reason> {
        self.buffer.drain(..self.start);
        self.start = 0;
        let kept = self.buffer.len();
        self.buffer.resize(kept + CHUNK, 0);
        let read = loop {
            match self.bytes.read(&mut self.buffer[kept..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        self.buffer.truncate(kept + *read.as_ref().unwrap_or(&0));
        match read {
            Ok(0) => self.ended = true,
            Ok(_) => {}
            Err(error) => return Err(Reason::Io(error.to_string())),
        }
        Ok(())
    }

    pub fn advance(&mut self, bytes: usize) {
        self.start += bytes;
        self.offset += bytes as u64;
    }
}
