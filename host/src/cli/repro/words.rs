//! What `repro` found, in words.

use super::super::failure::Failure;
use super::super::out::{Out, Paint, Table, left, plural, print_json, right};
use super::hardware::Tried;
use super::{Args, Document};
use crate::breakpoint::{Entry, Places, Set};
use crate::hunt::{On, Recorded};
use crate::repro::{Hunted, Opposite, Proof, Proved, Rate, Row};
use serde::Serialize;
use std::process::ExitCode;

/// Rows of a search that are shown.
const SHOWN: usize = 24;

/// An entry in words.
#[derive(Clone, Serialize)]
pub struct EntryWords {
    /// The places, in the order in which they go.
    pub places: Vec<String>,
    /// The lines' texts.
    texts: Vec<Option<String>>,
    /// The longest wait.
    wait: u32,
    /// Where the first is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<String>,
    /// Visits that are skipped, if any are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    skip: Vec<u32>,
    /// Hits after which it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<u32>,
    /// It waits for another entry's hit.
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<u32>,
    /// Only threads in this region arrive.
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<[String; 2]>,
}

/// A set in words.
pub fn described(set: &Set, places: &Places) -> Vec<EntryWords> {
    set.entries.iter().map(|entry| of_entry(entry, places)).collect()
}

fn of_entry(entry: &Entry, places: &Places) -> EntryWords {
    let skip: Vec<u32> = entry.parties.iter().map(|party| party.skip).collect();
    let back = |pc: u32| places.name(pc, true);
    EntryWords {
        places: entry.parties.iter().map(|party| places.name(party.pc, false)).collect(),
        texts: entry
            .parties
            .iter()
            .map(|party| places.at(party.pc, false).and_then(|place| place.text.clone()))
            .collect(),
        wait: entry.wait,
        until: entry.until.map(back),
        skip: if skip.iter().any(|skip| *skip > 0) { skip } else { Vec::new() },
        bound: (entry.bound > 0).then_some(entry.bound),
        after: entry.after,
        region: entry.region.map(|(begin, end)| [back(begin), back(end)]),
    }
}

/// The answer.
pub fn write(
    out: &mut Out,
    document: &Document,
    proved: &Proved,
    on: On,
    hardware: Option<&(On, Tried)>,
) {
    let said = headline(proved, on, hardware);
    out.painted(Paint::Bold, &format!("{}: {said}", document.program));
    if !document.breakpoints.is_empty() {
        out.line("");
        entries(out, &document.breakpoints);
    }
    out.line("");
    match proved {
        Proved::Found(proof) => {
            proof_lines(out, proof);
            out.line(verdict(proof));
        }
        Proved::Nothing { best, unaided, .. } => {
            if let Some((_, rate)) = best {
                out.line(&format!("  this order, the best     {}", failed(rate)));
            }
            out.line(&format!("  without breakpoints      {}", failed(unaided)));
            out.line("");
            out.line("Try all pairs that conflict: --search");
        }
    }
    match hardware {
        Some((on, Tried::Done(proof))) => {
            let waits = proof.candidate.forced.entries.iter().map(|entry| entry.wait.to_string());
            let waits: Vec<_> = waits.collect();
            out.line("");
            out.line(&format!("On {}, waiting at most {} cycles:", on.called(), waits.join(", ")));
            proof_lines(out, proof);
            if proof.is_reproduced() {
                out.line(verdict(proof));
            }
        }
        Some((on, Tried::Missing(why))) => {
            out.line("");
            out.line(&format!("Not tried on {}: {why}", on.called()));
        }
        None => {}
    }
    if let Some(file) = &document.file {
        out.line("");
        out.line(&format!("breakpoints  {}", file.display()));
        if let Some(file) = document.hardware.as_ref().and_then(|hardware| hardware.file.as_ref()) {
            out.line(&format!("  in cycles  {}", file.display()));
        }
        match (&document.patch, &document.no_patch) {
            (Some(patch), _) => out.line(&format!("C patch      {}", patch.display())),
            (None, Some(why)) => out.line(&format!("C patch      none: {why}")),
            (None, None) => {}
        }
        out.line(&format!("after a fix  crosstalk repro --check {} PROGRAM", file.display()));
    }
}

/// The answer in a sentence.
fn headline(proved: &Proved, on: On, hardware: Option<&(On, Tried)>) -> String {
    let machine = on.called();
    let forced = match hardware {
        Some((other, Tried::Done(proof))) => Some((other.called(), proof)),
        _ => None,
    };
    match (proved, forced) {
        (Proved::Nothing { tried, .. }, _) => {
            format!("not reproduced on {machine}, by {}", plural(*tried as u64, "candidate"))
        }
        (Proved::Found(proof), None) if proof.is_confirmed() => {
            format!("the cause is confirmed, on {machine}")
        }
        (Proved::Found(_), None) => {
            format!("reproduced on {machine}; the cause is not confirmed")
        }
        (Proved::Found(proof), Some((other, there))) => {
            match (proof.is_confirmed(), there.is_reproduced(), there.is_confirmed()) {
                (true, true, true) => {
                    format!("the cause is confirmed, on {machine} and on {other}")
                }
                (true, true, false) => format!(
                    "reproduced on {machine} and on {other}; the cause is confirmed on {machine} alone"
                ),
                (false, true, _) => {
                    format!("reproduced on {machine} and on {other}; the cause is not confirmed")
                }
                (true, false, _) => {
                    format!("the cause is confirmed on {machine}; not reproduced on {other}")
                }
                (false, false, _) => {
                    format!("reproduced on {machine}, not on {other}; the cause is not confirmed")
                }
            }
        }
    }
}

