//! Code points: where in the source an instruction is.
//!
//! A code point is a line of source, which may be many instructions (Bugaboo §5, footnote 2); without
//! debug information it is a single instruction. [`CodeMap`] knows which instruction belongs to which.

mod map;

pub use debuginfo::Location;
pub use map::{CodeMap, CodeOptions};

use record::Pc;
use serde::Serialize;

/// A code point as a number that is cheap to compare. Only its [`CodeMap`] can say more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PointKey {
    /// No instruction: memory, or an unknown writer.
    #[default]
    Nothing,
    /// A line, by its place in the map's list, which is sorted by file and line.
    Line(u32),
    /// An instruction without a source line.
    Address(u64),
}

/// The call through which inlined code came to be where it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InlinedAt {
    /// The function that it was inlined into.
    pub function: String,
    /// The line of the call.
    pub location: Option<Location>,
}

/// All that can be said about a code point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CodePoint {
    /// The shortest name that a person can find it by: `bank.c:31`, `memcpy+0x24`, or an address. Stored data
    /// has the whole location beside it.
    #[serde(skip)]
    pub name: String,
    /// Its instructions, as far as they communicated.
    pub pcs: Vec<u64>,
    /// The line it is.
    pub location: Option<Location>,
    /// The function it is in.
    pub function: Option<String>,
    /// Where the function was inlined, innermost first.
    pub inlined_at: Vec<InlinedAt>,
    /// The text of the line, without the white space around it.
    pub text: Option<String>,
    /// Whether it belongs to the thread library rather than to the program.
    pub library: bool,
    /// Why there is no line; absent if there is one.
    pub unknown: Option<&'static str>,
}

impl CodePoint {
    /// The function to show beside the name: none where the name is that of a symbol.
    pub fn function_beside(&self) -> Option<&str> {
        let function = self.function.as_deref()?;
        let is_named = |rest: &str| rest.is_empty() || rest.starts_with('+');
        match self.name.strip_prefix(function) {
            Some(rest) if self.location.is_none() && is_named(rest) => None,
            _ => Some(function),
        }
    }

    /// The text of the line, or why there is none.
    pub fn text_or_reason(&self) -> &str {
        self.text.as_deref().or(self.unknown).unwrap_or_default()
    }
}

/// Whether `wanted` names this code point: an address, `file:line`, or a function.
pub fn is_meant(point: &CodePoint, wanted: &str) -> bool {
    if let Some(digits) = wanted.strip_prefix("0x") {
        return u64::from_str_radix(digits, 16).is_ok_and(|pc| point.pcs.contains(&pc));
    }
    if let (Some((file, line)), Some(location)) = (wanted.rsplit_once(':'), &point.location) {
        let same_file = location.file == file
            || location.file.strip_suffix(file).is_some_and(|rest| rest.ends_with('/'));
        return same_file && line.parse() == Ok(location.line);
    }
    point.function.as_deref() == Some(wanted)
}

/// Instructions sorted, each once.
fn tidy(pcs: &[Pc]) -> Vec<u64> {
    let mut pcs: Vec<u64> = pcs.iter().map(|pc| pc.0).filter(|pc| *pc != 0).collect();
    pcs.sort_unstable();
    pcs.dedup();
    pcs
}
