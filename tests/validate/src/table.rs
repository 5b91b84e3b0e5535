//! Both halves of the set, added up.

use crate::measure::Measured;
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
    /// Fixed twins of which a schedule failed.
    pub unsound: usize,
}

impl Sum {
    /// Of the programs of a half.
    pub fn of(half: Half, measured: &[Measured]) -> Self {
        let mut sum = Self::default();
        let with_bugs = |one: &&Measured| one.half == half && one.kind != Kind::Plain;
        for one in measured.iter().filter(with_bugs) {
            sum.programs += 1;
            sum.found += usize::from(one.first_failing.is_some());
            sum.lines += usize::from(one.judged.lines);
            sum.variable += usize::from(one.judged.variable);
            sum.right += usize::from(one.judged.is_right());
            sum.unsound += usize::from(one.fixed_failed > 0);
        }
        sum
    }
}

/// A Markdown table of both halves.
pub fn halves(measured: &[Measured]) -> String {
    let mut text = String::from(
        "| half | programs | found | two lines in order | variable named | right | fixed twins that failed |\n\
         |---|---:|---:|---:|---:|---:|---:|\n",
    );
    for (name, half) in [("open", Half::Open), ("held out", Half::HeldOut)] {
        let Sum { programs, found, lines, variable, right, unsound } = Sum::of(half, measured);
        text += &format!(
            "| {name} | {programs} | {found} | {lines} | {variable} | {right} | {unsound} |\n"
        );
    }
    text
}

/// A Markdown table of the programs of several trials: in how many each was found, and its verdict right.
pub fn trials(measured: &[Measured], trials: u64) -> String {
    let mut text = String::from("| program | found | right |\n|---|---:|---:|\n");
    let mut names: Vec<&str> = measured.iter().map(|one| one.name.as_str()).collect();
    names.dedup();
    let mut always = 0;
    for name in &names {
        let of = || measured.iter().filter(|one| one.name == *name);
        let found = of().filter(|one| one.first_failing.is_some()).count();
        let right = of().filter(|one| one.judged.is_right()).count();
        always += u64::from(right as u64 == trials);
        text += &format!("| {name} | {found} of {trials} | {right} of {trials} |\n");
    }
    format!("{text}\nRight in every trial: {always} of {}.\n", names.len())
}

/// What the answers to programs without a concurrency bug say.
pub fn plain(measured: &[Measured]) -> String {
    let plain: Vec<_> = measured.iter().filter(|one| one.kind == Kind::Plain).collect();
    let failed = plain.iter().filter(|one| one.first_failing.is_some()).count();
    let right = plain.iter().filter(|one| one.any_schedule).count();
    format!(
        "Programs that fail for reasons outside threads: {}; {failed} of them failed, and for {right} the answer is that \
         the schedule does not matter.\n",
        plain.len()
    )
}

/// A line for each program of the open half; the held-out half is not for looking at.
pub fn details(measured: &[Measured]) -> String {
    let line = |one: &Measured| {
        let first =
            one.first_failing.map_or("never failed".into(), |seed| format!("fails at {seed}"));
        let right = match (one.judged.lines, one.judged.variable) {
            (true, true) => "right",
            (true, false) => "lines only",
            (false, true) => "variable only",
            (false, false) => "wrong",
        };
        format!("{:24} {:18} {first:16} {right:14} {}\n", one.name, one.kind.name(), one.sentence)
    };
    measured.iter().filter(|one| one.half == Half::Open).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Judged;

    fn measured(half: Half, kind: Kind, first_failing: Option<u64>, judged: Judged) -> Measured {
        let (name, sentence, fixed_failed) = ("a".into(), String::new(), 0);
        Measured {
            name,
            half,
            kind,
            first_failing,
            judged,
            any_schedule: false,
            sentence,
            fixed_failed,
        }
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
