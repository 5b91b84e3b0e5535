//! The page: tables of results, in the placeholders of the template.

use super::data::{Compared, Found, Part};
use crate::failure::Failure;
use crate::prove::{self, Standing};
use kit::numbers::grouped;
use mutate::report::{Survivor, UnitRecord};
use std::collections::BTreeMap;
use units::proofs::{Mistake, PROOFS, Proof, all_mistakes};

/// Fills the template. `only_tested` lists for each unit what is covered by tests only.
pub fn text(template: &str, only_tested: &str, found: &Found) -> Result<String, Failure> {
    let only_tested = only_tested_by_unit(only_tested)?;
    let standings = standings(found)?;
    let parts = BTreeMap::from([
        ("units", units_table(&only_tested, &standings, found)),
        ("compared", compared(found)),
        ("coverage", coverage(found)),
        ("proofs", proofs(&standings)),
        ("mistakes", mistakes(found)),
        ("mutants", mutants(found)),
        ("survivors", survivors(found)),
    ]);
    template::fill(template, &parts)
        .map_err(|unfilled| Failure::bad_input(format!("docs/assurance/template.md: {unfilled}")))
}

fn only_tested_by_unit(text: &str) -> Result<BTreeMap<String, String>, Failure> {
    let wrong =
        |what: String| Failure::bad_input(format!("docs/assurance/only_tested.toml: {what}"));
    let sentences: BTreeMap<String, String> =
        toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
    let names = units::names();
    if let Some(unknown) = sentences.keys().find(|unit| !names.contains(&unit.as_str())) {
        return Err(wrong(format!(
            "unknown unit `{unknown}`; expected one of {}",
            names.join(", ")
        )));
    }
    match names.iter().find(|unit| !sentences.contains_key(**unit)) {
        Some(unit) => Err(wrong(format!("expected a sentence for the unit `{unit}`"))),
        None => Ok(sentences),
    }
}

/// Every proof with its standing.
fn standings(found: &Found) -> Result<Vec<(&'static Proof, Standing)>, Failure> {
    let standing = |proof: &'static Proof| {
        let record = found.proved.get(proof.name).map(|proved| proved.key.as_str());
        Ok((proof, prove::standing(proof, record)?))
    };
    PROOFS.iter().map(standing).collect()
}

fn units_table(
    only_tested: &BTreeMap<String, String>,
    standings: &[(&Proof, Standing)],
    found: &Found,
) -> String {
    let rows = units::names().into_iter().map(|unit| {
        let proofs = standings.iter().filter(|(proof, _)| proof.units.contains(&unit));
        let proofs: Vec<String> = proofs
            .map(|(proof, standing)| format!("`{}`, {}", proof.name, reach(proof, *standing)))
            .collect();
        let compared = found.compared.get(unit).map(|Compared { configurations, cycles }| {
            format!("{configurations} configurations, {} cycles", grouped(*cycles))
        });
        let covered = found.covered.get(unit);
        [
            format!("`{unit}`"),
            or_dash(proofs.join("; ")),
            or_dash(compared.unwrap_or_default()),
            or_dash(covered.map(|covered| percent(covered.lines)).unwrap_or_default()),
            or_dash(covered.map(|covered| percent(covered.branches)).unwrap_or_default()),
            or_dash(found.mutated.get(unit).map(accounted_for).unwrap_or_default()),
            only_tested[unit].clone(),
        ]
    });
    let heads = ["unit", "proved", "compared", "lines", "branches", "mutants", "only tested"];
    table(heads, rows)
}

fn compared(found: &Found) -> String {
    let row = |unit: &str, configurations: usize, cycles: u64| {
        [unit.to_owned(), configurations.to_string(), grouped(cycles)]
    };
    let records = in_order(&found.compared);
    let all = records.clone().fold((0, 0), |(configurations, cycles), (_, record)| {
        (configurations + record.configurations, cycles + record.cycles)
    });
    let rows = records
        .map(|(unit, record)| row(&format!("`{unit}`"), record.configurations, record.cycles));
    let sum = [row("all", all.0, all.1)];
    table(["unit", "configurations", "cycles"], rows.chain(sum))
}

