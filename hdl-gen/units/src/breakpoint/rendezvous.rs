//! The rendezvous: who waits for whom at a breakpoint, and who goes when.
//!
//! One arrival is handled in a cycle, so there is one comparison of values for each hart, not for each pair. The
//! contract is docs/machine.md §12, rules 5 to 15.

use border::breakpoint::{Event, PARTIES};
use config::Config;
use hdl::{
    Bundle, Enum, HwEnum, Module, Sig, array, assert, bits, cover, hardware, index_width, input,
    output, ports, reg, select, set_when, when,
};

use super::entries::{self, COUNT_BITS, Counters, Entry, PARTY_BITS, Place, WAIT_BITS};
use crate::bus::DeviceRequest;
use crate::geometry::WORD_BITS;
use crate::one_hot;

/// How far a hart's visit has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum Phase {
    /// It is in no visit.
    Away,
    /// It waits for the other parties.
    Postponed,
    /// It did, and was interrupted.
    Paused,
    /// It waits for its turn after a hit.
    Turn,
    /// It may go on.
    Gone,
}

/// The rendezvous of a machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Rendezvous {
    /// How many harts there are.
    pub harts: usize,
    /// How many entries there are.
    pub entries: usize,
}

/// Where a hart stands: valid while the instruction at the location is the next one.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Standing {
    /// It stands at a location.
    pub valid: Sig,
    /// The entry.
    pub entry: Sig,
    /// The parties that it can be, a bit each.
    pub parties: Sig,
    /// The first word of its value.
    pub first: Sig,
    /// The second word.
    pub second: Sig,
}

/// What a hart tells the rendezvous.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Heard {
    /// Where it stands.
    pub at: Standing,
    /// Its visit ends.
    pub ended: Sig,
    /// The entries whose `until` it retires, a bit each.
    pub passed: Sig,
}

/// What the rendezvous tells a hart. From registers.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Told {
    /// Its visit waits.
    pub waits: Sig,
    /// Its visit may go on.
    pub gone: Sig,
}

/// What the machine exports of a hart.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Export {
    /// Arrive (bit 0), hit (1), go (2), timeout (3), pause (4).
    pub events: Sig,
    /// The entry; valid with an event.
    pub entry: Sig,
    /// The party.
    pub party: Sig,
    /// The first word of the value.
    pub first: Sig,
    /// The second word.
    pub second: Sig,
}

/// Ports of [`Rendezvous`].
#[derive(Clone, Debug, Bundle)]
pub struct RendezvousIo {
    /// What each hart tells.
    pub heard: Vec<Heard>,
    /// What each hart is told.
    pub told: Vec<Told>,
    /// The entries at which harts stop, a bit each.
    pub armed: Sig,
    /// The entries whose `control` is written in this cycle.
    pub cleared: Sig,
    /// The entries, for the comparators.
    pub place: Vec<Place>,
    /// What happens to each hart in this cycle.
    pub export: Vec<Export>,
    /// An access to some device.
    pub device: DeviceRequest,
    /// The word read from the window in the cycle before; 0 if none was.
    pub device_data: Sig,
}

/// The registers of a hart.
#[derive(Clone, Copy)]
struct Visitor {
    phase: Enum<Phase>,
    entry: Sig,
    party: Sig,
    first: Sig,
    second: Sig,
    left: Sig,
    ahead: Sig,
    has_gone: Sig,
}

/// What an entry counts.
struct Tally {
    hits: Sig,
    timeouts: Sig,
    skipped: Vec<Sig>,
}

/// The arrival of this cycle.
struct Arrival {
    /// The hart that arrives, a bit each; none if nobody does.
    who: Vec<Sig>,
    entry: Sig,
    party: Sig,
    /// It goes on because of a skip.
    skips: Sig,
    /// It comes back from an interrupt.
    is_back: Sig,
    /// All parties are there.
    hit: Sig,
    /// For each party of the entry the hart that is it, a bit each.
    members: Vec<Vec<Sig>>,
    first: Sig,
    second: Sig,
    wait: Sig,
}

impl Rendezvous {
    /// The rendezvous of a configuration. `Err` names the key that switches it off.
    pub fn from_config(config: &Config) -> Result<Rendezvous, &'static str> {
        let (harts, entries) = (config.harts as usize, config.breakpoints.entries as usize);
        if entries == 0 {
            Err("breakpoints.entries is 0")
        } else {
            Ok(Rendezvous { harts, entries })
        }
    }

    /// Bits of an entry's number.
    pub(crate) fn entry_bits(&self) -> usize {
        index_width(self.entries)
    }

    /// The shape of what a hart tells.
    pub(crate) fn heard(&self) -> Heard {
        let at = Standing {
            valid: bits(1),
            entry: bits(self.entry_bits()),
            parties: bits(PARTIES as usize),
            first: bits(WORD_BITS),
            second: bits(WORD_BITS),
        };
        Heard { at, ended: bits(1), passed: bits(self.entries) }
    }

    /// The shape of what a hart is told.
    pub(crate) fn told(&self) -> Told {
        Told { waits: bits(1), gone: bits(1) }
    }

    /// The shape of what is exported of a hart.
    pub(crate) fn export(&self) -> Export {
        Export {
            events: bits(Event::ALL.len()),
            entry: bits(self.entry_bits()),
            party: bits(PARTY_BITS),
            first: bits(WORD_BITS),
            second: bits(WORD_BITS),
        }
    }
}

