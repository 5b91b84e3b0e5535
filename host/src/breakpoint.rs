//! Concurrent breakpoints on a machine: a set of entries, the file that keeps it, and the places in a program that it names.
//!
//! ```text
//! file ──Form──► locations ──Places──► Set (pcs) ──arm──► window of the breakpoint unit, on any Target
//! ```
//!
//! The unit's contract is docs/machine.md §12, the file's is docs/breakpoints.md.

mod arm;
mod file;
mod form;
mod location;
mod places;
mod records;
mod set;

pub use arm::{ArmError, Count, arm, counts};
pub use file::{BreakpointError, File, RunFacts};
pub use location::{Location, Lost};
pub use places::{Kind, Place, Places};
pub use records::own_set;
pub use set::{Entry, Local, Party, Set, SetKey};
