//! Orders that are the opposite of a forced one and can be met at every visit: the whole of what one thread does before the other
//! begins.
//!
//! A pair the other way round is mostly no such order: a thread that comes once too often waits in vain, and so does everybody whose
//! partner is held elsewhere. So places around the two are looked for which threads visit equally often, or one of them so many times in
//! every run that the entry can end with the last of them.

use super::around::{Around, Stops};
use super::candidate::Candidate;
use super::distance::Visits;
use super::evidence::Evidence;
use super::hunted::Hunted;
use super::sections::Ends;
use crate::breakpoint::{Entry, Party, Set};
use crate::hunt::HuntError;
use border::breakpoint::{MAX_WAIT, PARTIES, Word};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Orders of a candidate that are tried at most.
const MOST: usize = 160;
/// Wider orders that are tried at most.
const WIDER: usize = 40;
/// Times as long as the distance suggests; who meets does not wait longer for it.
const LONGER: u32 = 64;
/// A wait where nothing is known of distances.
const LONG: u32 = 1 << 19;

/// What is known of the program's course.
pub struct Opposites<'a> {
    hunted: &'a Hunted<'a>,
    /// Of a run that did not end early and of one that failed, as far as there are any.
    stops: Vec<Stops<'a>>,
}

impl<'a> Opposites<'a> {
    /// From recorded runs.
    pub fn of(hunted: &'a Hunted<'a>, evidence: &'a Evidence) -> Self {
        let ends = Ends::of(evidence.failing.iter().chain(&evidence.passing));
        let ends = Rc::new(ends);
        let logs = evidence.passing.first().into_iter().chain(evidence.failing.first());
        let stops = logs.map(|log| Stops::of(log, ends.clone())).collect();
        Self { hunted, stops }
    }

    /// Of a set, the tightest first.
    ///
    /// # Errors
    /// If a run cannot be made again.
    pub fn to(&self, forced: &Set) -> Result<Vec<Set>, HuntError> {
        self.orders(forced, &[(0, 1), (1, 0)], orders)
    }

    /// The same order as in a set of one entry, but of more than it: the whole around its first place before something around its second,
    /// the tightest first.
    ///
    /// # Errors
    /// If a run cannot be made again.
    pub fn wider(&self, candidate: &Candidate) -> Result<Vec<Candidate>, HuntError> {
        let [entry] = candidate.forced.entries.as_slice() else { return Ok(Vec::new()) };
        let order = |_: &Visits, begin: u32, end: u32, held: u32| {
            let parties = vec![Party::at(begin), Party::at(held)];
            vec![Set::of(Entry { until: Some(end), ..Entry::of(parties, entry.wait) })]
        };
        let sets = self.orders(&candidate.forced, &[(0, 1)], order)?.into_iter().take(WIDER);
        let opposites = &candidate.opposites;
        Ok(sets.map(|forced| Candidate { forced, opposites: opposites.clone() }).collect())
    }

    /// Orders of something whole and something that is held, around the first and the last place of a set.
    fn orders(
        &self,
        forced: &Set,
        roles: &[(usize, usize)],
        orders: impl Fn(&Visits, u32, u32, u32) -> Vec<Set>,
    ) -> Result<Vec<Set>, HuntError> {
        let Some(Entry { parties, .. }) = forced.entries.last() else { return Ok(Vec::new()) };
        let ends = [parties.first(), parties.last()].map(|party| party.map_or(0, |party| party.pc));
        let around = ends.map(|pc| self.around(pc));
        let places = around.iter().flat_map(|one| one.begins.iter().chain(&one.ends));
        let visits = Visits::of(self.hunted, places.copied().chain(ends).collect())?;
        let mut found = Vec::new();
        for &(one, other) in roles {
            for (tightness, begin, end) in wholes(&visits, &around[one], ends[one]) {
                let held = around[other].begins.iter().enumerate();
                let held = held.filter(|(_, held)| visits.leads(**held, ends[other]));
                for (distance, held) in held {
                    let sets = orders(&visits, begin, end, *held);
                    found.extend(sets.into_iter().map(|set| (tightness + distance, set)));
                }
            }
        }
        found.sort_by_key(|(tightness, _)| *tightness);
        let mut known = BTreeSet::new();
        found.retain(|(_, set)| known.insert(set.key()));
        found.truncate(MOST);
        Ok(found.into_iter().map(|(_, set)| set).collect())
    }

    /// The places around one, in the run that did not end early if that has it; of the thread that came there last in the one that failed.
    pub fn around(&self, pc: u32) -> Around {
        let thread = self.stops.last().and_then(|failing| failing.last(pc));
        let around = self.stops.iter().map(|stops| stops.around(pc, thread));
        let mut around = around.filter(|around| !around.begins.is_empty());
        around.next().unwrap_or_default()
    }
}

/// What begins and ends around a place such that no visit of it is outside; the tightest first.
fn wholes(visits: &Visits, around: &Around, pc: u32) -> Vec<(usize, u32, u32)> {
    let mut found = Vec::new();
    for (before, begin) in around.begins.iter().enumerate() {
        let ends = around.ends.iter().enumerate();
        let ends = ends.filter(|(_, end)| visits.encloses(*begin, **end, pc));
        found.extend(ends.map(|(after, end)| (before + after, *begin, *end)));
    }
    found.sort_unstable();
    found
}

