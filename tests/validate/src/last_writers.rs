//! Last Writer Slices, Table 1, measured again: what `why` says of a failing run of each bug.
//!
//! `measure` runs a program and asks as `crosstalk why` does; `slices` says of an answer whether it is exact, and what it is
//! worth by the marks in the source; `page` puts that beside the paper's table.

mod measure;
mod page;
mod published;
mod slices;

pub use measure::{Answered, measure};
pub use page::{page, write};
pub use published::{Published, TABLE_1};
pub use slices::{Slice, Useful, Verdict, Writing, judge};
