//! The rendezvous of breakpoints: who is held, for how long, and who goes first.
//!
//! The proof follows one hart, whichever the solver likes, and counts the cycles for which it waits: for the other
//! parties, and then for its turn. What it assumes is what the comparators see to: a hart that stands somewhere is
//! some party that the entry has.

use border::breakpoint::Event;
use hdl::{
    Bundle, HwEnum, Module, Sig, assert, assume, cover, hardware, index_width, input, lit, ports,
    reg, reg_next, select, set_when, signals_named, when,
};

use super::any::{chosen_once, signal};
use crate::breakpoint::entries::WAIT_BITS;
use crate::breakpoint::rendezvous::{Phase, Rendezvous, RendezvousIo};
use crate::one_hot;

/// Bits of a count of cycles.
const TIME_BITS: usize = WAIT_BITS + 1;

/// With one entry.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RendezvousProof {
    pub harts: usize,
}

/// What the solver chooses besides the unit's inputs.
#[derive(Clone, Copy, Debug, Bundle)]
pub(super) struct Choice {
    any_hart: Sig,
}

/// Follows any one hart.
#[hardware]
impl Module for RendezvousProof {
    type Io = (RendezvousIo, Choice);

    fn name(&self) -> String {
        format!("prove_rendezvous_{}", self.harts)
    }

    fn build(&self) -> (RendezvousIo, Choice) {
        let harts = self.harts;
        let io = Rendezvous { harts, entries: 1 }.build();
        let choice = ports(Choice { any_hart: input(index_width(harts)) });
        let followed = chosen_once(choice.any_hart);
        let number = followed.zext(index_width(harts + 1));
        assume("is_a_hart", number.lt(harts), "there are so many");
        let last_party = io.place[0].last_party;
        let each = io.heard.iter().map(|heard| {
            let parties = one_hot::apart(heard.at.parties).into_iter().enumerate();
            let exist: Vec<Sig> =
                parties.map(|(party, can_be)| can_be & last_party.ge(party)).collect();
            let all = one_hot::together(&exist).eq(heard.at.parties);
            !(all & heard.at.parties.any() & heard.at.entry.none())
        });
        let wrong = one_hot::any(&each.collect::<Vec<_>>());
        assume("is_a_party", !wrong, "of the entry, and one that there is");

        self.hits(&io);
        self.bound(&io);
        self.waits(&io, followed);
        (io, choice)
    }
}

#[hardware]
impl RendezvousProof {
    /// A hit is of different harts, as different parties, all there, with values that agree.
    fn hits(&self, io: &RendezvousIo) {
        let hits: Vec<Sig> =
            io.export.iter().map(|export| export.events.bit(Event::Hit as usize)).collect();
        let count = hits.iter().map(|hit| hit.zext(3)).reduce(|left, right| left + right);
        let count = count.expect("there are harts");
        let any_hit = one_hot::any(&hits);
        let members = io.place[0].last_party.zext(3) + 1;
        assert("all_parties", !any_hit | count.eq(members), "as many harts as parties");
        let crossed = signal("control").bit(3) & io.place[0].last_party.eq(1);
        let (mut absent, mut twice, mut differ) = (Vec::new(), Vec::new(), Vec::new());
        for (hart, (&hit, export)) in hits.iter().zip(&io.export).enumerate() {
            let heard = &io.heard[hart];
            absent.push(hit & !(heard.at.valid & !heard.ended));
            for (&other_hit, other) in hits.iter().zip(&io.export).take(hart) {
                let both = hit & other_hit;
                twice.push(both & export.party.eq(other.party));
                let equal = export.first.eq(other.first) & export.second.eq(other.second);
                let across = export.first.eq(other.second) & export.second.eq(other.first);
                differ.push(both & !crossed.mux(across, equal));
            }
        }
        assert("is_there", !one_hot::any(&absent), "who meets stands there");
        assert("own_parties", !one_hot::any(&twice), "one hart a party");
        assert("values_agree", !one_hot::any(&differ), "that is the predicate");
        cover("two_meet", any_hit & count.eq(2), "a hit of two");
        if self.harts > 2 {
            cover("three_meet", any_hit & count.eq(3), "a hit of three");
        }
    }

