//! What a person asks about: an address, or an expression over globals as C writes it.
//!
//! ```text
//! asked   = number [":" number]                   an address, and how many bytes (4)
//!         | unary
//! unary   = ("*" | "&") unary | "(" type "*"… ")" unary | postfix
//! postfix = primary ("." name | "->" name | "[" integer "]")…
//! primary = number | [scope "::"] name | "(" unary ")"
//! ```
//!
//! A scope is a function, for its `static` variables, or a file. Pointers have the values that are in memory then.

mod meaning;
mod near;
mod syntax;

use crate::log::Bytes;
use crate::names::Names;
use debuginfo::TypeId;
use meaning::Meaning;
use syntax::Question;

/// The longest expression that is read.
const LONGEST: usize = 1000;
/// How deep one may be nested.
const DEEPEST: u32 = 64;
/// The most bytes that can be asked about at once.
const MOST_BYTES: u32 = 65_536;
/// Bytes at an address of which nothing is known.
const WORD: u32 = 4;

/// Some bytes of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// What the person calls them.
    pub text: String,
    /// The first of them.
    pub address: u32,
    /// How many.
    pub bytes: u32,
    /// Their type, if it is known.
    pub of: Option<TypeId>,
}

/// Why an expression means nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // The messages say it.
pub enum ExpressionError {
    #[error("expected {expected} at byte {at} of `{text}`{}", found(text, *at))]
    Syntax { text: String, at: usize, expected: &'static str },
    #[error("the expression has {0} bytes; expected at most {LONGEST}")]
    TooLong(usize),
    #[error("the expression is nested too deeply; expected at most {DEEPEST} levels")]
    TooDeep,
    #[error("there is no variable `{name}` with a fixed address{}", similar(near))]
    NoVariable { name: String, near: Option<String> },
    #[error("`{name}` is ambiguous; choose {}", .choices.join(" or "))]
    Ambiguous { name: String, choices: Vec<String> },
    #[error("the program has no type `{0}`")]
    NoType(String),
    #[error("`{of}` has no member `{name}`{}", members(known))]
    NoMember { of: String, name: String, known: Vec<String> },
    #[error("`{0}` is a pointer; write `->` instead of `.`")]
    IsPointer(String),
    #[error("`{0}` is not a pointer; write `.` instead of `->`")]
    IsRecord(String),
    #[error("`{0}` is neither a pointer nor an array")]
    NotIndexed(String),
    #[error("`{of}` has no element {index}: it has {count}, numbered from 0")]
    NoElement { of: String, count: u32, index: i64 },
    #[error(
        "`{0}` points to something of unknown size; write `*(int *)({0})`, or an address and a number of bytes: `0x80000000:4`"
    )]
    Void(String),
    #[error("`{text}` is at {address:#x}, where there is no memory: a pointer in it is invalid")]
    Nowhere { text: String, address: u32 },
    #[error("`{0}` is an address, which nobody writes; for what is stored there, ask for `*({0})`")]
    Value(String),
    #[error("`{0}` is not in memory: the compiler optimized it away")]
    NotKept(String),
    #[error("`{text}` has {bytes} bytes; ask for a part of at most {MOST_BYTES} bytes")]
    TooLarge { text: String, bytes: u32 },
}

fn found(text: &str, at: usize) -> String {
    match text.get(at..).and_then(|rest| rest.chars().next()) {
        Some(letter) => format!(", got `{}`", letter.escape_default()),
        None => ", which ends there".to_owned(),
    }
}

fn similar(near: &Option<String>) -> String {
    near.as_ref().map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

fn members(known: &[String]) -> String {
    match known {
        [] => String::new(),
        known => format!("; it has {}", known.join(", ")),
    }
}

impl Asked {
    /// What an expression means where this is in memory.
    ///
    /// # Errors
    /// If it means nothing: says why.
    pub fn read(names: &Names, memory: &dyn Bytes, text: &str) -> Result<Self, ExpressionError> {
        let asked = match syntax::parse(text)? {
            Question::Bytes(address, bytes) => {
                Self { text: text.trim().to_owned(), address, bytes, of: None }
            }
            Question::Expression(node) => Meaning { names, memory }.asked(&node)?,
        };
        let Self { bytes, address, .. } = asked;
        if bytes > MOST_BYTES {
            return Err(ExpressionError::TooLarge { text: asked.text, bytes });
        }
        if !is_memory(address) || address.checked_add(bytes).is_none() {
            return Err(ExpressionError::Nowhere { text: asked.text, address });
        }
        Ok(asked)
    }

    /// The addresses of the bytes.
    pub fn range(&self) -> std::ops::Range<u32> {
        self.address..self.address + self.bytes
    }
}

fn is_memory(address: u32) -> bool {
    address >= border::map::RAM.base
}
