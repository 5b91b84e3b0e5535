//! Reading a configuration: TOML over a preset, every limit checked once.

use crate::{Config, ConfigError, Preset, keys};
use std::io::Read;
use std::path::Path;
use std::str::FromStr;
use toml::{Table, Value};

impl FromStr for Config {
    type Err = ConfigError;

    /// Reads TOML over the preset that it names under `preset`, or over the default.
    fn from_str(text: &str) -> Result<Self, ConfigError> {
        let mut table = table_of(text)?;
        let base = match table.remove("preset") {
            None => Preset::default(),
            Some(Value::String(name)) => Preset::named(&name)?,
            Some(other) => return Err(ConfigError::UnknownPreset(other.to_string())),
        };
        base.config().with_table(table)
    }
}

impl Config {
    /// Reads a file of TOML.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let text = text_of(path).map_err(|error| ConfigError::Unreadable {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
        text.parse()
            .map_err(|error| ConfigError::InFile { path: path.to_owned(), error: Box::new(error) })
    }

    /// This configuration with the keys of some TOML changed, for sweeps:
    /// `config.with("context.events = 7")`.
    pub fn with(&self, text: &str) -> Result<Self, ConfigError> {
        self.with_table(table_of(text)?)
    }

    /// Checks every limit, for configurations built in code. Those read from TOML were checked.
    pub fn check(&self) -> Result<(), ConfigError> {
        let seed = self.simulation.seed;
        if i64::try_from(seed).is_err() {
            // The only number that may not fit TOML, in which case the table below cannot be built.
            none_of(keys::out_of_range("simulation.seed", seed).into_iter().collect())?;
        }
        self.with_table(self.table()).map(drop)
    }

    fn with_table(&self, changes: Table) -> Result<Self, ConfigError> {
        none_of(keys::problems(&changes))?;
        let mut table = self.table();
        merge(&mut table, changes);
        let config: Self = table.try_into().expect("the table of keys admits it");
        none_of(config.conflicts())?;
        none_of(config.not_built())?;
        Ok(config)
    }
}

/// Size limit of a file: a configuration is a page of text.
const LONGEST: u64 = 1 << 20;

fn text_of(path: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    let read = std::fs::File::open(path)?.take(LONGEST).read_to_string(&mut text)?;
    match read as u64 {
        LONGEST => {
            Err(std::io::Error::other("too long for a configuration; expected less than 1 MiB"))
        }
        _ => Ok(text),
    }
}

fn none_of(problems: Vec<crate::Problem>) -> Result<(), ConfigError> {
    if problems.is_empty() { Ok(()) } else { Err(ConfigError::Invalid(problems)) }
}

fn table_of(text: &str) -> Result<Table, ConfigError> {
    text.parse::<Table>().map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let before = text.get(..start).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        ConfigError::Syntax {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            reason: match error.message() {
                // The parser's message names its own types.
                odd if odd.starts_with("invalid type: integer") => "the number is too large".into(),
                message => message.lines().collect::<Vec<_>>().join(" "),
            },
        }
    })
}

fn merge(into: &mut Table, changes: Table) {
    for (name, value) in changes {
        match (into.get_mut(&name), value) {
            (Some(Value::Table(inner)), Value::Table(changes)) => merge(inner, changes),
            (_, value) => drop(into.insert(name, value)),
        }
    }
}

#[cfg(test)]
mod tests;