    /// Hits stay within the bound, and at an entry that is used up nobody waits for others.
    fn bound(&self, io: &RendezvousIo) {
        let (hits, bound) = (signal("hits"), signal("bound"));
        let enable = signal("enable");
        let had_all = bound.any() & hits.ge(bound);
        assert("knows_the_bound", !enable | had_all.eq(signal("is_used_up")), "the flag is right");
        assert("within_bound", !enable | bound.none() | hits.le(bound), "no hit too many");
        /// It was not armed in the cycle before.
        let was_unarmed = reg_next(&io.armed.none());
        was_unarmed.reset(0);
        let phases = signals_named("phase").into_iter();
        let postponed: Vec<Sig> = phases.map(|phase| is(phase, Phase::Postponed)).collect();
        let waits = one_hot::any(&postponed);
        assert("not_past_bound", !(waits & was_unarmed), "nobody waits for nobody");
        cover("used_up", enable & had_all, "the last hit has happened");
    }

    /// For how long the hart waits, and for whom.
    fn waits(&self, io: &RendezvousIo, followed: Sig) {
        let of = |name: &str| select(followed, &signals_named(name));
        let phases = signals_named("phase");
        let phase = of("phase");
        let left = of("left").zext(TIME_BITS);
        let (ahead, has_gone) = (of("ahead"), of("has_gone"));
        let each = |event: Event| -> Vec<Sig> {
            io.export.iter().map(|export| export.events.bit(event as usize)).collect()
        };
        let mine = |event: Event| select(followed, &each(event));
        let ended: Vec<Sig> = io.heard.iter().map(|heard| heard.ended).collect();
        let i_end = select(followed, &ended);
        let written = signals_named("wait")[0];
        let longest = 1u64 << (WAIT_BITS - 1);
        let wait = written
            .bit(WAIT_BITS - 1)
            .mux(lit(WAIT_BITS, longest), written.none().mux(lit(WAIT_BITS, 1), written))
            .zext(TIME_BITS);
        let is_away = is(phase, Phase::Away);
        let is_postponed = is(phase, Phase::Postponed);
        let is_paused = is(phase, Phase::Paused);
        let is_turn = is(phase, Phase::Turn);

        // Postponed.
        /// The longest wait of the entry when the visit of the followed hart began.
        let limit = reg(TIME_BITS).reset(0);
        /// For how many cycles the followed hart has been postponed in this visit.
        let postponed_for = reg(TIME_BITS).reset(0);
        when(is_away, || {
            limit.set(wait);
            postponed_for.set(0);
        });
        set_when(is_postponed & !mine(Event::Pause), postponed_for, postponed_for + 1);
        let adds_up = postponed_for + left;
        let waits_for_others = is_postponed | is_paused;
        assert("time_adds_up", !waits_for_others | adds_up.eq(limit), "what is left of its wait");
        assert("time_is_left", !waits_for_others | left.any(), "or it would have gone");
        assert("time_falls", !waits_for_others | left.le(limit), "no more than it began with");
        assert(
            "postponed_within_wait",
            !is_postponed | postponed_for.lt(limit),
            "nobody is postponed for longer than the longest wait",
        );
        assert("limit_is_a_wait", limit.le(longest), "2^20 cycles at most");
        let elsewhere: Vec<Sig> = signals_named("entry").into_iter().map(Sig::any).collect();
        assert("in_the_entry", !one_hot::any(&elsewhere), "there is no other");
        let enable = signal("enable");
        assert("waits_where_there_is", !(is_postponed | is_turn) | enable, "the entry is enabled");

        // Its turn.
        /// The hart before the followed one went, or its visit is over.
        let went = reg(1).reset(0);
        /// Cycles that the followed hart has waited for its turn since then.
        let turn_for = reg(TIME_BITS).reset(0);
        let goes_now = one_hot::together(&each(Event::Go)) | one_hot::together(&ended);
        let parties = one_hot::together(
            &io.export.iter().map(|export| export.party.eq(0)).collect::<Vec<_>>(),
        );
        let hit_now = one_hot::together(&each(Event::Hit));
        let my_party =
            select(followed, &io.export.iter().map(|export| export.party).collect::<Vec<_>>());
        when(mine(Event::Hit), || {
            // Party 0 goes at the hit.
            went.set(
                my_party.eq(1) & (hit_now & parties & one_hot::together(&each(Event::Go))).any(),
            );
            turn_for.set(0);
        });
        when(is_turn, || {
            set_when((ahead & goes_now).any(), went, 1);
            set_when(went, turn_for, turn_for + 1);
        });
        assert("knows_who_went", !is_turn | has_gone.eq(went), "the flag is right");
        let counts = is_turn & went;
        assert("turn_adds_up", !counts | (turn_for + left).eq(wait), "what is left of its turn");
        assert("turn_is_left", !counts | left.any(), "or it would have gone");
        assert("turn_falls", !counts | left.le(wait), "no more than it began with");
        assert("turn_begins", !is_turn | went | turn_for.none(), "its time does not run yet");
        assert("turn_within_wait", !counts | turn_for.lt(wait), "a turn takes a wait at most");
        // Before its time runs, the one before it waits for its own turn: so party p waits p times at most.
        let in_turn: Vec<Sig> = phases.iter().map(|&phase| is(phase, Phase::Turn)).collect();
        let ahead_waits = (ahead & !one_hot::together(&in_turn)).none() & ahead.any();
        assert("turns_in_a_row", !is_turn | went | ahead_waits, "they go one after the other");
        let bits = one_hot::apart(ahead).into_iter().enumerate();
        let own: Vec<Sig> = bits.map(|(place, bit)| bit & followed.eq(place)).collect();
        assert("not_itself", !is_turn | !one_hot::any(&own), "it waits for another");

        // Who goes first.
        let goes = is_turn & mine(Event::Go);
        let ended_set = one_hot::together(&ended);
        let passed: Vec<Sig> = io.heard.iter().map(|heard| heard.passed.bit(0)).collect();
        let has_until = io.place[0].has_until;
        let ahead_ends = (ahead & ended_set).any() & !has_until;
        let ahead_passes = (ahead & one_hot::together(&passed)).any() & has_until & went;
        let time_is_over = went & (turn_for + 1).eq(wait);
        assert(
            "goes_in_turn",
            !goes | ahead_ends | ahead_passes | time_is_over,
            "not before the one ahead of it, or the time after that",
        );
        let clears = io.cleared.any();
        let was_turn = reg_next(&(is_turn & !goes & !i_end & !clears));
        was_turn.reset(0);
        assert("keeps_its_turn", !was_turn | is_turn, "it goes by an event, or not at all");
        let times_out = mine(Event::Timeout);
        assert(
            "times_out_in_time",
            !times_out | (postponed_for + 1).eq(limit),
            "a timeout comes when the time is over",
        );
        cover("goes_first", goes & ahead_ends, "the one before it has retired");
        cover("goes_late", goes & time_is_over & !ahead_ends & !ahead_passes, "its turn times out");
        cover("times_out", times_out, "nobody comes");
        cover("comes_back", is_paused & mine(Event::Arrive), "a wait goes on after an interrupt");
        if self.harts > 2 {
            cover("waits_for_two", is_turn & !went, "it waits for one that waits");
        }
    }
}

/// Whether a phase is this one.
#[track_caller]
fn is(phase: Sig, wanted: Phase) -> Sig {
    phase.eq(wanted.code())
}
