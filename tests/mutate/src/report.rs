//! The results: a table, the survivors with their lines, and the same as data for the assurance page.

use crate::campaign::{Fate, Outcome};
use crate::files;
use crate::place::Place;
use kit::Failure;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// What is known of all units, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Record {
    /// The units.
    pub units: BTreeMap<String, UnitRecord>,
}

/// Results of the mutants of one unit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitRecord {
    /// The modules that were mutated.
    pub modules: Vec<String>,
    /// Number of mutants.
    pub mutants: usize,
    /// Number of mutants killed by the tests.
    pub killed: usize,
    /// Number of mutants proved equivalent.
    pub equivalent: usize,
    /// The others.
    pub survivors: Vec<Survivor>,
}

/// A mutant that no test noticed, and that may do something else than the unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Survivor {
    /// The number that selects it.
    pub number: usize,
    /// The mutation.
    pub change: String,
    /// Its location.
    #[serde(flatten)]
    pub place: Place,
}

impl UnitRecord {
    /// Adds what came out for one module.
    pub fn add(&mut self, outcome: &Outcome) {
        self.modules.push(outcome.top.clone());
        self.mutants += outcome.mutants.len();
        self.killed += outcome.count(|fate| matches!(fate, Fate::Killed(_)));
        self.equivalent += outcome.count(|fate| matches!(fate, Fate::Equivalent(_)));
        self.survivors.extend(outcome.survivors.iter().map(|(mutant, place)| Survivor {
            number: mutant.number,
            change: mutant.change(),
            place: place.clone(),
        }));
    }

    /// Whether at least this percentage is killed or proved equivalent.
    pub fn reaches(&self, percent: u32) -> bool {
        (self.killed + self.equivalent) * 100 >= self.mutants * percent as usize
    }

    /// The share that is killed or proved the same, in tenths of a percent, cut off.
    fn share(&self) -> String {
        match self.mutants {
            0 => "–".to_owned(),
            all => {
                let tenths = (self.killed + self.equivalent) * 1000 / all;
                format!("{}.{} %", tenths / 10, tenths % 10)
            }
        }
    }
}

impl Record {
    /// Reads the record; an empty one if there is none.
    pub fn read(path: &Path) -> Result<Record, Failure> {
        if !path.exists() {
            return Ok(Record::default());
        }
        serde_json::from_str(&files::read(path)?)
            .map_err(|error| Failure::bad_input(format!("{} is damaged: {error}", path.display())))
    }

    /// Writes the record.
    pub fn write(&self, path: &Path) -> Result<(), Failure> {
        if let Some(folder) = path.parent() {
            files::make(folder)?;
        }
        files::write_json(path, self)
    }

    /// The table for people at a terminal, then the survivors.
    pub fn text(&self) -> String {
        let width = self.units.keys().map(String::len).max().unwrap_or(0).max(4);
        let mut text =
            format!("{:width$}  mutants  killed  equivalent  survived    share\n", "unit");
        for (unit, record) in &self.units {
            let UnitRecord { mutants, killed, equivalent, survivors, .. } = record;
            let (survived, share) = (survivors.len(), record.share());
            let _ = writeln!(
                text,
                "{unit:width$}  {mutants:>7}  {killed:>6}  {equivalent:>10}  {survived:>8}  {share:>7}"
            );
        }
        for (unit, record) in &self.units {
            for survivor in &record.survivors {
                let Survivor { number, change, place: Place { verilog, text: line, rust } } =
                    survivor;
                let _ = writeln!(text, "\n{unit}: mutant {number} survives: {change}");
                let _ = writeln!(text, "  {verilog}: {line}\n  {rust}");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        let place = Place {
            verilog: "table_4.v:27".into(),
            text: "if (full) begin".into(),
            rust: "src/table.rs:9".into(),
        };
        let survivor = Survivor { number: 7, change: "bit 0 of A of `eq` inverted".into(), place };
        let table = UnitRecord {
            modules: vec!["table_4".into()],
            mutants: 200,
            killed: 190,
            equivalent: 9,
            survivors: vec![survivor],
        };
        Record { units: BTreeMap::from([("table".to_owned(), table)]) }
    }

    #[test]
    fn a_share_is_reached_or_not_to_the_mutant() {
        let table = &record().units["table"];
        assert!(table.reaches(99) && !table.reaches(100));
        assert_eq!(table.share(), "99.5 %");
        assert_eq!(UnitRecord::default().share(), "–");
    }

    #[test]
    fn survivors_are_shown_with_both_their_lines() {
        assert_eq!(
            record().text(),
            "unit   mutants  killed  equivalent  survived    share\n\
             table      200     190           9         1   99.5 %\n\
             \n\
             table: mutant 7 survives: bit 0 of A of `eq` inverted\n  \
             table_4.v:27: if (full) begin\n  \
             src/table.rs:9\n"
        );
    }

    #[test]
    fn a_record_comes_back_and_a_damaged_one_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("assurance/mutation.json");
        assert_eq!(Record::read(&path).unwrap(), Record::default());
        record().write(&path).unwrap();
        assert_eq!(Record::read(&path).unwrap(), record());
        std::fs::write(&path, "{\"table\": 3}").unwrap();
        let error = Record::read(&path).unwrap_err().to_string();
        assert!(error.contains("mutation.json is damaged"), "{error}");
    }
}
