//! The sources of runs that there are, and the one place where `--on` is read.
//!
//! A new one is a file that implements [`Source`], with its [`Row`], and a line in [`SOURCES`].

use super::{HuntError, Setup, Source, Subject, golden, rtl};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use config::Config;
use cosim::Builder;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// What a source is made of.
pub struct Opening<'a> {
    /// The program.
    pub subject: &'a Subject,
    /// How it is run.
    pub setup: &'a Setup,
    /// Builds machines, for sources that need one.
    pub builder: &'a Builder,
}

/// A source of runs, as a row of the table.
pub struct Row {
    /// Its name on a command line.
    pub name: &'static str,
    /// What it is, in a sentence of others: "on the simulated hardware".
    pub called: &'static str,
    /// What it is, for `--help`.
    pub help: &'static str,
    /// [`Source::identity`] of every source that this row opens on a machine, known before one is built.
    pub identity: fn(&Config, &Builder) -> Result<String, HuntError>,
    /// Makes the program ready to run. A machine that was never built takes a while.
    pub open: fn(&Opening<'_>) -> Result<Box<dyn Source>, HuntError>,
}

/// All of them; the first is the usual one.
pub const SOURCES: &[Row] = &[rtl::ROW, golden::ROW];

/// What `--on` chooses: a row of [`SOURCES`].
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct On(usize);

pub(super) const CHOICES: [On; SOURCES.len()] = {
    let mut choices = [On(0); SOURCES.len()];
    let mut place = 0;
    while place < choices.len() {
        choices[place] = On(place);
        place += 1;
    }
    choices
};

impl On {
    /// The source of this name.
    pub fn named(name: &str) -> Option<Self> {
        CHOICES.into_iter().find(|on| on.name() == name)
    }

    fn row(self) -> &'static Row {
        &SOURCES[self.0]
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// What it is, in a sentence.
    pub fn called(self) -> &'static str {
        self.row().called
    }

    /// Whether it is the one that is used where nobody chooses.
    pub fn is_default(self) -> bool {
        self == Self::default()
    }

    /// What decides its runs on such a machine; see [`Source::identity`].
    ///
    /// # Errors
    /// If that cannot be found out.
    pub fn identity(self, config: &Config, builder: &Builder) -> Result<String, HuntError> {
        (self.row().identity)(config, builder)
    }

    /// Makes a program ready to run.
    ///
    /// # Errors
    /// If it does not suit, or a machine cannot be built.
    pub fn open(self, opening: &Opening<'_>) -> Result<Box<dyn Source>, HuntError> {
        (self.row().open)(opening)
    }
}

impl fmt::Debug for On {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl ValueEnum for On {
    fn value_variants<'a>() -> &'a [Self] {
        &CHOICES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.row().help))
    }
}

impl Serialize for On {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for On {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::named(&name).ok_or_else(|| D::Error::custom(format!("unknown source `{name}`")))
    }
}
