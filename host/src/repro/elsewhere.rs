//! What one machine has shown, tried on another: a set found where runs are cheap, forced on the hardware.
//!
//! Places and order stay; the waits are those that the other machine's own runs suggest.

use super::MET;
use super::bench::{Bench, Rate};
use super::candidate::Candidate;
use super::halves::opposed;
use super::hunted::Hunted;
use super::proof::Proof;
use super::prove::{PROMISING, waiting};
use crate::breakpoint::Set;
use crate::hunt::HuntError;

/// How many times as long as the runs suggest the harts may wait, in the order in which that is tried.
const LONGER: [u32; 3] = [1, 8, 64];
/// Schedules of each of these.
const SCREENED: u64 = 20;

/// Tries a candidate on the machine of `there`, so many schedules of each order at each bench's level. The opposite order that was
/// seen to hold, number `by`, is tried first.
///
/// # Errors
/// If a run cannot be made.
pub fn elsewhere(
    there: &Hunted<'_>,
    benches: &[Bench<'_>],
    candidate: &Candidate,
    by: usize,
    schedules: u64,
) -> Result<Proof, HuntError> {
    let mut candidate = candidate.clone();
    let first = by.min(candidate.opposites.len());
    candidate.opposites.rotate_left(first);
    let candidate = fitting(there, &benches[0], candidate, schedules)?;
    let forced = benches.iter().map(|bench| bench.sure_rate(&candidate.forced, schedules));
    let forced = forced.collect::<Result<Vec<_>, _>>()?;
    let unaided = benches.iter().map(|bench| bench.rate(&Set::default(), schedules));
    let unaided = unaided.collect::<Result<Vec<_>, _>>()?;
    let proof = Proof { schedules, ..Proof::forced(candidate, forced, unaided) };
    opposed(benches, proof, Proof::is_confirmed)
}

/// With the shortest waits under which most of a few schedules fail; with those under which most do, if none is enough.
fn fitting(
    there: &Hunted<'_>,
    bench: &Bench<'_>,
    candidate: Candidate,
    schedules: u64,
) -> Result<Candidate, HuntError> {
    let Some(suggested) = waiting(there, vec![candidate.clone()])?.pop() else {
        return Ok(candidate);
    };
    let mut best: Option<(Candidate, Rate)> = None;
    for times in LONGER {
        let longer = suggested.changed(|set| set.waiting(times));
        let hopeless = |rate: &Rate| rate.runs > rate.failed + SCREENED / 4;
        let rate = bench.rate_until(&longer.forced, SCREENED.min(schedules), hopeless)?;
        if rate.failing() >= PROMISING && rate.hitting() >= MET {
            return Ok(longer);
        }
        if best.as_ref().is_none_or(|(_, best)| rate.failing() > best.failing()) {
            best = Some((longer, rate));
        }
    }
    Ok(best.map_or(candidate, |(best, _)| best))
}
