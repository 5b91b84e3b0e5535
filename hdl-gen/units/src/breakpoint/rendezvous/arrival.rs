//! Which hart arrives in a cycle, as which party, and which harts it meets (docs/machine.md §12,
//! rules 5 and 10).

use border::breakpoint::PARTIES;
use hdl::{Sig, hardware, reg_next};

use super::{Phase, Rendezvous, RendezvousIo, Standing, Tally, Visitor};
use crate::breakpoint::entries::{Entry, PARTY_BITS};
use crate::one_hot;

/// The arrival of this cycle.
pub(super) struct Arrival {
    /// The hart that arrives, a bit each; none if nobody does.
    pub(super) who: Vec<Sig>,
    pub(super) entry: Sig,
    pub(super) party: Sig,
    /// It goes on because of a skip.
    pub(super) skips: Sig,
    /// It comes back from an interrupt.
    pub(super) is_back: Sig,
    /// All parties are there.
    pub(super) hit: Sig,
    /// For each party of the entry the hart that is it, a bit each.
    pub(super) members: Vec<Vec<Sig>>,
    pub(super) first: Sig,
    pub(super) second: Sig,
    pub(super) wait: Sig,
}

#[hardware]
impl Rendezvous {
    /// Who arrives in this cycle, as which party, and whom it meets.
    pub(super) fn arrival(
        &self,
        io: &RendezvousIo,
        entries: &[Entry],
        tallies: &[Tally],
        armed: Sig,
        visitors: &[Visitor],
    ) -> Arrival {
        /// The entries whose `control` was written in the cycle before: what harts report of them
        /// is out of date.
        let were_cleared = reg_next(&io.cleared);
        were_cleared.reset(0);
        let open = armed & !were_cleared;
        let asks: Vec<Sig> = visitors
            .iter()
            .zip(&io.heard)
            .map(|(visitor, heard)| {
                let is_free = visitor.phase.is(Phase::Away) | visitor.phase.is(Phase::Paused);
                is_free & heard.at.valid & !heard.ended & open.at(heard.at.entry)
            })
            .collect();
        let who = one_hot::first(&asks);
        let standings: Vec<Standing> = io.heard.iter().map(|heard| heard.at).collect();
        let at = one_hot::choose(&who, &standings);
        let is_chosen = |index: usize| at.entry.eq(index);
        let chosen: Vec<Sig> = (0..self.entries).map(is_chosen).collect();
        let last_party = one_hot::choose(
            &chosen,
            &entries.iter().map(|entry| entry.last_party).collect::<Vec<_>>(),
        );
        let crossed = one_hot::choose(
            &chosen,
            &entries.iter().map(|entry| entry.crossed).collect::<Vec<_>>(),
        );
        let wait =
            one_hot::choose(&chosen, &entries.iter().map(|entry| entry.wait).collect::<Vec<_>>());

        // Who is there already with a value that agrees.
        let agrees: Vec<Sig> = visitors
            .iter()
            .zip(&io.heard)
            .map(|(visitor, heard)| {
                let stays = visitor.phase.is(Phase::Postponed) & heard.at.valid & !heard.ended;
                let theirs_first = crossed.mux(visitor.second, visitor.first);
                let theirs_second = crossed.mux(visitor.first, visitor.second);
                let is_equal = theirs_first.eq(at.first) & theirs_second.eq(at.second);
                stays & visitor.entry.eq(at.entry) & is_equal
            })
            .collect();
        let there: Vec<Vec<Sig>> = (0..PARTIES as usize)
            .map(|party| {
                let as_party = agrees.iter().zip(visitors);
                let as_party: Vec<Sig> =
                    as_party.map(|(&agrees, visitor)| agrees & visitor.party.eq(party)).collect();
                one_hot::first(&as_party)
            })
            .collect();
        let is_taken: Vec<Sig> = there.iter().map(|harts| one_hot::any(harts)).collect();
        let can_be = one_hot::apart(at.parties);
        let is_open: Vec<Sig> =
            can_be.iter().zip(&is_taken).map(|(&can, &taken)| can & !taken).collect();
        let any_open = one_hot::any(&is_open);
        let lowest = one_hot::first(&can_be);
        let lowest_open = one_hot::first(&is_open);
        /// The party that the arriving hart takes, one bit each.
        let takes: Vec<Sig> =
            lowest.iter().zip(&lowest_open).map(|(&low, &open)| any_open.mux(open, low)).collect();
        let party = one_hot::index(&takes, PARTY_BITS);

        let came = one_hot::any(&who);
        let paused: Vec<Sig> =
            visitors.iter().map(|visitor| visitor.phase.is(Phase::Paused)).collect();
        let is_back = one_hot::choose(&who, &paused);
        let skips_left: Vec<Sig> = entries
            .iter()
            .zip(tallies)
            .map(|(entry, tally)| {
                let left =
                    entry.skip.iter().zip(&tally.skipped).map(|(&most, &so_far)| so_far.lt(most));
                one_hot::choose(&takes, &left.collect::<Vec<_>>())
            })
            .collect();
        let skips = came & !is_back & one_hot::choose(&chosen, &skips_left);
        let complete = (0..PARTIES as usize).map(|party| {
            let is_missing = !is_taken[party] & !takes[party];
            !is_missing | last_party.lt(party)
        });
        let complete = complete.reduce(|left, right| left & right).expect("there are parties");
        let hit = came & !skips & complete;
        let members = there
            .iter()
            .zip(&takes)
            .enumerate()
            .map(|(party, (there, &takes))| {
                let exists = !last_party.lt(party);
                let harts = there.iter().zip(&who);
                harts.map(|(&there, &who)| exists & takes.mux(who, there)).collect()
            })
            .collect();
        let (first, second, entry) = (at.first, at.second, at.entry);
        Arrival { who, entry, party, skips, is_back, hit, members, first, second, wait }
    }
}
