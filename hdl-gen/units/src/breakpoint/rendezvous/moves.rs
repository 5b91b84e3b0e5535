//! The next state of harts and entries, and what is exported (docs/machine.md §12, rules 6 to 15).

use border::breakpoint::PARTIES;
use hdl::{Sig, assert, cover, hardware, select, set_when, when};

use super::arrival::Arrival;
use super::{Phase, Rendezvous, RendezvousIo, Tally, Visitor};
use crate::breakpoint::entries::{COUNT_BITS, Entry};
use crate::one_hot;

#[hardware]
impl Rendezvous {
    /// The next state of every hart and entry, and what is exported.
    pub(super) fn move_on(
        &self,
        io: &RendezvousIo,
        entries: &[Entry],
        tallies: &[Tally],
        armed: Sig,
        visitors: &[Visitor],
        arrival: &Arrival,
    ) {
        let each = |of: &dyn Fn(&Entry) -> Sig| entries.iter().map(of).collect::<Vec<_>>();
        let ended: Vec<Sig> = io.heard.iter().map(|heard| heard.ended).collect();
        let ended_set = one_hot::together(&ended);
        let until = each(&|entry| entry.place.has_until);
        let waits = each(&|entry| entry.wait);
        let cleared = io.cleared;

        // Who goes in this cycle, and why.
        let in_turn: Vec<Sig> =
            visitors.iter().map(|visitor| visitor.phase.is(Phase::Turn)).collect();
        let has_until: Vec<Sig> =
            visitors.iter().map(|visitor| select(visitor.entry, &until)).collect();
        let released: Vec<Sig> = (0..self.harts)
            .map(|hart| {
                let visitor = &visitors[hart];
                let passed = io.heard.iter().map(|heard| heard.passed.at(visitor.entry));
                let passed_set = one_hot::together(&passed.collect::<Vec<_>>());
                let ahead_ended = (visitor.ahead & ended_set).any();
                let ahead_passed = (visitor.ahead & passed_set).any() & visitor.has_gone;
                in_turn[hart] & !ended[hart] & has_until[hart].mux(ahead_passed, ahead_ended)
            })
            .collect();
        let is_member = |party: usize, hart: usize| arrival.hit & arrival.members[party][hart];
        let meets: Vec<Sig> = (0..self.harts)
            .map(|hart| {
                let of_party = (0..PARTIES as usize).map(|party| is_member(party, hart));
                one_hot::any(&of_party.collect::<Vec<_>>())
            })
            .collect();
        let is_first: Vec<Sig> = (0..self.harts).map(|hart| is_member(0, hart)).collect();
        let stays: Vec<Sig> = (0..self.harts)
            .map(|hart| {
                let visitor = &visitors[hart];
                visitor.phase.is(Phase::Postponed) & armed.at(visitor.entry) & !ended[hart]
            })
            .collect();
        let pauses: Vec<Sig> =
            (0..self.harts).map(|hart| stays[hart] & !io.heard[hart].at.valid).collect();
        let last_cycle: Vec<Sig> = visitors.iter().map(|visitor| visitor.left.eq(1)).collect();
        let times_out: Vec<Sig> = (0..self.harts)
            .map(|hart| stays[hart] & !pauses[hart] & !meets[hart] & last_cycle[hart])
            .collect();
        let turn_ends: Vec<Sig> = (0..self.harts)
            .map(|hart| {
                let waits_on = in_turn[hart] & !ended[hart] & !released[hart];
                waits_on & visitors[hart].has_gone & last_cycle[hart]
            })
            .collect();
        let goes: Vec<Sig> = (0..self.harts)
            .map(|hart| {
                released[hart]
                    | turn_ends[hart]
                    | is_first[hart]
                    | (arrival.who[hart] & arrival.skips)
            })
            .collect();
        let goes_set = one_hot::together(&goes);

        for (hart, visitor) in visitors.iter().enumerate() {
            let arrives = arrival.who[hart];
            // Time.
            let counts = (stays[hart] & !pauses[hart]) | (in_turn[hart] & visitor.has_gone);
            set_when(counts, visitor.left, visitor.left - 1);
            // The one ahead goes, or gives up its visit: from now on the time counts.
            let ahead_moves = (visitor.ahead & (goes_set | ended_set)).any();
            when(in_turn[hart] & !visitor.has_gone & ahead_moves, || {
                visitor.has_gone.set(1);
                visitor.left.set(select(visitor.entry, &waits));
            });
            // An arrival.
            when(arrives, || {
                visitor.phase.set(Phase::Postponed);
                visitor.entry.set(arrival.entry);
                visitor.party.set(arrival.party);
                visitor.first.set(arrival.first);
                visitor.second.set(arrival.second);
                set_when(!arrival.is_back, visitor.left, arrival.wait);
            });
            when(meets[hart], || {
                visitor.phase.set(Phase::Turn);
                visitor.left.set(arrival.wait);
                let parties = 1..PARTIES as usize;
                let before = parties.clone().map(|party| {
                    one_hot::together(&arrival.members[party - 1])
                        & is_member(party, hart).repeat(self.harts)
                });
                visitor
                    .ahead
                    .set(before.reduce(|left, right| left | right).expect("two parties or more"));
                visitor.has_gone.set(is_member(1, hart));
            });
            // Going, pausing, ending.
            when(pauses[hart], || visitor.phase.set(Phase::Paused));
            let unarmed = visitor.phase.is(Phase::Postponed) & !armed.at(visitor.entry);
            when(goes[hart] | times_out[hart] | unarmed, || visitor.phase.set(Phase::Gone));
            when(ended[hart], || visitor.phase.set(Phase::Away));
            let next_entry = arrives.mux(arrival.entry, visitor.entry);
            let stays_waiting = arrives | stays[hart] | in_turn[hart];
            when(cleared.at(next_entry) & stays_waiting & !ended[hart] & !pauses[hart], || {
                visitor.phase.set(Phase::Gone);
            });

            let is_waiting = visitor.phase.is(Phase::Postponed) | in_turn[hart];
            io.told[hart].visiting.set(!visitor.phase.is(Phase::Away));
            io.told[hart].waits.set(is_waiting);
            io.told[hart].gone.set(visitor.phase.is(Phase::Gone));
            let events = [arrives, meets[hart], goes[hart], times_out[hart], pauses[hart]];
            let export = &io.export[hart];
            let happens = one_hot::together(&events);
            export.events.set(happens);
            let shown = happens.any();
            let gate = |sig: Sig| sig & shown.repeat(sig.width());
            export.entry.set(gate(next_entry));
            export.party.set(gate(arrives.mux(arrival.party, visitor.party)));
            export.first.set(gate(arrives.mux(arrival.first, visitor.first)));
            export.second.set(gate(arrives.mux(arrival.second, visitor.second)));
        }
        self.count(entries, tallies, visitors, arrival, &times_out);
        assert("one_arrival", one_hot::at_most_one(&arrival.who), "one hart arrives in a cycle");
        cover("hit", arrival.hit, "all parties meet");
        cover("timeout", one_hot::any(&times_out), "a wait ends by itself");
        cover("turn_times_out", one_hot::any(&turn_ends), "a turn ends by itself");
        cover("pause", one_hot::any(&pauses), "a hart is interrupted while it is postponed");
    }

