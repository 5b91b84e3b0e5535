//! Both halves of a proof, measured: fresh schedules under a set, and under the orders that are its opposite.

use super::SURE;
use super::bench::{Bench, Rate};
use super::candidate::Candidate;
use super::opposite::Opposites;
use super::proof::Proof;
use super::rounds::rounds;
use crate::breakpoint::Set;
use crate::hunt::HuntError;

/// Schedules after which an opposite order that fails without being forced is given up.
const SOON: u64 = 100;
/// Schedules that show whether more of them are worth it.
pub(super) const GLANCE: u64 = 4;
/// Opposite orders of a candidate that are measured in full.
const MEASURED: usize = 6;

/// What measures them.
pub struct Halves<'a> {
    benches: &'a [Bench<'a>],
    opposites: &'a Opposites<'a>,
}

impl<'a> Halves<'a> {
    /// On these benches.
    pub fn new(benches: &'a [Bench<'a>], opposites: &'a Opposites<'a>) -> Self {
        Self { benches, opposites }
    }

    /// The bench that a few schedules are tried on.
    pub fn screening(&self) -> &Bench<'a> {
        &self.benches[0]
    }

    /// Whether the time for a search is over.
    pub fn is_late(&self) -> bool {
        self.screening().is_exhausted()
    }

    /// What the set comes to at every level, if it fails in 0.99 of schedules for sure.
    ///
    /// # Errors
    /// If a run cannot be made.
    pub fn forced(&self, set: &Set) -> Result<Option<Vec<Rate>>, HuntError> {
        let mut rates = Vec::new();
        for bench in self.benches {
            let rate = bench.sure_rate(set, SURE)?;
            if !rate.is_sure(SURE) {
                return Ok(None);
            }
            rates.push(rate);
        }
        Ok(Some(rates))
    }

    /// The other half, with one of the candidate's own opposites or with one that can be met at every visit.
    ///
    /// # Errors
    /// If a run cannot be made.
    pub fn proof(&self, candidate: Candidate, forced: Vec<Rate>) -> Result<Proof, HuntError> {
        let opposites = self.likely(&candidate)?;
        self.opposed(Candidate { opposites, ..candidate }, forced)
    }

    /// The same order, of more than the candidate's places.
    ///
    /// # Errors
    /// If a run cannot be made.
    pub fn wider(&self, candidate: &Candidate) -> Result<Vec<Candidate>, HuntError> {
        self.opposites.wider(candidate)
    }

    /// The same order, after a round more of the second thread.
    pub fn rounds(&self, candidate: &Candidate) -> Vec<Candidate> {
        rounds(candidate, self.opposites)
    }

    /// The opposites of a candidate that are worth measuring: those in which every visit seems to hit, then others of its own.
    ///
    /// # Errors
    /// If a run cannot be made.
    pub fn likely(&self, candidate: &Candidate) -> Result<Vec<Set>, HuntError> {
        let (mut clean, mut others) = (Vec::new(), Vec::new());
        let more = self.opposites.to(&candidate.forced)?;
        let own = candidate.opposites.len();
        for (number, set) in candidate.opposites.iter().cloned().chain(more).enumerate() {
            if clean.len() == MEASURED || (self.is_late() && number >= own) {
                break;
            }
            let rate = self.screening().rate(&set, GLANCE)?;
            match rate.failed == 0 && rate.clean == rate.runs {
                true => clean.push(set),
                false if number < own => others.push(set),
                false => {}
            }
        }
        clean.append(&mut others);
        Ok(clean)
    }

    /// The other half, with the candidate's own opposites; the one that shows most comes to be the first.
    ///
    /// # Errors
    /// If a run cannot be made.
    pub fn opposed(&self, candidate: Candidate, forced: Vec<Rate>) -> Result<Proof, HuntError> {
        let unaided = self.benches.iter().map(|bench| bench.rate(&Set::default(), SURE));
        let unaided = unaided.collect::<Result<_, _>>()?;
        let proof = Proof::forced(candidate, forced, unaided);
        let mut proof = opposed(self.benches, proof, Proof::is_clean)?;
        let by = std::mem::take(&mut proof.by);
        if by < proof.candidate.opposites.len() {
            proof.candidate.opposites[..=by].rotate_right(1);
        }
        Ok(proof)
    }
}

/// Measures the opposite orders until one of them is good enough, and keeps what shows most.
pub(super) fn opposed(
    benches: &[Bench<'_>],
    proof: Proof,
    is_enough: impl Fn(&Proof) -> bool,
) -> Result<Proof, HuntError> {
    let enough = proof.schedules;
    let is_clear = |rate: &Rate| {
        let is_rare = 2 * rate.clean < rate.runs;
        let without = rate.runs >= enough && rate.failed == 0 && is_rare;
        let hopeless = rate.runs >= SOON && rate.failed > 0 && is_rare;
        rate.clean >= enough || rate.clean_failed > 0 || without || hopeless
    };
    let mut best = proof;
    for by in 0..best.candidate.opposites.len() {
        let mut tried = best.clone();
        let opposite = &tried.candidate.opposites[by];
        let rates = benches.iter().map(|bench| bench.rate_until(opposite, 2 * enough, is_clear));
        (tried.opposite, tried.by) = (rates.collect::<Result<_, _>>()?, by);
        if best.opposite.is_empty() || tried.weight() > best.weight() {
            best = tried;
        }
        if is_enough(&best) {
            break;
        }
    }
    Ok(best)
}
