//! Coverage data in its folder, gathered by unit.

use crate::assurance::Compared;
use coverage::{Coverage, Point, Summary};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Coverage of one configuration of a unit.
pub struct Measured {
    /// The unit's name in the catalog.
    pub unit: String,
    /// Its coverage summary.
    pub summary: Summary,
    /// The Verilog, by file name.
    pub files: BTreeMap<String, String>,
}

/// Units that are tested as parts of another unit.
pub struct Inside<'a> {
    /// The other unit.
    pub whole: &'a str,
    /// The parts: coverage of their modules inside `whole` counts for them too.
    pub parts: &'a [&'a str],
}

impl Measured {
    /// Reads `<folder>/<design>/*.dat` and the Verilog beside it. A design that belongs to no unit goes by its own
    /// name.
    pub fn read(folder: &Path, units: &[&str], inside: &Inside<'_>) -> Result<Vec<Self>, String> {
        let mut found = Vec::new();
        for top in entries(folder)?.into_iter().filter(|path| path.is_dir()) {
            let name = top.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let mut coverage = Coverage::default();
            let mut files = BTreeMap::new();
            for path in entries(&top)? {
                let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
                let text = fs::read_to_string(&path).map_err(|error| failed(&error))?;
                if file.ends_with(".dat") {
                    coverage.merge(Coverage::parse(&text).map_err(|error| failed(&error))?);
                } else {
                    files.insert(file, text);
                }
            }
            let unit = unit_of(&name, units).unwrap_or(&name);
            let parts = if unit == inside.whole { inside.parts } else { &[] };
            for part in parts {
                let of_part = |point: &Point| {
                    let module = point.file.strip_suffix(".v").unwrap_or(&point.file);
                    unit_of(module, units) == Some(part)
                };
                let mut coverage_of_part = Coverage::default();
                for (point, count) in coverage.points().filter(|(point, _)| of_part(point)) {
                    coverage_of_part.add(point.clone(), count);
                }
                if coverage_of_part.points().next().is_some() {
                    let summary = Summary::of(&coverage_of_part);
                    found.push(Self { unit: (*part).to_owned(), summary, files: files.clone() });
                }
            }
            found.push(Self { unit: unit.to_owned(), summary: Summary::of(&coverage), files });
        }
        Ok(found)
    }

    /// A line of the Verilog without its indentation; empty if there is none.
    pub fn line(&self, file: &str, line: u32) -> &str {
        let text = self.files.get(file).map_or("", String::as_str);
        text.lines().nth((line as usize).saturating_sub(1)).unwrap_or_default().trim()
    }
}

/// Comparisons of units with their models, from `<folder>/<unit>.compared`.
pub fn compared(folder: &Path) -> Result<Vec<(String, Compared)>, String> {
    let mut found = Vec::new();
    for path in entries(folder)?.into_iter().filter(|path| path.is_file()) {
        let failed = |why: String| format!("{}: {why}", path.display());
        let text = fs::read_to_string(&path).map_err(|error| failed(error.to_string()))?;
        let numbers = text.split_once(' ').and_then(|(configurations, cycles)| {
            Some((configurations.parse().ok()?, cycles.trim_end().parse().ok()?))
        });
        let (configurations, cycles) = numbers.ok_or_else(|| {
            failed("expected two numbers: configurations and cycles compared".into())
        })?;
        let unit = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        found.push((unit, Compared { configurations, cycles }));
    }
    Ok(found)
}

/// The files in a folder, sorted; empty if there is no folder.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let failed = |error| format!("{}: {error}", folder.display());
    let found = fs::read_dir(folder).map_err(failed)?;
    let mut paths =
        found.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>().map_err(failed)?;
    paths.sort();
    Ok(paths)
}

/// The unit of a module: a module's name is that of its unit, then its parameters.
fn unit_of<'a>(top: &str, units: &[&'a str]) -> Option<&'a str> {
    let belongs = |unit: &&&str| {
        top.strip_prefix(**unit).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    };
    units.iter().filter(belongs).max_by_key(|unit| unit.len()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Inside<'_> = Inside { whole: "", parts: &[] };

    #[test]
    fn modules_find_their_unit() {
        let units = ["signature", "signature_file", "history"];
        assert_eq!(unit_of("signature_256x2", &units), Some("signature"));
        assert_eq!(unit_of("signature_file_30", &units), Some("signature_file"));
        assert_eq!(unit_of("history", &units), Some("history"));
        assert_eq!(unit_of("historybuffer", &units), None);
    }

    #[test]
    fn data_of_several_processes_is_merged_and_damage_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().join("fifo_4");
        fs::create_dir(&top).unwrap();
        let data = |count| {
            format!("# SystemC::Coverage-3\nC '\x01f\x02fifo_4.v\x01l\x022\x01t\x02line' {count}\n")
        };
        fs::write(top.join("fifo_4.v"), "module fifo_4;\n  x <= 1;\n").unwrap();
        fs::write(top.join("1.dat"), data(0)).unwrap();
        fs::write(top.join("2.dat"), data(3)).unwrap();
        let found = Measured::read(dir.path(), &["fifo"], &NOTHING).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].unit, "fifo");
        assert!(found[0].summary.lines.is_full());
        assert_eq!(found[0].line("fifo_4.v", 2), "x <= 1;");
        assert_eq!(found[0].line("fifo_4.v", 99), "");

        fs::write(top.join("3.dat"), "torn").unwrap();
        let error = Measured::read(dir.path(), &["fifo"], &NOTHING).err().unwrap();
        assert!(error.contains("3.dat: line 1: not coverage data"), "{error}");
    }

    #[test]
    fn a_unit_inside_another_has_its_part_of_it() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().join("system_2");
        fs::create_dir(&top).unwrap();
        let point = |file: &str| format!("C '\x01f\x02{file}\x01l\x022\x01t\x02line' 1\n");
        let data = ["system_2.v", "bus_2.v", "bus_arbiter_3.v", "cache_1.v"].map(point).concat();
        fs::write(top.join("1.dat"), format!("# SystemC::Coverage-3\n{data}")).unwrap();
        let elsewhere = dir.path().join("machine");
        fs::create_dir(&elsewhere).unwrap();
        fs::write(elsewhere.join("1.dat"), format!("# SystemC::Coverage-3\n{data}")).unwrap();
        let inside = Inside { whole: "system", parts: &["bus"] };
        let units = ["system", "bus", "cache", "machine"];
        let found = Measured::read(dir.path(), &units, &inside).unwrap();
        let totals: Vec<_> =
            found.iter().map(|found| (found.unit.as_str(), found.summary.lines.total)).collect();
        assert_eq!(totals, [("machine", 4), ("bus", 2), ("system", 4)]);
    }

    #[test]
    fn comparisons_are_read_and_damage_is_named() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("fifo.compared"), "9 1000000\n").unwrap();
        let expected = Compared { configurations: 9, cycles: 1_000_000 };
        assert_eq!(compared(dir.path()).unwrap(), [("fifo".to_owned(), expected)]);
        assert!(Measured::read(dir.path(), &["fifo"], &NOTHING).unwrap().is_empty());
        fs::write(dir.path().join("fifo.compared"), "9\n").unwrap();
        let error = compared(dir.path()).unwrap_err();
        assert!(
            error.ends_with(
                "fifo.compared: expected two numbers: configurations and cycles compared"
            ),
            "{error}"
        );
    }
}
