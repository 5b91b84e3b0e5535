//! How good an answer is, when it is known which lines are the bug.
//!
//! Everything here is about lists and marks alone; [`crate::known`] makes them from an analysis.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What a person went through until the bug was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inspected {
    /// Code points, the bug's own included (Bugaboo, Table 2).
    pub points: usize,
    /// Distinct functions among them.
    pub functions: usize,
}

/// Goes through a ranking, given whether each code point is marked and which function it is in. `None`: the
/// bug is not in it.
pub fn inspections<'a>(
    ranking: impl IntoIterator<Item = (bool, Option<&'a str>)>,
) -> Option<Inspected> {
    let mut functions = BTreeSet::new();
    for (place, (marked, function)) in ranking.into_iter().enumerate() {
        functions.insert(function);
        if marked {
            return Some(Inspected { points: place + 1, functions: functions.len() });
        }
    }
    None
}

/// Places in a reconstruction that are in order: prefix, source, body, sink, suffix.
pub const PLACES: usize = 5;

/// A code point in a reconstruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shown<P> {
    /// One of the bug's, by its number among the marks.
    Marked(usize),
    /// Another.
    Other(P),
}

/// How well a reconstruction shows the bug (Recon, Table 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// Distinct code points that carry a mark.
    pub relevant: usize,
    /// Distinct code points that carry none.
    pub irrelevant: usize,
    /// Whether the marks can be read in the order of their steps; `None`: fewer than two are shown, which
    /// have no order.
    pub in_order: Option<bool>,
    /// Marked lines with a step that nothing shown takes.
    pub missing: usize,
}

/// Judges a reconstruction: its code points, each with its place from 0 to [`PLACES`] - 1, and the steps
/// of every mark.
pub fn judge<P: Copy + Ord>(shown: &[(usize, Shown<P>)], steps: &[Vec<u32>]) -> Judged {
    let mut places: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    let mut others = BTreeSet::new();
    for (place, point) in shown {
        match point {
            Shown::Marked(mark) => drop(places.entry(*mark).or_default().insert(*place)),
            Shown::Other(point) => drop(others.insert(*point)),
        }
    }
    let relevant = places.len();
    let taken: BTreeSet<u32> = places.keys().flat_map(|mark| &steps[*mark]).copied().collect();
    let is_missing = |steps: &&Vec<u32>| steps.iter().any(|step| !taken.contains(step));
    let missing = steps.iter().filter(is_missing).count();
    places.retain(|mark, _| !steps[*mark].is_empty());
    let in_order = (places.len() >= 2).then(|| can_be_in_order(&places, steps));
    Judged { relevant, irrelevant: others.len(), in_order, missing }
}

/// Whether every mark can be taken for one of its steps, at one of its places, such that later steps
/// stand at later places or at the same: within a region there is no order (Recon §3.3).
fn can_be_in_order(places: &BTreeMap<usize, BTreeSet<usize>>, steps: &[Vec<u32>]) -> bool {
    let marks: Vec<usize> = places.keys().copied().collect();
    let mut turns: Vec<(u32, usize)> = Vec::new();
    for (number, mark) in marks.iter().enumerate() {
        turns.extend(steps[*mark].iter().map(|step| (*step, number)));
    }
    turns.sort_unstable();
    // For each set of marks that have their place, the earliest place the last of them can have.
    let mut reached: BTreeMap<BTreeSet<usize>, usize> = BTreeMap::from([(BTreeSet::new(), 0)]);
    // Marks of one step have no order among them: each turn of it may come first.
    let groups = turns.chunk_by(|a, b| a.0 == b.0);
    for (_, number) in groups.flat_map(|group| group.repeat(group.len())) {
        let mut more = Vec::new();
        for (done, at) in reached.iter().filter(|(done, _)| !done.contains(&number)) {
            if let Some(place) = places[&marks[number]].range(at..).next() {
                let mut done = done.clone();
                done.insert(number);
                more.push((done, *place));
            }
        }
        for (done, place) in more {
            let earliest = reached.entry(done).or_insert(place);
            *earliest = (*earliest).min(place);
        }
    }
    reached.keys().any(|done| done.len() == marks.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use Shown::{Marked, Other};

    #[test]
    fn inspections_count_code_points_and_functions_up_to_the_first_mark() {
        let ranking = [
            (false, Some("log")),
            (false, Some("log")),
            (false, None),
            (true, Some("withdraw")),
            (true, Some("deposit")),
        ];
        assert_eq!(inspections(ranking), Some(Inspected { points: 4, functions: 3 }));
        assert_eq!(inspections(ranking[..3].iter().copied()), None);
        assert_eq!(inspections(ranking[3..].iter().copied()).unwrap().points, 1);
    }

    /// Lost update: read (1), the other's write (2), write (3); and a line beside it.
    fn steps() -> Vec<Vec<u32>> {
        vec![vec![1], vec![2], vec![3], vec![]]
    }

    #[test]
    fn code_points_count_once_wherever_they_are_shown() {
        let shown = [
            (0, Other('x')),
            (0, Marked(0)),
            (1, Marked(1)),
            (2, Other('x')),
            (2, Other('y')),
            (3, Marked(2)),
            (4, Marked(2)),
            (4, Marked(3)),
        ];
        let judged = judge(&shown, &steps());
        let expected = Judged { relevant: 4, irrelevant: 2, in_order: Some(true), missing: 0 };
        assert_eq!(judged, expected);
    }

    #[test]
    fn steps_at_wrong_places_are_out_of_order() {
        let order = |shown: &[(usize, Shown<char>)]| judge(shown, &steps()).in_order;
        assert_eq!(order(&[(1, Marked(2)), (3, Marked(0))]), Some(false));
        assert_eq!(order(&[(1, Marked(0)), (3, Marked(2)), (4, Marked(1))]), Some(false));
        assert_eq!(order(&[(1, Marked(0)), (3, Marked(2)), (2, Marked(1))]), Some(true));
        // In two regions: one of them is right.
        assert_eq!(order(&[(0, Marked(2)), (1, Marked(0)), (4, Marked(2))]), Some(true));
        assert_eq!(order(&[(2, Marked(2)), (2, Marked(0))]), Some(true), "a region has no order");
    }

    #[test]
    fn one_mark_alone_has_no_order_and_the_rest_is_missing() {
        let judged = judge(&[(1, Marked(1)), (3, Marked(3)), (2, Other('x'))], &steps());
        let expected = Judged { relevant: 2, irrelevant: 1, in_order: None, missing: 2 };
        assert_eq!(judged, expected);
    }

    #[test]
    fn a_line_that_is_two_steps_can_stand_for_either() {
        let steps = [vec![1, 3], vec![2]];
        for shown in [[(1, Marked(0)), (3, Marked(1))], [(3, Marked(0)), (1, Marked(1))]] {
            let judged = judge::<char>(&shown, &steps);
            assert_eq!((judged.in_order, judged.missing), (Some(true), 0));
        }
    }

    #[test]
    fn of_two_lines_that_are_the_same_step_one_is_enough() {
        let steps = [vec![1], vec![1], vec![2]];
        assert_eq!(judge::<char>(&[(1, Marked(0)), (3, Marked(2))], &steps).missing, 0);
        assert_eq!(judge::<char>(&[(3, Marked(2))], &steps).missing, 2);
        let both = [(3, Marked(0)), (1, Marked(1)), (4, Marked(2))];
        assert_eq!(judge::<char>(&both, &steps).in_order, Some(true), "neither comes first");
    }
}
