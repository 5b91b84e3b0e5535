//! A board as a [`Target`]: it runs a program, and all that is seen of it is what the program sends.
//!
//! After *go* the loader takes a reset and nothing else, so memory, devices and harts of a running board cannot
//! be looked at. How the run ended is in the record stream that the firmware sends ([`super::receive`]).

use super::frames::Description;
use super::line::Line;
use super::load::{CableError, load};
use border::map::RAM;
use border::{Place, Program, Stop, Target, Whereabouts};
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::time::{Duration, Instant};

/// A board that runs a program. Its time is the host's, in microseconds since the program was started: a board
/// does not report its cycles before the run has ended.
#[derive(Debug)]
pub struct Board<'a, L> {
    line: &'a mut L,
    description: Description,
    started: Instant,
    /// Bytes that came and were not taken yet.
    sent: Vec<u8>,
}

/// Why a board cannot go on, or does not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum BoardError {
    /// The board has no way to do this.
    #[error(
        "unsupported on a board: {request}; the serial line carries only what the program sends"
    )]
    Unsupported {
        /// What it was asked for.
        request: &'static str,
    },
    /// The other end is gone.
    #[error("the serial line was closed")]
    Closed,
    /// The line does not work.
    #[error("the serial line fails: {0}")]
    Line(io::Error),
}

impl From<io::Error> for BoardError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::UnexpectedEof => Self::Closed,
            _ => Self::Line(error),
        }
    }
}

impl<'a, L: Line> Board<'a, L> {
    /// Resets the board, loads a program and starts it. `prepare` makes the program for the board that answers
    /// within `patience`; `progress` is called with every frame.
    ///
    /// # Errors
    /// If the board does not answer or the program does not suit it.
    pub fn start(
        line: &'a mut L,
        patience: Duration,
        prepare: impl FnOnce(&Description) -> Result<Program, String>,
        progress: impl Fn(),
    ) -> Result<Self, CableError> {
        let (description, sent) = load(line, patience, prepare, progress)?;
        Ok(Self { line, description, started: Instant::now(), sent })
    }
}

/// What comes over a line within this time; nothing: silence.
pub(super) fn within(line: &mut impl Line, patience: Duration) -> Result<Vec<u8>, BoardError> {
    let mut buffer = [0; 4096];
    let read = line.read_within(&mut buffer, patience)?;
    Ok(buffer[..read].to_vec())
}

fn unsupported<T>(request: &'static str) -> Result<T, BoardError> {
    Err(BoardError::Unsupported { request })
}

impl<L: Line> Target for Board<'_, L> {
    type Error = BoardError;

    const TIME_UNIT: &'static str = "microsecond";

    fn harts(&self) -> usize {
        self.description.machine.harts as usize
    }

    fn ram(&self) -> Range<u64> {
        let base = u64::from(RAM.base);
        base..base + u64::from(self.description.machine.simulation.ram_bytes)
    }

    fn time(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    fn watch(&mut self, _: Place) -> Result<(), BoardError> {
        unsupported("watching memory")
    }

    /// Waits for bytes of the program. A board never says that it is stuck: it falls silent.
    fn run(&mut self, limit: u64) -> Result<Stop, BoardError> {
        if self.sent.is_empty() {
            let left = Duration::from_micros(limit.saturating_sub(self.time()));
            self.sent = within(self.line, left)?;
        }
        Ok(if self.sent.is_empty() { Stop::Limit } else { Stop::Serial })
    }

    fn acknowledge(&mut self) -> Result<(), BoardError> {
        unsupported("clearing `tohost`")
    }

    fn take_serial(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.sent)
    }

    fn read(&mut self, _: u32, _: &mut [u8]) -> Result<(), BoardError> {
        unsupported("reading memory")
    }

    fn write(&mut self, _: u32, _: u64) -> Result<(), BoardError> {
        unsupported("writing memory")
    }

    fn device(&mut self, _: u32) -> Result<u32, BoardError> {
        unsupported("reading a device")
    }

    fn set_device(&mut self, _: u32, _: u32) -> Result<(), BoardError> {
        unsupported("writing a device")
    }

    fn whereabouts(&self, _: usize) -> Result<Whereabouts, BoardError> {
        unsupported("reading a hart's state")
    }
}

