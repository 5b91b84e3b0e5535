//! The study as a page to read.

use super::{Extras, paths};
use crate::cost::{Cost, RESOURCES, percent_over};
use crate::place::Placed;
use crate::study::{Answer, Machine, Study};
use crate::target::Target;
use crate::timing::SlowestPath;
use crate::tree;
use std::fmt::Write;

/// The whole page.
pub fn text(study: &Study, target: Target, extras: &Extras) -> String {
    let mut page = String::new();
    let Study { top, base_name, .. } = study;
    let _ = writeln!(page, "# Area of `{top}`, {base_name}, on {}\n", study.target);
    let _ = writeln!(
        page,
        "Tools: {}. LUTs have four inputs; {}. Hardware as a board has it: not perturbed, with the\n\
         ports open that only models watch. Each module was synthesized by itself and the costs added\n\
         up over the hierarchy{}.\n",
        study.tools.join(", "),
        target.bram(),
        if has_placed(study) {
            "; *placed* figures are of the whole design, flattened"
        } else {
            ""
        },
    );
    points(&mut page, study);
    let base = &study.points[study.base];
    paths::chapter(&mut page, &base.machine);
    units(&mut page, base);
    monitor(&mut page, base);
    storage(&mut page, base, target);
    memories(&mut page, base);
    precision(&mut page, extras);
    plots(&mut page, extras);
    failures(&mut page, study);
    page
}

fn has_placed(study: &Study) -> bool {
    study.points.iter().any(|answer| answer.machine.best().is_some())
}

/// A row of a table.
pub(super) fn row<T: AsRef<str>>(page: &mut String, cells: impl IntoIterator<Item = T>) {
    for cell in cells {
        let _ = write!(page, "| {} ", cell.as_ref());
    }
    page.push_str("|\n");
}

/// The head of a table: so many columns of text, then numbers.
pub(super) fn head(page: &mut String, columns: &[&str], of_text: usize) {
    row(page, columns);
    let rules = (0..columns.len()).map(|at| if at < of_text { "---" } else { "---:" });
    row(page, rules);
}

fn counts(cost: Cost) -> impl Iterator<Item = String> {
    RESOURCES.iter().map(move |resource| (resource.of)(&cost).to_string())
}

fn percent(new: Option<Cost>, old: Option<Cost>, of: fn(&Cost) -> u64) -> String {
    let both = new.zip(old).and_then(|(new, old)| percent_over(of(&new), of(&old)));
    both.map_or_else(|| "–".to_owned(), |percent| format!("{percent:+.1} %"))
}

fn points(page: &mut String, study: &Study) {
    page.push_str("## Points\n\n");
    let placed = has_placed(study);
    let mut columns = vec![
        "configuration",
        "LUTs",
        "FFs",
        "block RAM",
        "DSPs",
        "LUTs over baseline",
        "FFs over baseline",
    ];
    if placed {
        columns.extend(["placed LUTs", "over baseline", "of these LUT cells", "over baseline"]);
        columns.extend(["placed FFs", "MHz", "MHz of baseline"]);
    }
    head(page, &columns, 1);
    for answer in &study.points {
        let machine = &answer.machine;
        let bare = answer.baseline.as_ref();
        let total = machine.total;
        let mut cells = vec![answer.label()];
        match total {
            Some(cost) => cells.extend(counts(cost)),
            None => cells.extend(RESOURCES.map(|_| "failed".to_owned())),
        }
        let bare_total = bare.and_then(|bare| bare.total);
        cells.extend([
            percent(total, bare_total, |c| c.luts),
            percent(total, bare_total, |c| c.ffs),
        ]);
        if placed {
            let cost = |machine: &Machine| machine.best().map(|placed| placed.cost);
            let clock =
                |machine: &Machine| machine.best().map(|placed| format!("{:.1}", placed.fmax_mhz));
            let or_dash = |cell: Option<String>| cell.unwrap_or_else(|| "–".to_owned());
            let lut_cells = |machine: &Machine| {
                machine
                    .best()
                    .map(|Placed { cost, lut_cells, .. }| Cost { luts: *lut_cells, ..*cost })
            };
            for of in [cost, lut_cells] {
                cells.push(or_dash(of(machine).map(|cost| cost.luts.to_string())));
                cells.push(percent(of(machine), bare.and_then(of), |cost| cost.luts));
            }
            cells.push(or_dash(cost(machine).map(|cost| cost.ffs.to_string())));
            cells.push(or_dash(clock(machine)));
            cells.push(or_dash(bare.and_then(clock)));
        }
        row(page, cells);
    }
    page.push('\n');
    for answer in &study.points {
        if let Some(placed) = answer.machine.best() {
            slowest(page, &answer.label(), &placed.slowest);
        }
    }
    if placed {
        page.push('\n');
    }
}

fn slowest(page: &mut String, label: &str, path: &SlowestPath) {
    let SlowestPath { from, to, through, cells, logic_ns, wire_ns } = path;
    let _ = writeln!(
        page,
        "- {label}: the slowest path goes from `{from}` to `{to}` through {cells} cells: {:.1} ns, of \
         which {wire_ns:.1} ns are in wires. It is in {}.",
        logic_ns + wire_ns,
        through.iter().map(|place| format!("`{place}`")).collect::<Vec<_>>().join(", then ")
    );
}

