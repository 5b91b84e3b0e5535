//! A board's serial output as a plain reader.

use super::board::{Board, BoardError, within};
use super::line::Line;
use border::{Stop, Target};
use std::io::{self, Read};
use std::time::Duration;

/// Reads what a board sends, and ends where nothing more comes.
pub struct Listening<'a> {
    /// Waits for the next bytes.
    next: Box<dyn FnMut() -> Result<Vec<u8>, LineEnd> + 'a>,
    /// Bytes that came and were not read yet.
    unread: Vec<u8>,
    /// Why nothing more came, once that is known.
    pub end: Option<LineEnd>,
}

/// Why nothing more comes.
#[derive(Debug)]
pub enum LineEnd {
    /// The line was silent for as long as allowed.
    Silent,
    /// The line is closed or broken.
    Failed(BoardError),
}

impl<'a> Listening<'a> {
    /// Listens to whatever is at a line, until it is silent for this long.
    pub fn to_line(line: &'a mut impl Line, silence: Duration) -> Self {
        Self::new(move || match within(line, silence) {
            Ok(bytes) if bytes.is_empty() => Err(LineEnd::Silent),
            bytes => bytes.map_err(LineEnd::Failed),
        })
    }

    /// Runs a board until its line is silent for this long.
    pub fn to_board<L: Line>(board: &'a mut Board<'_, L>, silence: Duration) -> Self {
        let silence = u64::try_from(silence.as_micros()).unwrap_or(u64::MAX);
        Self::new(move || {
            let limit = board.time().saturating_add(silence);
            match board.run(limit).map_err(LineEnd::Failed)? {
                Stop::Serial => Ok(board.take_serial()),
                Stop::Told { .. } | Stop::Stuck | Stop::Limit => Err(LineEnd::Silent),
            }
        })
    }

    fn new(next: impl FnMut() -> Result<Vec<u8>, LineEnd> + 'a) -> Self {
        Self { next: Box::new(next), unread: Vec::new(), end: None }
    }
}

impl Read for Listening<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.unread.is_empty() && self.end.is_none() {
            match (self.next)() {
                Ok(bytes) => self.unread = bytes,
                Err(end) => self.end = Some(end),
            }
        }
        let read = (&self.unread[..]).read(buffer)?;
        self.unread.drain(..read);
        Ok(read)
    }
}
