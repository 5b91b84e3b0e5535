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
    #[error("the frame's length {0} does not match its stored complement {1:#06x}")]
    Length(u16, u16),
    #[error("expected a payload of at most {MAX_PAYLOAD} bytes, got {0}")]
    TooLong(u16),
    #[error("unknown frame kind {0}")]
    UnknownKind(u8),
    #[error("expected checksum {computed:08x}, got {stored:08x}")]
    Checksum { stored: u32, computed: u32 },
    #[error("the data ends inside a frame, of which {missing} bytes are missing")]
    Truncated { missing: usize },
    #[error("the data ends without an end frame")]
    NoEnd,
    #[error("expected nothing after the end of the run, got at least {0} bytes")]
    Trailing(usize),
    #[error("expected frame number {expected}, got {found}")]
    Sequence { expected: u8, found: u8 },
    #[error("expected a {1} frame, got a {0} frame")]
    OutOfPlace(String, &'static str),
    #[error("expected {said} records according to the end frame, got {found}")]
    Records { said: u64, found: u64 },
    #[error("the end frame does not match the frames before it: some were changed or replaced")]
    Chain,
    #[error("expected format version {VERSION}, got {0}", VERSION = crate::VERSION)]
    Version(u16),
    #[error("expected {expected} bytes for {what}, got {found}")]
    PayloadSize { what: &'static str, expected: String, found: usize },
    #[error("expected a code from 0 to {largest} for {what}, got {code}")]
    Code { what: &'static str, code: u32, largest: u32 },
    #[error("{0} is not valid UTF-8")]
    Text(&'static str),
    #[error("expected a count of at least 1 in a record, got 0")]
    ZeroCount,
    #[error(
        "context {context:#x} needs more than {} bits; the header declares events = {events}, with 2 bits each",
        2 * u16::from(*events)
    )]
    Context { context: u32, events: u8 },
    #[error("pc {pc:#x} needs more than {pc_bits} bits; the header declares pc_bits = {pc_bits}")]
    Pc { pc: u64, pc_bits: u8 },
    #[error(
        "expected a hart below {harts}, the number that the header declares, or 255 (unknown), got {hart}"
    )]
    Hart { hart: u8, harts: u8 },
    #[error("cannot read the data: {0}")]
    Io(String),
}