#[cfg(test)]
mod tests {
    use super::super::Listening;
    use super::super::listen::LineEnd;
    use super::*;
    use config::Config;
    use std::collections::VecDeque;
    use std::io::Read;

    /// A line on which this comes, and then nothing: `None` is silence.
    struct Script(VecDeque<Option<&'static [u8]>>);

    impl Line for Script {
        fn read_within(&mut self, buffer: &mut [u8], _: Duration) -> io::Result<usize> {
            let Some(next) = self.0.pop_front() else {
                return Err(ErrorKind::UnexpectedEof.into());
            };
            let bytes = next.unwrap_or_default();
            buffer[..bytes.len()].copy_from_slice(bytes);
            Ok(bytes.len())
        }

        fn send(&mut self, _: &[u8]) -> io::Result<()> {
            Ok(())
        }
    }

    fn script<const N: usize>(parts: [Option<&'static [u8]>; N]) -> Script {
        Script(parts.into())
    }

    /// A board that has sent `sent` before it was first run.
    fn board<'a>(line: &'a mut Script, sent: &[u8]) -> Board<'a, Script> {
        let machine = Config { harts: 2, ..Config::default() };
        let description = Description { board: "test".into(), clock_hz: 1, machine };
        Board { line, description, started: Instant::now(), sent: sent.to_vec() }
    }

    #[test]
    fn a_board_stops_for_every_piece_of_serial_output_then_for_silence_then_fails_when_closed() {
        let mut line = script([Some(b"more"), None]);
        let mut board = board(&mut line, b"early");
        let mut next =
            || (board.run(u64::MAX).map_err(|error| error.to_string()), board.take_serial());
        assert_eq!(next(), (Ok(Stop::Serial), b"early".to_vec()));
        assert_eq!(next(), (Ok(Stop::Serial), b"more".to_vec()));
        assert_eq!(next(), (Ok(Stop::Limit), Vec::new()));
        assert_eq!(next(), (Err("the serial line was closed".into()), Vec::new()));
    }

    #[test]
    fn listening_to_a_board_gives_its_bytes_in_order_and_why_they_end() {
        let heard = |parts: VecDeque<Option<&'static [u8]>>| {
            let mut line = Script(parts);
            let mut board = board(&mut line, b"one ");
            let mut listening = Listening::to_board(&mut board, Duration::from_secs(1));
            let mut text = String::new();
            listening.read_to_string(&mut text).unwrap();
            (text, listening.end)
        };
        let (text, end) = heard([Some(&b"two "[..]), Some(b"three"), None, Some(b"late")].into());
        assert_eq!(text, "one two three");
        assert!(matches!(end, Some(LineEnd::Silent)), "{end:?}");
        let (text, end) = heard([Some(&b"two"[..])].into());
        assert_eq!(text, "one two");
        assert!(matches!(end, Some(LineEnd::Failed(BoardError::Closed))), "{end:?}");
    }

    #[test]
    fn what_a_board_cannot_do_is_named() {
        let mut line = script([]);
        let mut board = board(&mut line, b"");
        let base = RAM.base;
        let refused = [
            board.watch(Place { address: base, size: 8 }).unwrap_err(),
            board.acknowledge().unwrap_err(),
            board.read(base, &mut [0]).unwrap_err(),
            board.write(base, 1).unwrap_err(),
            board.device(base).unwrap_err(),
            board.set_device(base, 1).unwrap_err(),
            board.whereabouts(0).unwrap_err(),
        ];
        let requests = refused.map(|error| match error {
            BoardError::Unsupported { request } => request,
            error => panic!("{error}"),
        });
        assert_eq!(
            requests,
            [
                "watching memory",
                "clearing `tohost`",
                "reading memory",
                "writing memory",
                "reading a device",
                "writing a device",
                "reading a hart's state",
            ]
        );
    }

    #[test]
    fn harts_and_memory_are_those_that_the_board_describes() {
        let mut line = script([]);
        let board = board(&mut line, b"");
        let ram = board.ram();
        assert_eq!(board.harts(), 2);
        assert_eq!(ram.start, u64::from(RAM.base));
        assert_eq!(ram.end - ram.start, u64::from(Config::default().simulation.ram_bytes));
    }
}
