//! Both halves of a set, added up.

use crate::measure::{Hunted, Measured};
use firmware::validation::{Half, Kind};

/// How a half did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// Programs with a concurrency bug.
    pub programs: usize,
    /// Those of which a schedule failed.
    pub found: usize,
    /// Those whose verdict names two marked lines in order.
    pub lines: usize,
    /// Those whose verdict names a variable of the bug.
    pub variable: usize,
    /// Those whose verdict is right in both.
    pub right: usize,
    /// Fixed twins that were run.
    pub twins: usize,
    /// Those of which a schedule failed.
    pub unsound: usize,
}

impl Sum {
    /// Of the programs of a half.
    pub fn of(half: Half, measured: &[Measured]) -> Self {
        let mut sum = Self::default();
        let with_bugs = |one: &&Measured| one.half == half && one.kind != Kind::Plain;
        for one in measured.iter().filter(with_bugs) {
            sum.programs += 1;
            let Hunted { first_failing, judged, .. } = &one.hunted;
            sum.found += usize::from(first_failing.is_some());
            sum.lines += usize::from(judged.lines);
            sum.variable += usize::from(judged.variable);
            sum.right += usize::from(judged.is_right());
            sum.twins += usize::from(one.fixed_failed.is_some());
            sum.unsound += usize::from(one.fixed_failed.is_some_and(|failed| failed > 0));
        }
        sum
    }
}

/// A set of programs, measured.
pub struct Set {
    /// What it is called: `first`.
    pub name: String,
    /// Its programs.
    pub measured: Vec<Measured>,
}

/// A Markdown table of both halves of each set.
pub fn halves(sets: &[Set]) -> String {
    let mut text = String::from(
        "| set | half | programs | found | two lines in order | variable named | right | fixed twins that failed |\n\
         |---|---|---:|---:|---:|---:|---:|---:|\n",
    );
    for Set { name, measured } in sets {
        for (half, of) in [("open", Half::Open), ("held out", Half::HeldOut)] {
            let sum = Sum::of(of, measured);
            let Sum { programs, found, lines, variable, right, twins, unsound } = sum;
            if programs == 0 {
                continue;
            }
            let twins = match twins {
                0 => "not run".to_owned(),
                twins => format!("{unsound} of {twins}"),
            };
            text += &format!(
                "| {name} | {half} | {programs} | {found} | {lines} | {variable} | {right} | {twins} |\n"
            );
        }
    }
    text
}

/// How many programs the oldest strategy does not find.
pub fn bursts(sets: &[Set], schedules: u64) -> String {
    let all = || sets.iter().flat_map(|set| &set.measured).filter(|one| one.kind != Kind::Plain);
    let run = all().filter_map(|one| one.bursts_failed);
    let (run, never) =
        run.fold((0, 0), |(run, never), failed| (run + 1, never + usize::from(failed == 0)));
    match run {
        0 => "Schedules in bursts alone, the strategy that was there first: not run.\n".into(),
        _ => format!(
            "In none of {schedules} schedules in bursts, the strategy that was there first, {never} of {run} programs fail.\n"
        ),
    }
}

/// A Markdown table of the programs of several trials: in how many each was found, and its verdict right.
pub fn trials(measured: &[Measured], trials: u64) -> String {
    let mut text = String::from("| program | found | right |\n|---|---:|---:|\n");
    let mut names: Vec<&str> = measured.iter().map(|one| one.name.as_str()).collect();
    names.dedup();
    let mut always = 0;
    for name in &names {
        let of = || measured.iter().filter(|one| one.name == *name);
        let found = of().filter(|one| one.hunted.first_failing.is_some()).count();
        let right = of().filter(|one| one.hunted.judged.is_right()).count();
        always += u64::from(right as u64 == trials);
        text += &format!("| {name} | {found} of {trials} | {right} of {trials} |\n");
    }
    format!("{text}\nRight in every trial: {always} of {}.\n", names.len())
}

