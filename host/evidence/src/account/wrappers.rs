//! Locks that a program takes in functions of its own: one line for all of them, so that only its callers tell them apart.

use super::{Spot, Want};

/// Calls of one place that are told at most.
const MOST_CALLS: usize = 3;

/// How many of the calls that led to the places of a want are told with them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallersTold {
    /// Of where the thread asks.
    pub at: usize,
    /// Of where the holder took it.
    pub taken: usize,
}

/// For each want of a deadlock, the calls that are told: those up to the first that differs between places of one line.
pub fn callers_told(wants: &[Want]) -> Vec<CallersTold> {
    let asked = wants.iter().map(|want| path(Some(&want.at), &want.stack));
    let taken = wants.iter().map(|want| path(want.taken.as_ref(), &want.taken_stack));
    let all: Vec<Vec<&str>> = asked.chain(taken).collect();
    let (asked, taken) = all.split_at(wants.len());
    let told = |one: &Vec<&str>| {
        let depths = all.iter().filter_map(|other| apart(one, other));
        depths.max().unwrap_or(0).min(MOST_CALLS)
    };
    let told = |(at, taken)| CallersTold { at: told(at), taken: told(taken) };
    asked.iter().zip(taken).map(told).collect()
}

/// The lines that led to a place, innermost first.
fn path<'a>(at: Option<&'a Spot>, stack: &'a [Spot]) -> Vec<&'a str> {
    at.into_iter()
        .chain(at.and(Some(stack)).into_iter().flatten())
        .map(|spot| &*spot.line)
        .collect()
}

/// How many calls tell a place from another of the same line; none if the lines differ, or all calls are the same.
fn apart(one: &[&str], other: &[&str]) -> Option<usize> {
    if one.first()? != other.first()? {
        return None;
    }
    (1..one.len()).find(|depth| one.get(*depth) != other.get(*depth))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(line: &str) -> Spot {
        Spot { line: line.into(), function: None, text: None }
    }

    fn want(at: &[&str], taken: &[&str]) -> Want {
        let spots = |lines: &[&str]| lines.iter().map(|line| spot(line)).collect::<Vec<_>>();
        Want {
            thread: "a".into(),
            object: "lock".into(),
            at: spot(at[0]),
            stack: spots(&at[1..]),
            holder: "b".into(),
            taken: taken.first().map(|line| spot(line)),
            taken_stack: taken.get(1..).map(spots).unwrap_or_default(),
        }
    }

    fn told(wants: &[Want]) -> Vec<(usize, usize)> {
        callers_told(wants).into_iter().map(|told| (told.at, told.taken)).collect()
    }

    #[test]
    fn calls_of_a_common_line_are_told_until_they_differ() {
        let wants = [
            want(&["w:1", "a:4", "a:9"], &["w:1", "b:5", "b:9"]),
            want(&["w:1", "b:6", "b:9"], &["w:1", "a:3", "a:9"]),
        ];
        assert_eq!(told(&wants), [(1, 1), (1, 1)]);
        let deeper = [
            want(&["w:1", "v:2", "a:4"], &["w:1", "v:2", "b:5"]),
            want(&["w:1", "v:2", "b:6"], &["a:3", "a:9"]),
        ];
        assert_eq!(told(&deeper), [(2, 2), (2, 0)]);
    }

    #[test]
    fn lines_that_differ_speak_for_themselves() {
        let wants =
            [want(&["a:4", "a:9"], &["b:5", "b:9"]), want(&["b:6", "b:9"], &["a:3", "a:9"])];
        assert_eq!(told(&wants), [(0, 0), (0, 0)]);
        assert_eq!(told(&[want(&["a:4", "a:9"], &[])]), [(0, 0)], "the end of a thread");
        let same = [want(&["t:2", "m:7"], &["t:1", "m:7"]), want(&["t:2", "m:7"], &["t:1", "m:7"])];
        assert_eq!(told(&same), [(0, 0), (0, 0)], "no call differs");
    }
}
