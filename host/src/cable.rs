//! A board at the other end of a serial line: programs go in, runs come out. docs/fpga.md has the bytes.

mod board;
mod frames;
mod line;
mod listen;
mod load;
mod receive;

pub use board::{Board, BoardError};
pub use frames::{Description, Frame};
pub use line::{Line, Serial};
pub use listen::{LineEnd, Listening};
pub use load::CableError;
pub use receive::{Received, receive};