/// What the answers to programs without a concurrency bug say.
pub fn plain(measured: &[Measured]) -> String {
    let plain: Vec<_> = measured.iter().filter(|one| one.kind == Kind::Plain).collect();
    let failed = plain.iter().filter(|one| one.hunted.first_failing.is_some()).count();
    let right = plain.iter().filter(|one| one.hunted.any_schedule).count();
    format!(
        "Programs that fail for reasons outside threads: {}; {failed} of them failed, and for {right} the answer is that \
         the schedule does not matter.\n",
        plain.len()
    )
}

/// A line for each program of the open half; the held-out half is not for looking at.
pub fn details(measured: &[Measured]) -> String {
    let line = |one: &Measured| {
        let Hunted { first_failing, judged, said, .. } = &one.hunted;
        let first = first_failing.map_or("never failed".into(), |seed| format!("fails at {seed}"));
        let right = match (judged.lines, judged.variable) {
            (true, true) => "right",
            (true, false) => "lines only",
            (false, true) => "variable only",
            (false, false) => "wrong",
        };
        format!("{:24} {:18} {first:16} {right:14} {said}\n", one.name, one.kind.name())
    };
    measured.iter().filter(|one| one.half == Half::Open).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Judged;

    fn measured(half: Half, kind: Kind, first_failing: Option<u64>, judged: Judged) -> Measured {
        let hunted = Hunted { first_failing, judged, ..Hunted::default() };
        let (fixed_failed, bursts_failed) = (None, None);
        Measured { name: "a".into(), half, kind, hunted, fixed_failed, bursts_failed }
    }

    #[test]
    fn what_was_not_run_is_not_called_sound() {
        let one = measured(Half::Open, Kind::Order, Some(3), Judged::default());
        let said = |fixed_failed, bursts_failed| {
            let measured = vec![Measured { fixed_failed, bursts_failed, ..one.clone() }];
            let sets = [Set { name: "first".into(), measured }];
            (halves(&sets), bursts(&sets, 9))
        };
        let (table, line) = said(None, None);
        assert!(table.ends_with("| first | open | 1 | 1 | 0 | 0 | 0 | not run |\n"), "{table}");
        assert!(line.ends_with("not run.\n"), "{line}");
        let (table, line) = said(Some(0), Some(0));
        assert!(table.ends_with("| 0 of 1 |\n"), "{table}");
        assert!(line.contains("1 of 1 programs"), "{line}");
        let (table, line) = said(Some(2), Some(5));
        assert!(table.ends_with("| 1 of 1 |\n"), "{table}");
        assert!(line.contains("0 of 1 programs"), "{line}");
    }

    #[test]
    fn halves_are_added_up_apart_and_without_plain_programs() {
        let right = Judged { lines: true, variable: true };
        let all = [
            measured(Half::Open, Kind::Order, Some(3), right),
            measured(Half::Open, Kind::Plain, Some(1), right),
            measured(Half::HeldOut, Kind::Deadlock, None, Judged::default()),
        ];
        let open = Sum::of(Half::Open, &all);
        assert_eq!((open.programs, open.found, open.right), (1, 1, 1));
        let held_out = Sum::of(Half::HeldOut, &all);
        assert_eq!((held_out.programs, held_out.found, held_out.right), (1, 0, 0));
        assert_eq!(details(&all).lines().count(), 2, "only the open half");
    }

    #[test]
    fn a_program_is_right_only_if_it_is_in_every_trial() {
        let right = Judged { lines: true, variable: true };
        let wrong = Judged::default();
        let one = |judged| measured(Half::Open, Kind::Order, Some(3), judged);
        let said = trials(&[one(right), one(wrong)], 2);
        assert!(said.contains("| a | 2 of 2 | 1 of 2 |"), "{said}");
        assert!(said.ends_with("Right in every trial: 0 of 1.\n"), "{said}");
        assert!(trials(&[one(right), one(right)], 2).ends_with("every trial: 1 of 1.\n"));
    }
}
