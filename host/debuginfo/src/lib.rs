//! What a linked program says of itself: lines, functions, variables and types, from DWARF and symbols.
//!
//! [`LineMap`] knows which instruction belongs to which line of source and finds the source;
//! [`Variables`] knows what is at which address, and the types behind it. Every answer of the project that
//! names a line or a variable comes from here. No program file, however damaged, makes it panic.

#![forbid(unsafe_code)]

mod elf;
mod files;
mod lines;
mod program;
mod source;
mod symbols;
mod types;
mod variables;
mod walk;

pub use files::FileNames;
pub use lines::{Frame, LineMap, Location};
pub use source::Sources;
pub use symbols::Symbols;
pub use types::{Member, Shape, Type, TypeId, Types};
pub use variables::{Global, Local, Variables};
