//! The page: what was measured of each program, and the paper's tables beside it.

use super::measure::{Found, Reproduced};
use super::published::PUBLISHED;
use crosstalk::repro::{Opposite, Rate, SURE};
use firmware::bugs;
use kit::file::{Unwritable, write_atomic};
use kit::numbers::grouped;

const BEGINNING: &str = "\
# Breakpoints

Measured by `cargo xtask validate --breakpoints --write`, **on the golden machine**: a run's time is the instructions of all harts. With `--runs N`, what was found there is forced
on the simulated hardware as well, in a table of its own.

Each program is run under seeded schedules until 25 runs have failed and 25 passed, and `repro` looks for the smallest set of breakpoints under which fresh
schedules, with seeds above all of those, fail in the same way (exit code, assertion line, faulting instruction, or calls that wait). The programs are those of `firmware/bugs`, and those in
`firmware/breakpoint-bugs`, written after the paper's. They are compiled with `-fno-unroll-loops`: a breakpoint is at one instruction, and a fix changes what is unrolled.

- *Forced*: fresh schedules that fail under the set in the hunted way. 299 without a miss, or 473 with one, make a probability of 0.99 sure to 95 %.
- *Opposite*: those that fail so with the opposite order forced at every visit. *Clean*: those in which every visit hit, and how many of them fail. The others had
  waits in vain. What a visit is where one thread comes more often than the other, is said in [breakpoints.md](../breakpoints.md).
- *Unaided*: those that fail so without breakpoints.
- *Fixed*: those of the fixed twin (`-DFIXED`) that fail in any way under the same set, its locations found again in the edited program. A location that is
  gone is said so: nothing was tested.
- *Cause*: *confirmed* if both halves hold: none of the schedules under the opposite fails so, and at least half of them met. Where none is clean, each of
  them also had a wait in vain, so the second half rests on all of them. *Reproduced* if only the first half holds.

";

fn rate(some: u64, all: u64) -> String {
    format!("{some} of {all}")
}

/// The page.
pub fn page(all: &[Reproduced]) -> String {
    let mut table = String::from(
        "| program | hunted | cause | forced | opposite | clean | unaided | fixed |\n|---|---|---|---|---|---|---|---|\n",
    );
    let mut sets = String::new();
    for one in all {
        let name = one.name.as_str();
        let hunted = rate(one.hunted.0, one.hunted.1);
        match &one.found {
            Ok(found) => {
                let Found { forced, opposite, unaided, .. } = found;
                let cause = match found.opposed() {
                    Opposite::NeverFails => "confirmed",
                    Opposite::Fails | Opposite::NotForced => "reproduced",
                };
                let cells = [
                    name.to_owned(),
                    hunted,
                    cause.to_owned(),
                    rate(forced.failed, forced.runs),
                    rate(opposite.failed, opposite.runs),
                    rate(opposite.clean_failed, opposite.clean),
                    rate(unaided.failed, unaided.runs),
                    match &found.fixed {
                        Ok((failed, runs)) => rate(*failed, *runs),
                        Err(_) => "location gone".to_owned(),
                    },
                ];
                table += &format!("| {} |\n", cells.join(" | "));
                sets += &told(name, found);
            }
            Err(best) => {
                let best = rate(best.failed, best.runs);
                table += &format!("| {name} | {hunted} | no set found; best {best} | | | | | |\n");
            }
        }
    }
    let hardware = on_hardware(all);
    let missing = bugs::ALL.iter().chain(bugs::BREAKPOINTS).map(|bug| bug.name);
    let missing: Vec<&str> =
        missing.filter(|name| all.iter().all(|one| one.name != *name)).collect();
    let missing = match missing.as_slice() {
        [] => String::new(),
        some => format!(" Not measured yet: {}.", some.join(", ")),
    };
    let (confirmed, found) = (count(all, true), count(all, false));
    let clean = all.iter().filter_map(|one| one.found.as_ref().ok());
    let is_clean =
        |found: &&Found| found.opposed() == Opposite::NeverFails && found.opposite.clean >= SURE;
    let clean = clean.filter(is_clean).count();
    let rare = all.iter().filter_map(|one| one.found.as_ref().ok());
    let rare = rare.filter(|found| 20 * found.unaided.failed < found.unaided.runs).count();
    let total = all.len();
    format!(
        "{BEGINNING}{table}\nConfirmed: {confirmed} of {total}, {clean} of them with {SURE} schedules of the opposite order in which every visit hit; reproduced at least: {found} of {total}. Of these, {rare} fail in less than 5 % of schedules without \
         breakpoints.{missing}\n\n{hardware}## The sets\n\n{sets}\n{}",
        beside(all)
    )
}

const HARDWARE: &str = "\
## On the simulated hardware