fn coverage(found: &Found) -> String {
    let rows = in_order(&found.covered).map(|(unit, covered)| {
        let of = |Part(covered, total)| format!("{covered} of {total}");
        let configurations = covered.configurations.to_string();
        [format!("`{unit}`"), configurations, of(covered.lines), of(covered.branches)]
    });
    table(["unit", "configurations", "lines", "branches"], rows)
}

fn proofs(standings: &[(&Proof, Standing)]) -> String {
    let rows = standings.iter().map(|(proof, standing)| {
        let Proof { name, instance, claims, .. } = **proof;
        [format!("`{name}`"), instance.to_owned(), reach(proof, *standing), claims.to_owned()]
    });
    table(["proof", "instance", "reach", "what holds"], rows)
}

fn mistakes(found: &Found) -> String {
    let rows = all_mistakes().map(|Mistake { what, proof, .. }| {
        let noticed = found.noticed.get(*what).filter(|noticed| noticed.proof == *proof);
        let (properties, cycle) = match noticed {
            Some(noticed) => (quoted(&noticed.properties), noticed.cycle.to_string()),
            None => ("not run".to_owned(), "–".to_owned()),
        };
        [(*what).to_owned(), format!("`{proof}`"), properties, cycle]
    });
    table(["mistake", "proof", "what failed", "cycle"], rows)
}

fn mutants(found: &Found) -> String {
    let rows = in_order(&found.mutated).map(|(unit, record)| {
        let UnitRecord { modules, mutants, killed, equivalent, survivors } = record;
        let numbers = [*mutants, *killed, *equivalent, survivors.len()].map(|n| n.to_string());
        let [mutants, killed, equivalent, survived] = numbers;
        [format!("`{unit}`"), quoted(modules), mutants, killed, equivalent, survived]
    });
    table(["unit", "modules", "mutants", "killed", "equivalent", "survived"], rows)
}

fn survivors(found: &Found) -> String {
    let rows = in_order(&found.mutated).flat_map(|(unit, record)| {
        record.survivors.iter().map(move |survivor| {
            let Survivor { number, change, place } = survivor;
            let verilog = format!("`{}`: `{}`", place.verilog, place.text.replace('|', "\\|"));
            [format!("`{unit}` {number}"), change.clone(), verilog, format!("`{}`", place.rust)]
        })
    });
    table(["mutant", "change", "Verilog", "Rust"], rows)
}

/// The share of mutants that are killed or proved equivalent.
fn accounted_for(record: &UnitRecord) -> String {
    let share = Part(record.killed + record.equivalent, record.mutants);
    format!("{} of {}", percent(share), record.mutants)
}

/// How far a proof goes, if it stands.
fn reach(proof: &Proof, standing: Standing) -> String {
    match standing {
        Standing::Holds => prove::reach(proof),
        Standing::HeldBefore => format!("{}, of an earlier version", prove::reach(proof)),
        Standing::Unknown => "not proved".to_owned(),
    }
}

/// Records of units, in the order of the catalog.
fn in_order<T>(records: &BTreeMap<String, T>) -> impl Iterator<Item = (&'static str, &T)> + Clone {
    let names = units::names().into_iter();
    names.filter_map(|unit| records.get(unit).map(|record| (unit, record)))
}

