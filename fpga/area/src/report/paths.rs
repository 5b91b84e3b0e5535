//! Late paths by where they end: on the page, on the terminal, and every register in a table.

use super::markdown::{head, row};
use crate::paths::{FAR, Group, Paths, Register, Tally};
use crate::place::Placed;
use crate::study::{Machine, Study};
use std::fmt::Write;

/// How many registers of a group are named where there is little room.
const NAMED: usize = 4;
/// How many groups the terminal shows.
const SHOWN: usize = 12;

/// The chapter of the page, for one machine.
pub fn chapter(page: &mut String, machine: &Machine) {
    let Some(best) = machine.best().filter(|placed| !placed.paths.groups.is_empty()) else {
        return;
    };
    let period = best.paths.period_ns;
    let _ = writeln!(
        page,
        "## Paths, by where they end\n\n\
         Of {:.1} MHz asked for, so of {period:.2} ns from edge to edge. An endpoint is a pin of a register or\n\
         memory; it is late if the longest path to it, setup included, takes more than that.\n",
        1000.0 / period
    );
    let over = [over(period), over(period * FAR)];
    head(page, &["seed", "MHz", "endpoints", &over[0], &over[1], "worst slack, ns"], 1);
    for placed in &machine.placed {
        let of = placed.paths.total();
        let counts = [of.endpoints, of.late, of.far].map(|count| count.to_string());
        let cells = [placed.seed.to_string(), format!("{:.1}", placed.fmax_mhz)].into_iter();
        row(page, cells.chain(counts).chain([slack(of)]));
    }
    let _ = writeln!(
        page,
        "\nBy unit of any hart, and where registers are named with their stage, by stage. Registers, the worst slack\n\
         and the column before it are those of seed {}, the fastest.\n",
        best.seed
    );
    let late: Vec<String> =
        machine.placed.iter().map(|placed| format!("late, seed {}", placed.seed)).collect();
    let columns = ["group", "late registers", "endpoints"].into_iter();
    let columns = columns.chain(late.iter().map(String::as_str));
    let columns: Vec<&str> = columns.chain([&*over[1], "worst slack, ns"]).collect();
    head(page, &columns, 2);
    for group in &best.paths.groups {
        let late = machine.placed.iter().map(|placed| late_of(placed, &group.name).to_string());
        let name = format!("`{}`", group.name);
        let cells = [name, registers(group), group.sum.endpoints.to_string()].into_iter();
        let worst = [group.sum.far.to_string(), slack(group.sum)];
        row(page, cells.chain(late).chain(worst));
    }
    page.push('\n');
}

/// The most important of it, in lines for a terminal.
pub fn summary(machine: &Machine) -> String {
    let mut text = String::new();
    let Some(best) = machine.best().filter(|placed| !placed.paths.groups.is_empty()) else {
        return text;
    };
    let period = best.paths.period_ns;
    for Placed { seed, fmax_mhz, paths, .. } in &machine.placed {
        let of = paths.total();
        let _ = writeln!(
            text,
            "  seed {seed}: {fmax_mhz:.1} MHz; of {} endpoints {} over {period:.2} ns, {} over {:.2} ns",
            of.endpoints,
            of.late,
            of.far,
            period * FAR
        );
    }
    let late: Vec<&Group> = best.paths.groups.iter().filter(|group| group.sum.late > 0).collect();
    if late.is_empty() {
        return text;
    }
    let _ =
        writeln!(text, "  late endpoints of seed {}, worst slack, group, registers:", best.seed);
    for group in late.iter().take(SHOWN) {
        let Group { name, sum, .. } = group;
        let _ = writeln!(text, "  {:>6} {:>7} ns  {name}: {}", sum.late, slack(*sum), plain(group));
    }
    if late.len() > SHOWN {
        let _ = writeln!(text, "  and {} groups more", late.len() - SHOWN);
    }
    text
}

