//! Diagnostics: what is wrong with a design, where, and what would be right.
//!
//! All findings of one elaboration are collected and reported together. Each has a fixed name from
//! [`Code`], the Rust source position of every site involved and a sentence of help.

use std::fmt;
use std::panic::Location;

/// A position in Rust source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Loc(&'static Location<'static>);

impl Loc {
    /// The position of the caller.
    #[track_caller]
    pub fn caller() -> Loc {
        Loc(Location::caller())
    }

    /// The file, relative to its workspace or, for a crate from elsewhere, to its crate's parent
    /// folder: never an absolute path, so that generated text is the same on every machine.
    pub fn file(&self) -> &'static str {
        let path = self.0.file();
        if !path.starts_with('/') {
            return path;
        }
        match path.rfind("/src/").or_else(|| path.rfind("/tests/")) {
            Some(at) => &path[path[..at].rfind('/').map_or(0, |slash| slash + 1)..],
            None => &path[path.rfind('/').map_or(0, |slash| slash + 1)..],
        }
    }

    /// The line, from 1.
    pub fn line(&self) -> u32 {
        self.0.line()
    }

    /// The column, from 1.
    pub fn column(&self) -> u32 {
        self.0.column()
    }
}

impl fmt::Display for Loc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file(), self.line(), self.column())
    }
}

impl fmt::Debug for Loc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// `1 bit`, `8 bits`.
pub(crate) fn bits(width: u32) -> String {
    if width == 1 { "1 bit".to_owned() } else { format!("{width} bits") }
}

/// The fixed vocabulary of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// Two widths that must be equal are not.
    WidthMismatch,
    /// Two bundles that meet do not have the same signals.
    ShapeMismatch,
    /// A signal, or some of its bits, is not driven on every path.
    NoDriver,
    /// A signal is driven from two places that both claim it.
    MultipleDrivers,
    /// A bit depends on itself without a register in between.
    CombinationalLoop,
    /// A constant, index or size lies outside what the place allows.
    ValueOutOfRange,
    /// Two things in one scope want the same name.
    NameCollision,
    /// A name is a keyword of Verilog or taken by the language itself.
    ReservedName,
    /// A register, memory, wire or port was never given a name.
    Unnamed,
    /// A signal of one module is used in another.
    ForeignSignal,
    /// The signal cannot be assigned, reset or declared here.
    NotAssignable,
    /// Two arms of a switch have the same label.
    DuplicateCase,
    /// Warning: a state that no path from reset reaches.
    UnreachableState,
    /// Warning: a condition that is always true or always false.
    ConstantCondition,
}

impl Code {
    /// The name shown to people.
    pub fn name(self) -> &'static str {
        match self {
            Code::WidthMismatch => "WIDTH MISMATCH",
            Code::ShapeMismatch => "SHAPE MISMATCH",
            Code::NoDriver => "NO DRIVER",
            Code::MultipleDrivers => "MULTIPLE DRIVERS",
            Code::CombinationalLoop => "COMBINATIONAL LOOP",
            Code::ValueOutOfRange => "VALUE OUT OF RANGE",
            Code::NameCollision => "NAME COLLISION",
            Code::ReservedName => "RESERVED NAME",
            Code::Unnamed => "UNNAMED",
            Code::ForeignSignal => "FOREIGN SIGNAL",
            Code::NotAssignable => "NOT ASSIGNABLE",
            Code::DuplicateCase => "DUPLICATE CASE",
            Code::UnreachableState => "UNREACHABLE STATE",
            Code::ConstantCondition => "CONSTANT CONDITION",
        }
    }

    /// Whether the finding is only a warning.
    pub fn is_warning(self) -> bool {
        matches!(self, Code::UnreachableState | Code::ConstantCondition)
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// Which kind of finding.
    pub code: Code,
    /// What is wrong.
    pub message: String,
    /// Every place involved, the most telling first, each with what it is.
    pub sites: Vec<(Loc, String)>,
    /// What would be right.
    pub help: String,
}

impl Diagnostic {
    /// A finding with one site; more are added with [`Diagnostic::at`].
    pub fn new(code: Code, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
        Diagnostic { code, message: message.into(), sites: Vec::new(), help: help.into() }
    }

    /// Adds a site.
    pub fn at(mut self, loc: Loc, label: impl Into<String>) -> Diagnostic {
        self.sites.push((loc, label.into()));
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = if self.code.is_warning() { "warning" } else { "error" };
        writeln!(f, "{level}: {}: {}", self.code.name(), self.message)?;
        for (loc, label) in &self.sites {
            writeln!(f, "  --> {loc}: {label}")?;
        }
        write!(f, "  help: {}", self.help)
    }
}

/// All errors of one elaboration (and its warnings, after them).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.0.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            write!(f, "{diagnostic}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}