/// Harts meet here. What is judged in a cycle comes from registers and from what the harts tell in it.
#[hardware]
impl Module for Rendezvous {
    type Io = RendezvousIo;

    fn name(&self) -> String {
        format!("rendezvous_{}_{}", self.harts, self.entries)
    }

    fn build(&self) -> RendezvousIo {
        let io = ports(RendezvousIo {
            heard: array(self.harts, |_| input(self.heard())),
            told: array(self.harts, |_| output(self.told())),
            armed: output(self.entries),
            cleared: output(self.entries),
            place: array(self.entries, |_| output(Place::shape())),
            export: array(self.harts, |_| output(self.export())),
            device: input(DeviceRequest::shape()),
            device_data: output(WORD_BITS),
        });
        let tallies = array(self.entries, |_| {
            let hits = reg(COUNT_BITS).reset(0);
            let timeouts = reg(COUNT_BITS).reset(0);
            let skipped = array(PARTIES as usize, |_| reg(COUNT_BITS).reset(0));
            Tally { hits, timeouts, skipped }
        });
        let bus = entries::bus(io.device);
        let entries: Vec<Entry> = (0..)
            .zip(&tallies)
            .map(|(number, tally)| {
                let Tally { hits, timeouts, .. } = *tally;
                entries::entry(number, bus, Counters { hits, timeouts })
            })
            .collect();
        let shown = entries.iter().map(|entry| entry.shown).reduce(|left, right| left | right);
        let shown = shown.expect("there is an entry");
        /// The word read in the cycle before.
        let read_word = reg(WORD_BITS).reset(0);
        read_word.set(shown & bus.read_valid.repeat(WORD_BITS));
        io.device_data.set(read_word);
        for (to, entry) in io.place.iter().zip(&entries) {
            to.drive(&entry.place);
        }
        let cleared: Vec<Sig> = entries.iter().map(|entry| entry.cleared).collect();
        io.cleared.set(one_hot::together(&cleared));

        let has_hit: Vec<Sig> = tallies.iter().map(|tally| tally.hits.any()).collect();
        let armed: Vec<Sig> = entries
            .iter()
            .zip(&tallies)
            .map(|(entry, tally)| {
                let in_bound = entry.bound.none() | tally.hits.lt(entry.bound);
                let came =
                    has_hit.iter().enumerate().map(|(index, &hit)| entry.after.eq(index) & hit);
                let came = one_hot::any(&came.collect::<Vec<_>>());
                entry.enable & in_bound & (!entry.has_after | came)
            })
            .collect();
        let armed_set = one_hot::together(&armed);
        io.armed.set(armed_set);

        let visitors = self.visitors();
        let arrival = self.arrival(&io, &entries, &tallies, armed_set, &visitors);
        self.move_on(&io, &entries, &tallies, armed_set, &visitors, &arrival);
        io
    }
}

#[hardware]
impl Rendezvous {
    fn visitors(&self) -> Vec<Visitor> {
        array(self.harts, |_| {
            let phase = reg(Phase::shape()).reset(Phase::Away);
            /// Where it is, or was last.
            let entry = reg(self.entry_bits()).reset(0);
            let party = reg(PARTY_BITS).reset(0);
            let first = reg(WORD_BITS).reset(0);
            let second = reg(WORD_BITS).reset(0);
            /// The time that is left, while it waits.
            let left = reg(WAIT_BITS).reset(0);
            /// In its turn: the hart before it, a bit each.
            let ahead = reg(self.harts).reset(0);
            /// In its turn: that hart went.
            let has_gone = reg(1).reset(0);
            Visitor { phase, entry, party, first, second, left, ahead, has_gone }
        })
    }

    /// Who arrives in this cycle, as which party, and whom it meets.
    fn arrival(
        &self,
        io: &RendezvousIo,
        entries: &[Entry],
        tallies: &[Tally],
        armed: Sig,
        visitors: &[Visitor],
    ) -> Arrival {
        let asks: Vec<Sig> = visitors
            .iter()
            .zip(&io.heard)
            .map(|(visitor, heard)| {
                let is_free = visitor.phase.is(Phase::Away) | visitor.phase.is(Phase::Paused);
                is_free & heard.at.valid & !heard.ended & armed.at(heard.at.entry)
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
        /// The party that it takes, a bit each.
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

    /// The next state of every hart and entry, and what is exported.
    fn move_on(
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
            set_when(arrival.hit & is_here & !tally.hits.all(), tally.hits, tally.hits + 1);
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
                tally.skipped.iter().for_each(|skipped| skipped.set(0));
            });
        }
    }
}