fn entries(out: &mut Out, all: &[EntryWords]) {
    for (number, entry) in all.iter().enumerate() {
        let widest = entry.places.iter().map(String::len).max().unwrap_or(0);
        for (party, (place, text)) in entry.places.iter().zip(&entry.texts).enumerate() {
            let order = if party == 0 { "first" } else { "then " };
            let skip = entry.skip.get(party).filter(|skip| **skip > 0);
            let skip = skip.map_or(String::new(), |skip| format!("  from visit {} on", skip + 1));
            let text = text.as_deref().unwrap_or_default();
            out.painted(Paint::Plain, &format!("  {order} {place:widest$}  {text}{skip}"));
        }
        let mut more = vec![format!("waits at most {}", entry.wait)];
        more.extend(entry.until.as_ref().map(|until| format!("the first goes until `{until}`")));
        more.extend(entry.bound.map(|bound| plural(u64::from(bound), "hit")));
        more.extend(entry.after.map(|after| format!("after entry {after}")));
        more.extend(entry.region.as_ref().map(|[begin, end]| format!("from `{begin}` to `{end}`")));
        out.painted(Paint::Dim, &format!("  {}", more.join("; ")));
        if number + 1 < all.len() {
            out.line("");
        }
    }
}

fn proof_lines(out: &mut Out, proof: &Proof) {
    for (index, forced) in proof.forced.iter().enumerate() {
        let opposite = proof.opposite.get(index).copied().unwrap_or_default();
        let level = if index == 0 { "" } else { " (least perturbation)" };
        out.line(&format!("  this order, forced       {}{level}", failed(forced)));
        out.line(&format!("  the opposite, forced     {}{level}", failed(&opposite)));
        let vain = opposite.runs - opposite.clean;
        if vain > 0 {
            let clean = opposite.clean;
            out.line(&format!(
                "                           every visit hit in {clean}, of which {} fail; of the other {vain}, {}",
                opposite.clean_failed,
                opposite.failed - opposite.clean_failed
            ));
        }
        out.line(&format!("  without breakpoints      {}{level}", failed(&proof.unaided[index])));
    }
}

/// What both halves say.
fn verdict(proof: &Proof) -> &'static str {
    match proof.opposed() {
        Opposite::NeverFails => {
            "The failure comes with this order and never with the opposite one."
        }
        Opposite::Fails => {
            "The opposite order fails too: this is a way to reproduce the failure, not its cause."
        }
        Opposite::NotForced => {
            "The opposite order could not be forced often enough: whether this is the cause is open."
        }
    }
}

fn failed(rate: &Rate) -> String {
    let otherwise = match rate.otherwise {
        0 => String::new(),
        some => format!(", {some} otherwise"),
    };
    format!("fails in {} of {} fresh schedules{otherwise}", rate.failed, rate.runs)
}

#[derive(Serialize)]
struct RowWords {
    places: Vec<String>,
    rate: Rate,
}

/// The paper's table.
pub fn searched(
    args: &Args,
    recorded: &Recorded,
    hunted: &Hunted<'_>,
    rows: &[Row],
    unaided: &Rate,
) -> Result<ExitCode, Failure> {
    let worded = rows.iter().map(|row| RowWords {
        places: row.candidate.locations().map(|pc| hunted.places.name(pc, false)).collect(),
        rate: row.rate,
    });
    let worded: Vec<RowWords> = worded.collect();
    if args.out.json {
        print_json(&worded)?;
    } else {
        let mut out = Out::new(args.out.color);
        let program = &recorded.subject.name;
        let on = recorded.on.called();
        out.painted(Paint::Bold, &format!("{program}: orders of two places, on {on}"));
        out.line(&format!("without breakpoints: {}", failed(unaided)));
        let mut table = Table::new(vec![
            left("first", 40),
            left("then", 40),
            right("failed %"),
            right("hit %"),
        ]);
        for row in worded.iter().take(SHOWN) {
            let [first, second] = [0, 1].map(|place| row.places.get(place).cloned());
            let percent = |part: f64| format!("{:.0}", 100.0 * part);
            let cells = [
                first.unwrap_or_default(),
                second.unwrap_or_default(),
                percent(row.rate.failing()),
                percent(row.rate.hitting()),
            ];
            table.row(cells.map(|cell| (Paint::Plain, cell)).to_vec());
        }
        out.table(&table);
        if worded.len() > SHOWN {
            out.line(&format!("… and {} more; --json has all", worded.len() - SHOWN));
        }
        out.print()?;
    }
    let found = rows.first().is_some_and(|row| row.rate.failing() > unaided.failing());
    Ok(if found { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