fn table<const N: usize>(heads: [&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let heads = line(&heads.map(str::to_owned));
    let rule = format!("|{}\n", "---|".repeat(N));
    let rows: String = rows.map(|row| line(&row)).collect();
    heads + &rule + &rows
}

fn or_dash(text: String) -> String {
    if text.is_empty() { "–".to_owned() } else { text }
}

fn quoted(names: &[String]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

/// A share in percent, never rounded up to 100.
fn percent(Part(covered, total): Part) -> String {
    match covered == total {
        true => "100 %".to_owned(),
        false => {
            let tenths = covered * 1000 / total;
            format!("{}.{} %", tenths / 10, tenths % 10)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assurance::{Covered, Noticed};

    #[test]
    fn numbers_are_grouped_and_shares_are_never_rounded_up() {
        assert_eq!(
            [7, 1_000, 10_002_898].map(grouped),
            ["7", "1,000", "10,002,898"].map(str::to_owned)
        );
        assert_eq!(percent(Part(3, 3)), "100 %");
        assert_eq!(percent(Part(9_999, 10_000)), "99.9 %");
    }

    #[test]
    fn units_come_in_the_order_of_the_catalog_with_a_sum() {
        let of = |configurations, cycles| Compared { configurations, cycles };
        let compared_units = [("signature", of(9, 2_000)), ("context_register", of(8, 1_000))];
        let found = Found {
            compared: compared_units.map(|(unit, record)| (unit.to_owned(), record)).into(),
            ..Found::default()
        };
        assert_eq!(
            compared(&found),
            "| unit | configurations | cycles |\n|---|---|---|\n\
             | `context_register` | 8 | 1,000 |\n| `signature` | 9 | 2,000 |\n| all | 17 | 3,000 |\n"
        );
    }

    #[test]
    fn what_was_not_run_is_said_to_be_so() {
        let first = *all_mistakes().next().expect("there are mistakes");
        assert!(mistakes(&Found::default()).contains("| not run | – |"));
        let noticed = Noticed {
            proof: first.proof.to_owned(),
            properties: vec!["in_its_place".into()],
            cycle: 4,
            key: "key".into(),
        };
        let found =
            Found { noticed: [(first.what.to_owned(), noticed)].into(), ..Found::default() };
        let row = format!("| {} | `{}` | `in_its_place` | 4 |", first.what, first.proof);
        assert!(mistakes(&found).contains(&row));

        let proof = &PROOFS[0];
        let row = |standing| proofs(&[(proof, standing)]);
        assert!(row(Standing::Holds).contains("| unbounded |"));
        assert!(row(Standing::HeldBefore).contains("| unbounded, of an earlier version |"));
        assert!(row(Standing::Unknown).contains("| not proved |"));
    }

    #[test]
    fn a_unit_that_nothing_is_known_of_has_dashes() {
        let only_tested: BTreeMap<_, _> =
            units::names().into_iter().map(|unit| (unit.to_owned(), "all".to_owned())).collect();
        let bare = units_table(&only_tested, &[], &Found::default());
        assert!(bare.contains("| `bus` | – | – | – | – | – | all |"), "{bare}");
        let covered = Covered { configurations: 2, lines: Part(1, 1), branches: Part(1, 2) };
        let found = Found { covered: [("bus".to_owned(), covered)].into(), ..Found::default() };
        let row = "| `bus` | – | – | 100 % | 50.0 % | – | all |";
        assert!(units_table(&only_tested, &[], &found).contains(row));
    }

    #[test]
    fn mutants_are_counted_and_survivors_are_shown_with_their_lines() {
        let place = mutate::place::Place {
            verilog: "bus_3.v:7".into(),
            text: "a <= b || c;".into(),
            rust: "src/bus.rs:3".into(),
        };
        let survivor = Survivor { number: 5, change: "bit 0 of A of `or` always 1".into(), place };
        let record = UnitRecord {
            modules: vec!["bus_3".into()],
            mutants: 200,
            killed: 190,
            equivalent: 9,
            survivors: vec![survivor],
        };
        assert_eq!(accounted_for(&record), "99.5 % of 200");
        let found = Found { mutated: [("bus".to_owned(), record)].into(), ..Found::default() };
        assert!(mutants(&found).ends_with("| `bus` | `bus_3` | 200 | 190 | 9 | 1 |\n"));
        let row = "| `bus` 5 | bit 0 of A of `or` always 1 | `bus_3.v:7`: `a <= b \\|\\| c;` | \
                   `src/bus.rs:3` |\n";
        assert!(survivors(&found).ends_with(row), "{}", survivors(&found));
    }

    #[test]
    fn every_unit_needs_its_sentence() {
        let error = only_tested_by_unit("bus = 'all'").unwrap_err().to_string();
        assert!(error.ends_with("expected a sentence for the unit `context_register`"), "{error}");
        let error = only_tested_by_unit("buzz = 'all'").unwrap_err().to_string();
        assert!(error.contains("unknown unit `buzz`; expected one of "), "{error}");
    }
}
