//! Errors of reading a run.

use crate::frame::MAX_PAYLOAD;

/// The offset at which a run cannot be read, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at byte {offset}: {reason}")]
pub struct ReadError {
    /// Offset of the first byte that cannot be read.
    pub offset: u64,
    /// Why it cannot be read.
    pub reason: Reason,
}

impl ReadError {
    pub(crate) fn new(offset: u64, reason: Reason) -> Self {
        Self { offset, reason }
    }
}

/// Why bytes are not a valid frame of a run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // The messages say it.
pub enum Reason {
    #[error("not a Crosstalk run: it begins with {0}")]
    Foreign(String),
    #[error("the file is empty")]
    Empty,
    #[error("expected a frame, which begins with c7 5a")]
    NoFrame,
    #[error("the length {0} does not match its complement {1:#06x}")]
    Length(u16, u16),
    #[error("expected a payload of at most {MAX_PAYLOAD} bytes, got {0}")]
    TooLong(u16),
    #[error("unknown frame kind {0}")]
    UnknownKind(u8),
    #[error("expected checksum {computed:08x}, got {stored:08x}")]
    Checksum { stored: u32, computed: u32 },
    #[error("the data ends inside a frame, {missing} bytes early")]
    Truncated { missing: usize },
    #[error("the data ends without an end frame")]
    NoEnd,
    #[error("at least {0} bytes after the end of the run")]
    Trailing(usize),
    #[error("expected frame number {expected}, got {found}")]
    Sequence { expected: u8, found: u8 },
    #[error("expected a {1} frame, got a {0} frame")]
    OutOfPlace(String, &'static str),
    #[error("expected {said} records according to the end frame, got {found}")]
    Records { said: u64, found: u64 },
    #[error("the end frame does not match the frames before it")]
    Chain,
    #[error("expected format version {VERSION}, got {0}", VERSION = crate::VERSION)]
    Version(u16),
    #[error("expected {expected} bytes for {what}, got {found}")]
    PayloadSize { what: &'static str, expected: String, found: usize },
    #[error("expected a code from 0 to {largest} for {what}, got {code}")]
    Code { what: &'static str, code: u32, largest: u32 },
    #[error("{0} is not valid UTF-8")]
    Text(&'static str),
    #[error("a record has a count of 0")]
    ZeroCount,
    #[error("the context {context:#x} does not fit {events} events, which the header says")]
    Context { context: u32, events: u8 },
    #[error("the pc {pc:#x} does not fit the {pc_bits} bits that the header says are stored")]
    Pc { pc: u64, pc_bits: u8 },
    #[error("there is no hart {hart}: the header says {harts}, from 0; 255 is an unknown one")]
    Hart { hart: u8, harts: u8 },
    #[error("cannot read: {0}")]
    Io(String),
}
