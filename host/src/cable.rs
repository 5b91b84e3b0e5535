//! A board at the other end of a serial line: programs go in, runs come out. docs/fpga.md has the bytes.

mod frames;
mod line;
mod load;
mod receive;

pub use frames::{Description, Frame};
pub use line::{Line, LineEnd, Listening, Serial};
pub use load::{CableError, load};
pub use receive::{Received, receive};