/// Every register of every machine that was placed, a line each.
pub fn csv(study: &Study) -> String {
    let mut text =
        "point,monitor,seed,group,register,endpoints,late,far,worst_slack_ns\n".to_owned();
    for answer in &study.points {
        let label = answer.label();
        let machines = [("yes", Some(&answer.machine)), ("no", answer.baseline.as_ref())];
        for (monitor, machine) in machines {
            for placed in machine.iter().flat_map(|machine| &machine.placed) {
                lines(&mut text, &format!("{label:?},{monitor},{}", placed.seed), &placed.paths);
            }
        }
    }
    text
}

fn lines(text: &mut String, which: &str, paths: &Paths) {
    for group in &paths.groups {
        for Register { name, sum } in &group.registers {
            let Tally { endpoints, late, far, worst_slack_ns } = sum;
            let _ = writeln!(
                text,
                "{which},{},{name},{endpoints},{late},{far},{worst_slack_ns:.3}",
                group.name
            );
        }
    }
}

fn over(ns: f64) -> String {
    format!("over {ns:.2} ns")
}

fn slack(of: Tally) -> String {
    format!("{:.2}", of.worst_slack_ns)
}

fn late_of(placed: &Placed, group: &str) -> u64 {
    let found = placed.paths.groups.iter().find(|other| other.name == group);
    found.map_or(0, |found| found.sum.late)
}

fn late_registers(group: &Group) -> impl Iterator<Item = &Register> {
    group.registers.iter().filter(|register| register.sum.late > 0)
}

/// The registers with the most late endpoints, each with how many: for a page.
fn registers(group: &Group) -> String {
    listed(group, |Register { name, sum }| format!("`{name}` {}", sum.late))
}

fn plain(group: &Group) -> String {
    listed(group, |Register { name, sum }| format!("{name} {}", sum.late))
}

fn listed(group: &Group, one: impl Fn(&Register) -> String) -> String {
    let mut named: Vec<String> = late_registers(group).take(NAMED).map(one).collect();
    let more = late_registers(group).count().saturating_sub(NAMED);
    if more > 0 {
        named.push(format!("{more} more"));
    }
    named.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Cost;
    use crate::paths::Endpoint;
    use crate::timing::SlowestPath;
    use std::collections::BTreeMap;

    fn machine() -> Machine {
        let placed = |seed: u32, fmax_mhz: f64| {
            let registers = ["x_a", "x_b", "x_c", "x_d", "x_e", "x_f"];
            let cells = registers.map(|name| format!("inner.core.hart.{name}_TRELLIS_FF_Q"));
            let late = cells.iter().map(|cell| Endpoint { cell, delay_ns: 1000.0 / fmax_mhz });
            let early = [Endpoint { cell: "inner.bus.b_TRELLIS_FF_Q", delay_ns: 3.0 }];
            Placed {
                seed,
                cost: Cost::default(),
                lut_cells: 0,
                fmax_mhz,
                slowest: SlowestPath::default(),
                paths: Paths::new(20.0, late.chain(early)),
                utilization: BTreeMap::new(),
            }
        };
        Machine { placed: vec![placed(1, 40.0), placed(2, 45.0)], ..Machine::default() }
    }

    #[test]
    fn the_page_has_every_seed_and_every_group() {
        let mut page = String::new();
        chapter(&mut page, &machine());
        for line in [
            "| 1 | 40.0 | 7 | 6 | 6 | -5.00 |",
            "| 2 | 45.0 | 7 | 6 | 0 | -2.22 |",
            "| `core.hart: x` | `x_a` 1, `x_b` 1, `x_c` 1, `x_d` 1, 2 more | 6 | 6 | 6 | 0 | -2.22 |",
            "| `bus` |  | 1 | 0 | 0 | 0 | 17.00 |",
        ] {
            assert!(page.lines().any(|other| other == line), "{line} is not in\n{page}");
        }
    }

    #[test]
    fn the_terminal_shows_only_what_is_late() {
        let text = summary(&machine());
        let last = "       6   -2.22 ns  core.hart: x: x_a 1, x_b 1, x_c 1, x_d 1, 2 more";
        assert_eq!(text.lines().last(), Some(last), "{text}");
        assert!(text.contains("seed 1: 40.0 MHz; of 7 endpoints 6 over 20.00 ns, 6 over 24.00 ns"));
        assert_eq!(summary(&Machine::default()), "");
    }
}