The sets that were found, with the waits in cycles that the hardware's own passing runs suggest. Each pair of figures: as configured, and with the least perturbation; seeds are above all that
were hunted with. *Fixed*: schedules of the fixed twin that fail in any way.

| program | cause | forced | opposite | clean | unaided | fixed | waits |
|---|---|---|---|---|---|---|---|
";

/// What the hardware made of the sets; nothing, if it was not asked.
fn on_hardware(all: &[Reproduced]) -> String {
    let mut table = String::new();
    for one in all {
        let Some(rtl) = &one.rtl else { continue };
        let cause = match (rtl.reproduced, rtl.confirmed, rtl.opposed()) {
            (false, ..) => "not reproduced",
            (true, true, _) => "confirmed",
            (true, false, Opposite::NotForced) => "reproduced; opposite not forced",
            (true, false, _) => "reproduced",
        };
        let pair = |rates: &[Rate], of: fn(&Rate) -> (u64, u64)| {
            let figures = rates.iter().map(|one| rate(of(one).0, of(one).1));
            figures.collect::<Vec<_>>().join("; ")
        };
        let failed = |rate: &Rate| (rate.failed, rate.runs);
        let waits: Vec<String> = rtl.waits.iter().map(|wait| grouped((*wait).into())).collect();
        let cells = [
            one.name.clone(),
            cause.to_owned(),
            pair(&rtl.forced, failed),
            pair(&rtl.opposite, failed),
            pair(&rtl.opposite, |rate| (rate.clean_failed, rate.clean)),
            pair(&rtl.unaided, failed),
            match &rtl.fixed {
                Ok(fixed) => rate(fixed.failed + fixed.otherwise, fixed.runs),
                Err(_) => "location gone".to_owned(),
            },
            waits.join("; "),
        ];
        table += &format!("| {} |\n", cells.join(" | "));
    }
    if table.is_empty() { table } else { format!("{HARDWARE}{table}\n") }
}

fn count(all: &[Reproduced], confirmed: bool) -> usize {
    let found = all.iter().filter_map(|one| one.found.as_ref().ok());
    found.filter(|found| !confirmed || found.opposed() == Opposite::NeverFails).count()
}

fn told(name: &str, found: &Found) -> String {
    let entries = found.places.iter().map(|places| {
        places.iter().map(|place| format!("`{place}`")).collect::<Vec<_>>().join(" then ")
    });
    let entries = entries.collect::<Vec<_>>().join("; and ");
    let gone = match &found.fixed {
        Err(why) => format!(". Not tried on the fixed twin: {why}"),
        Ok(_) => String::new(),
    };
    format!("- **{name}**: {entries} ({}){gone}\n", found.options)
}

/// The paper's tables.
fn beside(all: &[Reproduced]) -> String {
    let mut table = String::from(
        "## Tables 1 and 2 of the paper\n\nThe paper's programs are large and real, ours small and written after its descriptions; its times are seconds on a computer, ours \
         instructions. *Overhead*: instructions of a run under the set, beside one without; a run that deadlocks has none. *To error*: mean instructions of failing runs under the set.\n\n\
         | program | paper: bug | probability | paper | overhead | paper | to error | paper | breakpoints | paper |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    for row in PUBLISHED {
        let Some(one) = all.iter().find(|one| one.name == row.bug) else { continue };
        let Ok(found) = &one.found else { continue };
        let mean = |cycles: u64, runs: u64| cycles.checked_div(runs).unwrap_or(0);
        let Rate { cycles, runs, .. } = found.forced;
        let (with, without) = (mean(cycles, runs), mean(found.unaided.cycles, found.unaided.runs));
        let overhead = 100.0 * (with as f64 / without.max(1) as f64 - 1.0);
        let paper = |value: Option<String>| value.unwrap_or_else(|| "–".to_owned());
        let cells = [
            row.bug.to_owned(),
            row.is.to_owned(),
            format!("{:.2}", found.forced.failing()),
            paper(row.probability.map(|p| format!("{p:.2}"))),
            format!("{overhead:.0} %"),
            paper(row.overhead.map(|part| format!("{part} %"))),
            grouped(mean(found.forced.cycles_failed, found.forced.failed)),
            paper(row.seconds.map(|seconds| format!("{seconds} s"))),
            found.places.len().to_string(),
            row.breakpoints.to_string(),
        ];
        table += &format!("| {} |\n", cells.join(" | "));
    }
    table
}

/// Writes the page.
///
/// # Errors
/// If it cannot be written.
pub fn write(all: &[Reproduced]) -> Result<(), Unwritable> {
    let path = tools::workspace_root().join("docs/results/breakpoints.md");
    write_atomic(&path, page(all).as_bytes())
}
