//! The coverage table, and the lines not covered.

use super::measured::Measured;
use crate::assurance::Covered;
use coverage::Share;
use std::collections::BTreeMap;
use std::fmt::Write;

/// One row per unit, then its gaps. A gap that several configurations share is shown once.
pub fn text(units: &[&str], measured: &[Measured]) -> String {
    let mut out = String::new();
    let width = units.iter().map(|unit| unit.len()).max().unwrap_or(0).max(4);
    put(
        &mut out,
        format_args!(
            "{:width$}  {:>7}  {:>11}  {:>11}  {:>13}",
            "unit", "configs", "lines", "branches", "toggles"
        ),
    );
    for unit in units {
        let Some(Sum { configurations, lines, branches, toggles }) = Sum::of(unit, measured) else {
            put(&mut out, format_args!("{unit:width$}  no test"));
            continue;
        };
        put(
            &mut out,
            format_args!(
                "{unit:width$}  {configurations:>7}  {lines:>11}  {branches:>11}  {toggles:>13}"
            ),
        );
    }
    for unit in units {
        gaps(&mut out, unit, measured.iter().filter(|found| found.unit == *unit));
    }
    out
}

/// The records for docs/assurance.md of each unit that has tests.
pub fn records(units: &[&str], measured: &[Measured]) -> Vec<(String, Covered)> {
    let record = |unit: &&str| {
        let Sum { configurations, lines, branches, .. } = Sum::of(unit, measured)?;
        let (lines, branches) = (lines.into(), branches.into());
        Some(((*unit).to_owned(), Covered { configurations, lines, branches }))
    };
    units.iter().filter_map(record).collect()
}

/// Coverage of a unit, over its configurations.
struct Sum {
    configurations: usize,
    lines: Share,
    branches: Share,
    toggles: Share,
}

impl Sum {
    /// `None` if no test covers it.
    fn of(unit: &str, measured: &[Measured]) -> Option<Sum> {
        let of_unit: Vec<_> = measured.iter().filter(|found| found.unit == unit).collect();
        let [mut lines, mut branches, mut toggles] = [Share::default(); 3];
        for Measured { summary, .. } in &of_unit {
            lines += summary.lines;
            branches += summary.branches;
            toggles += summary.toggles;
        }
        let configurations = of_unit.len();
        (configurations > 0).then_some(Sum { configurations, lines, branches, toggles })
    }
}

fn gaps<'a>(out: &mut String, unit: &str, measured: impl Iterator<Item = &'a Measured>) {
    // What is missing and the line's text, to where: line numbers differ between configurations.
    let mut found: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for configuration in measured {
        for gap in &configuration.summary.gaps {
            let text = configuration.line(&gap.file, gap.line);
            let places = found.entry((gap.reason.clone(), text)).or_default();
            let place = format!("{}:{}", gap.file, gap.line);
            // A module that two configurations share has a file in both.
            if !places.contains(&place) {
                places.push(place);
            }
        }
    }
    if found.is_empty() {
        return;
    }
    put(out, format_args!("\n{unit}:"));
    let mut rows: Vec<_> = found.iter().collect();
    rows.sort_by_key(|(_, places)| *places);
    for ((reason, text), places) in rows {
        let others = match places.len() - 1 {
            0 => String::new(),
            others => format!(" (and {others} more)"),
        };
        put(out, format_args!("  {}{others}: {reason}: {text}", places[0]));
    }
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assurance::Part;
    use coverage::{Coverage, Summary};

    fn measured(unit: &str, file: &str, reached: u64) -> Measured {
        let data = format!(
            "# SystemC::Coverage-3\n\
             C '\x01f\x02{file}\x01l\x022\x01n\x021\x01t\x02branch\x01o\x02if\x01S\x022-3' {reached}\n\
             C '\x01f\x02{file}\x01l\x022\x01n\x022\x01t\x02branch\x01o\x02else' 1\n\
             C '\x01f\x02{file}\x01l\x021\x01t\x02toggle\x01o\x02a:0->1' 1\n"
        );
        let text = "reg a;\nif (a)\n  b <= 1;\n".to_owned();
        Measured {
            unit: unit.into(),
            summary: Summary::of(&Coverage::parse(&data).unwrap()),
            files: BTreeMap::from([(file.to_owned(), text)]),
        }
    }

    #[test]
    fn units_are_rows_and_shared_gaps_are_shown_once() {
        let measured = [
            measured("fifo", "fifo_2.v", 0),
            measured("fifo", "fifo_4.v", 0),
            measured("queue", "queue.v", 1),
        ];
        assert_eq!(
            text(&["fifo", "queue", "stack"], &measured),
            "unit   configs        lines     branches        toggles\n\
             fifo         2          2/4          2/4            2/2\n\
             queue        1          2/2          2/2            1/1\n\
             stack  no test\n\
             \n\
             fifo:\n  \
             fifo_2.v:2 (and 1 more): never true: if (a)\n  \
             fifo_2.v:3 (and 1 more): never reached: b <= 1;\n"
        );
        let records = records(&["fifo", "stack"], &measured);
        assert_eq!(records.len(), 1, "a unit without tests has no record");
        assert_eq!((records[0].1.configurations, records[0].1.lines), (2, Part(2, 4)));
    }
}