    /// The counters of every entry.
    fn count(
        &self,
        entries: &[Entry],
        tallies: &[Tally],
        visitors: &[Visitor],
        arrival: &Arrival,
        times_out: &[Sig],
    ) {
        for (number, (entry, tally)) in entries.iter().zip(tallies).enumerate() {
            let is_here = arrival.entry.eq(number);
            let hit = arrival.hit & is_here;
            set_when(hit & !tally.hits.all(), tally.hits, tally.hits + 1);
            set_when(hit, tally.has_hit, 1);
            let is_last = entry.bound.any() & (tally.hits + 1).eq(entry.bound);
            set_when(hit & is_last, tally.is_used_up, 1);
            let mut timeouts = tally.timeouts;
            for (visitor, &times_out) in visitors.iter().zip(times_out) {
                let one_more = times_out & visitor.entry.eq(number) & !timeouts.all();
                timeouts = timeouts + one_more.zext(COUNT_BITS);
            }
            tally.timeouts.set(timeouts);
            for (party, &skipped) in tally.skipped.iter().enumerate() {
                let skips = arrival.skips & is_here & arrival.party.eq(party);
                set_when(skips, skipped, skipped + 1);
            }
            when(entry.cleared, || {
                tally.hits.set(0);
                tally.timeouts.set(0);
                tally.has_hit.set(0);
                tally.is_used_up.set(0);
                tally.skipped.iter().for_each(|skipped| skipped.set(0));
            });
        }
    }
}