fn units(page: &mut String, base: &Answer) {
    let _ = writeln!(page, "## Units: {}\n", base.label());
    page.push_str("Of all instances; *own* without what is inside.\n\n");
    let columns = [
        "unit",
        "instances",
        "LUTs",
        "FFs",
        "block RAM",
        "DSPs",
        "own LUTs",
        "own FFs",
        "own block RAM",
        "own DSPs",
    ];
    head(page, &columns, 1);
    for line in &base.machine.units {
        let name = format!("{}`{}`", "&emsp;".repeat(line.depth), line.unit);
        let cells = [name, line.instances.to_string()].into_iter();
        row(page, cells.chain(counts(line.total)).chain(counts(line.own)));
    }
    page.push('\n');
}

fn monitor(page: &mut String, base: &Answer) {
    page.push_str("## The monitor, against the same without it\n\n");
    let Some(baseline) = base.baseline.as_ref().filter(|bare| !bare.units.is_empty()) else {
        page.push_str("This unit does not exist without a monitor, or has none.\n\n");
        return;
    };
    let (new, old) = (tree::by_unit(&base.machine.units), tree::by_unit(&baseline.units));
    head(page, &["unit", "LUTs", "without", "FFs", "without", "block RAM", "without"], 1);
    let cells = |name: &str, new: Cost, old: Cost| {
        let pairs = RESOURCES[..3].iter().flat_map(move |resource| {
            [(resource.of)(&new).to_string(), (resource.of)(&old).to_string()]
        });
        [name.to_owned()].into_iter().chain(pairs).collect::<Vec<_>>()
    };
    for (unit, (_, cost)) in &new {
        let bare = old.get(unit).map(|(_, cost)| *cost).unwrap_or_default();
        if bare != *cost {
            row(page, cells(&format!("`{unit}`"), *cost, bare));
        }
    }
    if let (Some(new), Some(old)) = (base.machine.total, baseline.total) {
        row(page, cells("everything", new, old));
        let by = |of| percent(Some(new), Some(old), of);
        let _ = writeln!(
            page,
            "\nUnits that are the same in both are left out. The monitor adds {} LUTs and {} FFs.\n",
            by(|cost| cost.luts),
            by(|cost| cost.ffs)
        );
    }
}

fn storage(page: &mut String, base: &Answer, target: Target) {
    if base.storage.is_empty() {
        return;
    }
    page.push_str("## Storage of one hart's monitor\n\n");
    let columns = [
        "what",
        "the paper's formula",
        "bits by it",
        "record bits in the circuit",
        "register bits beside",
        "block RAM",
        "bits of that",
        "FFs",
        "LUTs",
    ];
    head(page, &columns, 2);
    for line in &base.storage {
        let Cost { luts, ffs, brams, .. } = line.synthesized;
        let room = target.bram_bits().map_or("–".to_owned(), |bits| (bits * brams).to_string());
        let numbers = [line.paper_bits, line.record_bits, line.register_bits, brams];
        let cells = [line.what.to_owned(), line.formula.to_owned()].into_iter();
        let cells = cells.chain(numbers.map(|number| number.to_string()));
        row(page, cells.chain([room, ffs.to_string(), luts.to_string()]));
    }
    page.push_str(
        "\nThe circuit holds more than the formula counts: times, hart numbers and an edge's kind.\n\n",
    );
}

fn memories(page: &mut String, base: &Answer) {
    if base.machine.memories.is_empty() {
        return;
    }
    page.push_str("## Memories, and what they are made of\n\n");
    head(page, &["module", "memory", "made of", "how many", "rows", "bits a row"], 3);
    for alike in base.machine.memories.chunk_by(|a, b| a == b) {
        let memory = &alike[0];
        let names = [&memory.module, &memory.name].map(|name| format!("`{name}`"));
        let sizes =
            [alike.len() as u64, memory.depth, memory.width].map(|number| number.to_string());
        row(page, names.into_iter().chain([memory.made_of.clone()]).chain(sizes));
    }
    page.push('\n');
}

fn precision(page: &mut String, extras: &Extras) {
    page.push_str("## Cost against precision\n\n");
    match &extras.precision {
        Err(reason) => {
            let _ = writeln!(page, "Not drawn: {reason}.\n");
        }
        Ok(choices) if choices.is_empty() => {
            page.push_str(
                "Not drawn: no point has a length of context that the bug suite was measured with.\n\n",
            );
        }
        Ok(choices) => {
            page.push_str(
                "Code points that a person inspects until the bug is found, from docs/results.md. They are\n\
                 of the context's length alone; how deep tables are does not enter.\n\n",
            );
            let columns = ["configuration", "on the front", "LUTs", "inspections", "bugs found"];
            head(page, &columns, 2);
            for choice in choices {
                let p = &choice.precision;
                let best = if choice.is_best { "yes" } else { "" };
                row(
                    page,
                    [
                        choice.label.clone(),
                        best.to_owned(),
                        choice.luts.to_string(),
                        format!("{:.2}", p.inspections),
                        format!("{} of {}", (10.0 * p.found).round() / 10.0, p.bugs),
                    ],
                );
            }
            page.push('\n');
        }
    }
}

fn plots(page: &mut String, extras: &Extras) {
    for plot in &extras.plots {
        let _ = writeln!(page, "![{}]({})\n", plot.title, plot.file);
    }
}

fn failures(page: &mut String, study: &Study) {
    let failures = study.failures();
    if !failures.is_empty() {
        page.push_str("## What failed\n\n");
        failures.iter().for_each(|sentence| {
            let _ = writeln!(page, "- {sentence}");
        });
    }
}
