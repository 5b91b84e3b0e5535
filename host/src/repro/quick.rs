//! A few seconds' worth of proof: what a hunt tries by itself.

use super::USUAL_WAIT;
use super::bench::Rate;
use super::candidate::{Candidate, candidates};
use super::elsewhere::elsewhere;
use super::evidence::Evidence;
use super::hunted::Hunted;
use super::prove::waiting;
use crate::breakpoint::Set;
use crate::hunt::{Entry, HuntError, Source};
use serde::Serialize;

/// Failing runs that are examined: the hunt has examined them before.
const EXAMINED: usize = 2;
/// Candidates that are tried.
const TRIED: usize = 6;
/// Schedules of each, and of the opposite order.
const SCHEDULES: u64 = 40;
/// Schedules on the hardware, where a run takes as long as hundreds on the golden machine.
const HANDFUL: u64 = 8;
/// A candidate is dropped after so many schedules without the failure.
const HOPELESS: u64 = 4;
/// The part of schedules that must fail.
const ENOUGH: f64 = 0.95;
/// Without the breakpoints no more than this part may fail, or nothing is shown.
const RARE: f64 = 0.8;

/// What forcing the order, and the opposite order, came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Confirmation {
    /// The places that meet, in the order in which they go.
    pub places: Vec<String>,
    /// The name of what ran it.
    pub on: String,
    /// Schedules that failed in this order.
    pub failed: u64,
    /// Of so many.
    pub of: u64,
    /// Schedules that failed in the opposite order.
    pub opposite_failed: u64,
    /// Of so many.
    pub opposite_of: u64,
    /// Schedules that failed without breakpoints.
    pub unaided: u64,
    /// Of so many.
    pub unaided_of: u64,
    /// The same on the hardware, if the hunt ran there too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hardware: Option<OnHardware>,
}

/// What a handful of schedules on the hardware came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OnHardware {
    /// Schedules that failed in this order.
    pub failed: u64,
    /// Of so many.
    pub of: u64,
    /// Schedules that failed in the opposite order.
    pub opposite_failed: u64,
    /// Of so many.
    pub opposite_of: u64,
}

/// The hardware that a hunt ran on beside the machine that confirms, and its schedules there.
pub type Beside<'a> = (&'a dyn Source, &'a [Entry]);

/// The first candidate that a few schedules confirm in both halves; none if no candidate does. What it comes to on the hardware beside is
/// said with it.
///
/// # Errors
/// If a run cannot be made.
pub fn confirm<'a>(
    hunted: &Hunted<'a>,
    hardware: Option<Beside<'a>>,
) -> Result<Option<Confirmation>, HuntError> {
    let evidence = Evidence::of(hunted, EXAMINED)?;
    let mut first = candidates(&evidence, USUAL_WAIT);
    first.truncate(TRIED);
    let bench = hunted.bench(hunted.level());
    let unaided = bench.rate(&Set::default(), SCHEDULES)?;
    if unaided.failing() > RARE {
        return Ok(None);
    }
    for candidate in waiting(hunted, first)? {
        let hopeless = |rate: &Rate| rate.misses() >= HOPELESS;
        let forced = bench.rate_until(&candidate.forced, SCHEDULES, hopeless)?;
        if forced.failing() < ENOUGH || forced.hitting() < ENOUGH {
            continue;
        }
        let opposites = candidate
            .opposites
            .iter()
            .map(|opposite| bench.rate_until(opposite, SCHEDULES, |rate| rate.failed > 0));
        let holds = |(_, rate): &(usize, Result<Rate, HuntError>)| {
            rate.as_ref().map_or(true, |rate| rate.failed == 0 && 2 * rate.hit >= rate.runs)
        };
        let Some((by, opposite)) = opposites.enumerate().find(holds) else { continue };
        let opposite = opposite?;
        return Ok(Some(Confirmation {
            places: candidate.locations().map(|pc| hunted.places.name(pc, false)).collect(),
            on: hunted.source.name().to_owned(),
            failed: forced.failed,
            of: forced.runs,
            opposite_failed: opposite.failed,
            opposite_of: opposite.runs,
            unaided: unaided.failed,
            unaided_of: unaided.runs,
            hardware: hardware
                .map(|(source, entries)| handful(&hunted.on(source, entries)?, &candidate, by))
                .transpose()?
                .flatten(),
        }));
    }
    Ok(None)
}

/// A handful of schedules of the hardware; none if it cannot be built with breakpoints.
fn handful(
    there: &Hunted<'_>,
    candidate: &Candidate,
    by: usize,
) -> Result<Option<OnHardware>, HuntError> {
    let proof = match elsewhere(there, &[there.bench(there.level())], candidate, by, HANDFUL) {
        Err(HuntError::Machine(_)) => return Ok(None),
        proof => proof?,
    };
    let first = |rates: &[Rate]| rates.first().copied().unwrap_or_default();
    let (forced, opposite) = (first(&proof.forced), first(&proof.opposite));
    Ok(Some(OnHardware {
        failed: forced.failed,
        of: forced.runs,
        opposite_failed: opposite.failed,
        opposite_of: opposite.runs,
    }))
}
