//! Scripts with nothing in them that the failure does not need.
//!
//! Removing turns as delta debugging does (Choi and Zeller, ISSTA 2002) leaves the few that matter. Each is then
//! cut down to the access that it must reach, and tried in the other direction: how far it may go before the
//! outcome changes. Both ends are a pair of schedules that differ in the place of one access alone, and in
//! their outcome.

use golden::machine::Turn;
use std::collections::BTreeMap;

/// What a script is wanted for: whether it (still) has the outcome.
pub type Wanted<'a, E> = dyn FnMut(&[Turn]) -> Result<bool, E> + 'a;

/// A turn that cannot be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needed {
    /// It ends with the access that it must reach: one point less, and the outcome is another.
    pub turn: Turn,
    /// The last point that it may perform besides; none: whatever the hart does on.
    pub latest: Option<u64>,
}

/// The turns without which the outcome is another, as short as they can be. What is given has the outcome.
///
/// # Errors
/// What a trial fails with.
pub fn reduce<E>(turns: Vec<Turn>, wanted: &mut Wanted<'_, E>) -> Result<Vec<Turn>, E> {
    let mut turns = tidy(turns);
    if wanted(&[])? {
        return Ok(Vec::new());
    }
    let mut chunk = turns.len().div_ceil(2).max(1);
    loop {
        let mut removed = false;
        let mut start = 0;
        while start < turns.len() {
            let end = (start + chunk).min(turns.len());
            let rest = tidy([&turns[..start], &turns[end..]].concat());
            if rest.len() < turns.len() && wanted(&rest)? {
                turns = rest;
                removed = true;
            } else {
                start = end;
            }
        }
        if chunk == 1 && !removed {
            break;
        }
        chunk = if chunk == 1 { 1 } else { chunk.div_ceil(2) };
    }
    shorten(&mut turns, wanted)?;
    Ok(turns)
}

/// Neighboring turns of one hart are one; turns that come too late for anything are none.
fn tidy(turns: Vec<Turn>) -> Vec<Turn> {
    let mut tidied: Vec<Turn> = Vec::new();
    // How far each hart has come. A run that spins until its limit has a hundred thousand turns.
    let mut reached: BTreeMap<usize, u64> = BTreeMap::new();
    for turn in turns {
        let before = reached.entry(turn.hart).or_default();
        if *before >= turn.until {
            continue;
        }
        *before = turn.until;
        match tidied.last_mut() {
            Some(last) if last.hart == turn.hart => *last = turn,
            _ => tidied.push(turn),
        }
    }
    tidied
}

/// The points that a hart has performed before turn number `index`, as far as turns say.
fn before(turns: &[Turn], index: usize, hart: usize) -> u64 {
    let earlier = turns[..index].iter().filter(|turn| turn.hart == hart);
    earlier.map(|turn| turn.until).max().unwrap_or(0)
}

/// Ends each turn with the access that it must reach.
fn shorten<E>(turns: &mut [Turn], wanted: &mut Wanted<'_, E>) -> Result<(), E> {
    for index in 0..turns.len() {
        let (mut too_short, mut enough) =
            (before(turns, index, turns[index].hart), turns[index].until);
        while too_short + 1 < enough {
            let middle = too_short + (enough - too_short) / 2;
            turns[index].until = middle;
            if wanted(turns)? {
                enough = middle;
            } else {
                too_short = middle;
            }
        }
        turns[index].until = enough;
    }
    Ok(())
}

/// How far each turn of a reduced script may go. `performed` says how many points a hart performs in all.
///
/// # Errors
/// What a trial fails with.
pub fn extend<E>(
    turns: &[Turn],
    performed: impl Fn(usize) -> u64,
    wanted: &mut Wanted<'_, E>,
) -> Result<Vec<Needed>, E> {
    let mut needed = Vec::new();
    for (index, turn) in turns.iter().enumerate() {
        let mut changed = turns.to_vec();
        let mut with = |until: u64| {
            changed[index].until = until;
            wanted(&changed)
        };
        let latest = if with(u64::MAX)? {
            None
        } else {
            let (mut fine, mut too_far) = (turn.until, performed(turn.hart).max(turn.until) + 1);
            while fine + 1 < too_far {
                let middle = fine + (too_far - fine) / 2;
                if with(middle)? {
                    fine = middle;
                } else {
                    too_far = middle;
                }
            }
            Some(fine)
        };
        needed.push(Needed { turn: *turn, latest });
    }
    Ok(needed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn turn(hart: usize, until: u64) -> Turn {
        Turn { hart, until }
    }

    /// The points in the order that a script asks for, for harts of 10 points each.
    fn order(turns: &[Turn]) -> Vec<(usize, u64)> {
        let mut done = [0; 3];
        let mut order = Vec::new();
        let rest = (0..3).map(|hart| turn(hart, 10));
        for turn in turns.iter().copied().chain(rest) {
            while done[turn.hart] < turn.until.min(10) {
                done[turn.hart] += 1;
                order.push((turn.hart, done[turn.hart]));
            }
        }
        order
    }

    /// Fails if hart 1's point 4 comes between hart 0's points 3 and 6.
    fn fails(turns: &[Turn]) -> Result<bool, Infallible> {
        let order = order(turns);
        let at = |point| order.iter().position(|one| *one == point).unwrap();
        Ok(at((0, 3)) < at((1, 4)) && at((1, 4)) < at((0, 6)))
    }

    #[test]
    fn only_what_the_failure_needs_is_left() {
        let long = [(2, 1), (0, 2), (1, 1), (0, 4), (2, 5), (1, 2), (2, 6), (1, 7), (0, 8), (2, 9)];
        let long = long.map(|(hart, until)| turn(hart, until)).to_vec();
        let reduced = reduce(long, &mut fails).unwrap();
        assert_eq!(reduced, [turn(0, 3), turn(1, 4)]);
        let needed = extend(&reduced, |_| 10, &mut fails).unwrap();
        let latest: Vec<_> = needed.iter().map(|one| one.latest).collect();
        assert_eq!(latest, [Some(5), None]);
    }

    #[test]
    fn what_fails_anyway_needs_no_turns() {
        let always = &mut |_: &[Turn]| Ok::<_, Infallible>(true);
        assert_eq!(reduce(vec![turn(1, 2), turn(0, 3)], always).unwrap(), []);
    }
}