/// One whole before what is held: by all threads that come to both, or by all that come to one of the two, as far as they can meet at
/// once. Where one of the two is visited more often, the entry ends with the last visit of the other, or begins so late that they end
/// together.
fn orders(visits: &Visits, begin: u32, end: u32, held: u32) -> Vec<Set> {
    let wait = visits.wait(&[begin, held]);
    let wait = wait.map_or(LONG, |wait| wait.saturating_mul(LONGER).min(MAX_WAIT));
    let most = PARTIES as usize;
    let set = |parties: Vec<Party>, bound: u32| {
        Set::of(Entry { until: Some(end), bound, ..Entry::of(parties, wait) })
    };
    let [first, second] = [begin, held].map(|place| visits.harts(place).len());
    if begin == held {
        let all = vec![Party::at(begin); first];
        return if (2..=most).contains(&first) { vec![set(all, 0)] } else { Vec::new() };
    }
    let mut found = Vec::new();
    for (ones, others) in BTreeSet::from([(1, 1), (1, second), (first, 1)]) {
        if ones + others > most {
            continue;
        }
        let count = |place, all: bool| if all { visits.each(place) } else { visits.total(place) };
        let counts = [count(begin, ones > 1), count(held, others > 1)];
        let parties = [vec![Party::at(begin); ones], vec![Party::at(held); others]];
        let bounds: BTreeSet<u32> = counts.into_iter().flatten().collect();
        let bounds = bounds.into_iter().filter(|bound| Word::MOST_HITS.of(*bound) == *bound);
        found.extend(bounds.chain([0]).map(|bound| set(parties.concat(), bound)));
        // Of several at one place, the lowest party is the one that skips.
        if let [Some(one), Some(other)] = counts.map(|count| count.filter(|count| *count > 0))
            && one != other
        {
            let mut parties = parties;
            let more = usize::from(other > one);
            let times = if [ones, others][more] > 1 { [first, second][more] as u32 } else { 1 };
            parties[more][0].skip = one.abs_diff(other) * times;
            if parties[more][0].skip <= Word::SKIP.of(u32::MAX) {
                found.push(set(parties.concat(), 0));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parties with what they skip, and bounds, of what is made of a whole from 4 to 8 and a place.
    fn shapes(visits: &Visits, held: u32) -> Vec<(Vec<(u32, u32)>, u32)> {
        let sets = orders(visits, 4, 8, held).into_iter().flat_map(|set| set.entries);
        let party = |party: &Party| (party.pc, party.skip);
        sets.map(|entry| (entry.parties.iter().map(party).collect(), entry.bound)).collect()
    }

    #[test]
    fn an_order_ends_with_the_last_visit_of_the_place_that_is_visited_least() {
        // Hart 0 is in the whole twice, hart 1 three times at the place.
        let run = [(0, 4), (0, 8), (1, 12), (1, 12), (0, 4), (0, 8), (1, 12)];
        let plain = vec![(4, 0), (12, 0)];
        let mut expected = [2, 3, 0].map(|bound| (plain.clone(), bound)).to_vec();
        expected.push((vec![(4, 0), (12, 1)], 0));
        assert_eq!(shapes(&Visits::seen(&[&run]), 12), expected);
        // In another run the place is visited once less: its number says nothing.
        let visits = Visits::seen(&[&run, &run[..6]]);
        assert_eq!(shapes(&visits, 12), [2, 0].map(|bound| (plain.clone(), bound)));
    }

    #[test]
    fn all_threads_that_come_to_a_place_are_held_at_once() {
        let run = [(0, 4), (0, 8), (1, 12), (2, 12), (1, 12), (2, 12)];
        let found = shapes(&Visits::seen(&[&run]), 12);
        assert!(found.contains(&(vec![(4, 0), (12, 0), (12, 0)], 1)), "{found:?}");
        // One place for all: they go one after the other.
        let run = [(0, 4), (0, 8), (1, 4), (1, 8), (2, 4), (2, 8)];
        assert_eq!(shapes(&Visits::seen(&[&run]), 4), [(vec![(4, 0); 3], 0)]);
        let crowd: Vec<(usize, u32)> = (0..5).flat_map(|hart| [(hart, 4), (hart, 8)]).collect();
        assert!(shapes(&Visits::seen(&[&crowd]), 4).is_empty(), "more than an entry has parties");
    }

    #[test]
    fn a_whole_is_as_tight_as_it_can_be() {
        let run = [(0, 4), (0, 8), (0, 12), (0, 16), (0, 20)];
        let visits = Visits::seen(&[&run]);
        let around = Around { begins: vec![12, 8, 4], ends: vec![16, 20] };
        let found = wholes(&visits, &around, 12);
        assert_eq!(found.first(), Some(&(0, 12, 16)));
        assert_eq!(found.len(), 6);
        assert_eq!(wholes(&visits, &around, 24).len(), 0, "nobody comes there");
    }
}
