//! Recorded runs: edges as framed, checksummed bytes, in a file or over a wire.
//!
//! A run is a sequence of frames: a header, edges, lost counts, an end. Firmware writes them with a few
//! lines of C, to a UART or a buffer; the same bytes in a file are a run on disk. `docs/records.md`
//! describes them byte by byte.
//!
//! | you have | use | damage is |
//! |---|---|---|
//! | a run file | [`RunReader`], or [`Run::read`] for all of it at once | refused, with offset and reason |
//! | a stream from a machine | [`StreamReader`] | reported with its offset, and skipped |
//! | edges to keep | [`RunWriter`], or [`Run::write`] | – |
//!
//! No reader panics or allocates more than one frame ahead, whatever it is fed. [`Run`] holds each
//! distinct edge once, with a count and its most recent pair of timestamps (Recon §3.1).
#![forbid(unsafe_code)]

mod edge;
mod error;
mod frame;
mod limits;
mod payload;
mod reader;
mod run;
mod stream;
mod writer;

pub use border::End;
pub use edge::{Access, Ctx, Edge, EdgeKind, Hart, Pc, Time, Total};
pub use error::{ReadError, Reason};
pub use frame::{FrameKind, MAX_FRAME, MAX_PAYLOAD, SYNC};
pub use limits::Limits;
pub use payload::{MAX_TEXT, VERSION, bare_edges};
pub use reader::RunReader;
pub use run::{Collected, Ending, Hash, Header, Label, Run, Totals};
pub use stream::{Damage, Item, StreamReader};
pub use writer::RunWriter;
