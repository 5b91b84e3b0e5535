//! What a model is compiled into, and what its C++ calls itself there.

/// A shared library that is loaded, or an archive that is linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form<'a> {
    /// Loaded at run time. It hides all but its entry, so every model can use the same names.
    Shared,
    /// Linked into a program under this name, beside other models.
    Archive(&'a str),
}

impl Form<'_> {
    /// The class that Verilator is told to generate; all other names begin with it.
    pub(crate) fn prefix(self) -> String {
        match self {
            Form::Shared => "Vmodel".into(),
            Form::Archive(name) => format!("V{name}"),
        }
    }

    /// The one function that is called from outside.
    pub(crate) fn entry(self) -> String {
        match self {
            Form::Shared => SHARED_ENTRY.into(),
            Form::Archive(name) => archive_entry(name),
        }
    }

    /// The file inside the cache entry.
    pub(crate) fn file(self) -> String {
        match self {
            Form::Shared => "model.so".into(),
            Form::Archive(name) => format!("lib{}.a", archive_entry(name)),
        }
    }
}

/// The symbol that a shared library exports.
pub const SHARED_ENTRY: &str = "crosstalk_model";

/// The function that an archive of this name exports, which is also what a linker calls it.
pub fn archive_entry(name: &str) -> String {
    format!("crosstalk_{name}")
}
