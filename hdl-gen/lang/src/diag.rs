//! Diagnostics: what is wrong with a design, where, and what would be right.
//!
//! All findings of one elaboration are collected and reported together. Each has a [`Code`], the Rust
//! source position of every site involved and a sentence of help. [`report`] writes them as text.

mod report;
mod source;

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

    /// The file as the compiler named it: relative to the root of its workspace, or absolute.
    fn compiled_file(&self) -> &'static str {
        self.0.file()
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

/// Declares the codes once: number, name and whether it is a warning.
macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $Code:ident = $id:literal, $name:literal, $level:ident;)+) => {
        /// The fixed vocabulary of findings. `docs/diagnostics.md` explains each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[doc = $doc])+ $Code,)+
        }

        impl Code {
            /// Every code, by number.
            pub const ALL: &'static [Code] = &[$(Code::$Code),+];

            /// The number shown to people. It stays the same for ever.
            pub fn id(self) -> &'static str {
                match self { $(Code::$Code => $id,)+ }
            }

            /// The name shown to people.
            pub fn name(self) -> &'static str {
                match self { $(Code::$Code => $name,)+ }
            }

            fn level(self) -> Level {
                match self { $(Code::$Code => Level::$level,)+ }
            }
        }
    };
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Error,
    Warning,
}

codes! {
    /// Two widths that must be equal are not.
    WidthMismatch = "H0101", "WIDTH MISMATCH", Error;
    /// Two bundles that meet do not have the same signals.
    ShapeMismatch = "H0102", "SHAPE MISMATCH", Error;
    /// A constant, index or size lies outside what the place allows.
    ValueOutOfRange = "H0103", "VALUE OUT OF RANGE", Error;
    /// A signal of one module is used in another.
    ForeignSignal = "H0104", "FOREIGN SIGNAL", Error;
    /// The signal cannot be assigned, reset or declared here.
    NotAssignable = "H0105", "NOT ASSIGNABLE", Error;
    /// Two arms of a switch have the same label.
    DuplicateCase = "H0106", "DUPLICATE CASE", Error;
    /// A signal, or some of its bits, is not driven on every path.
    NoDriver = "H0107", "NO DRIVER", Error;
    /// A signal is driven from two places that both claim it.
    MultipleDrivers = "H0108", "MULTIPLE DRIVERS", Error;
    /// A bit depends on itself without a register in between.
    CombinationalLoop = "H0109", "COMBINATIONAL LOOP", Error;
    /// Two things in one scope want the same name.
    NameCollision = "H0110", "NAME COLLISION", Error;
    /// A name is a keyword of Verilog or taken by the language itself.
    ReservedName = "H0111", "RESERVED NAME", Error;
    /// A register, memory, wire or port was never given a name.
    Unnamed = "H0112", "UNNAMED", Error;
    /// The rows of a register window and the behavior given for them do not belong together.
    RegisterWindow = "H0113", "REGISTER WINDOW", Error;
    /// A state that no path from reset reaches.
    UnreachableState = "H0201", "UNREACHABLE STATE", Warning;
    /// A condition that is always true or always false.
    ConstantCondition = "H0202", "CONSTANT CONDITION", Warning;
}

impl Code {
    /// Whether the finding is only a warning.
    pub fn is_warning(self) -> bool {
        self.level() == Level::Warning
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

/// All errors of one elaboration (and its warnings, after them).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl std::error::Error for Diagnostics {}
