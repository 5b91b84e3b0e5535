//! Why bytes are not a run, and where.

use crate::frame::MAX_PAYLOAD;

/// Where a run stops being readable, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at byte {offset}: {reason}")]
pub struct ReadError {
    /// The first byte of what cannot be read.
    pub offset: u64,
    /// What is wrong with it.
    pub reason: Reason,
}

impl ReadError {
    pub(crate) fn new(offset: u64, reason: Reason) -> Self {
        Self { offset, reason }
    }
}

/// What is wrong with bytes that should be a frame of a run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // The messages say it.
pub enum Reason {
    #[error("this is no Crosstalk run: it begins with {0}")]
    Foreign(String),
    #[error("there is nothing to read")]
    Empty,
    #[error("a frame should begin here with c7 5a")]
    NoFrame,
    #[error("the length {0} and its complement {1:#06x} do not agree")]
    Length(u16, u16),
    #[error("a frame of {0} bytes; allowed: at most {MAX_PAYLOAD}")]
    TooLong(u16),
    #[error("a frame of the unknown kind {0}")]
    UnknownKind(u8),
    #[error("the checksum is {expected:08x} but should be {actual:08x}")]
    Checksum { expected: u32, actual: u32 },
    #[error("the data ends inside a frame, {missing} bytes early")]
    Truncated { missing: usize },
    #[error("the data ends without an end frame")]
    NoEnd,
    #[error("{0} bytes or more follow the end of the run")]
    Trailing(usize),
    #[error("frame number {found} follows where {expected} should")]
    Sequence { expected: u8, found: u8 },
    #[error("the run has a {0} frame where a {1} frame should be")]
    OutOfPlace(String, &'static str),
    #[error("the end frame counts {said} records, but there are {found}")]
    Records { said: u64, found: u64 },
    #[error("the end frame belongs to other frames than these")]
    Chain,
    #[error("format version {0}; this program reads version {VERSION}", VERSION = crate::VERSION)]
    Version(u16),
    #[error("a payload of {found} bytes; {what} has {expected}")]
    PayloadSize { what: &'static str, expected: String, found: usize },
    #[error("{what} has the code {code}; allowed: 0 to {largest}")]
    Code { what: &'static str, code: u32, largest: u32 },
    #[error("{0} is not valid UTF-8")]
    Text(&'static str),
    #[error("a record with a count of 0")]
    ZeroCount,
    #[error("the bytes cannot be read: {0}")]
    Io(String),
}
