//! What the arrays show of the address they were read with: which way holds the line, in which state,
//! and which way makes room if none does.
//!
//! What a load gets does not wait for the tags: it is of the way that a [`WayPredictor`] guesses. If the line is in
//! another, the load waits, and has its word a cycle later.

use hdl::{Enum, Inst, Module, Sig, array, hardware, lit, reg, select, when, wire};

use super::access::Current;
use super::lines::in_lanes;
use super::speculation::Speculation;
use super::{L1Data, L1DataIo, Lines, LinesIo, Mesi, Plru, PlruIo, Way, WayIo};
use crate::data_port::load_value;
use crate::one_hot;
use crate::way_predictor::{WayPredictor, WayPredictorIo};

/// What the arrays show, one cycle after they were read.
pub(super) struct Lookup {
    pub ways: Vec<Inst<WayIo>>,
    /// The bytes of the lines.
    pub lines: Inst<LinesIo>,
    /// The replacement order; none in a cache of one way.
    pub plru: Option<Inst<PlruIo>>,
    /// The table of guesses; none in a cache of one way.
    pub way_predictor: Option<Inst<WayPredictorIo>>,
    /// For each way, whether it holds the line.
    pub matches: Vec<Sig>,
    /// It is in the way that was guessed when the newest access was taken.
    pub as_guessed: Sig,
    /// Some way holds the line.
    pub held: Sig,
    /// The line is Exclusive.
    pub exclusive: Sig,
    /// The line is Exclusive or Modified.
    pub writable: Sig,
    /// This is the answer to the look of the cache's own transaction.
    pub asking: Sig,
    /// The way that holds the line or, if none does, makes room for it; a bit each.
    pub chosen: Vec<Sig>,
    /// The word at the address that the arrays were read with.
    pub word: Sig,
    /// What the newest access makes of the word in the way that was guessed, if it is a load.
    pub value: Sig,
    /// What was found in the cycle before, that of the answer.
    pub answered: Answered,
}

/// What a look found, in the cycle after the answer.
#[derive(Clone, Copy)]
pub(super) struct Answered {
    /// The state of the line in this cache.
    pub state: Enum<Mesi>,
    /// Whether some way holds it.
    pub held: Sig,
    /// Which way holds it, a bit each.
    pub matches: Sig,
    /// Which way holds it or makes room for it, a bit each.
    pub chosen: Sig,
    /// The state of the line that would leave.
    pub victim_state: Sig,
    /// Its tag.
    pub victim_tag: Sig,
}

#[hardware]
impl L1Data {
    /// Instantiates the arrays and compares tags.
    pub(super) fn look_up(
        &self,
        io: &L1DataIo,
        current: &Current,
        speculation: Option<&Speculation>,
    ) -> Lookup {
        let geometry = self.geometry;
        let verdict = io.bus.verdict;
        let ways = array(geometry.ways, |_| {
            let way = Way { geometry, observers: self.observers.clone() }.instance();
            way
        });
        let shown_tag = geometry.tag(current.shown_address);
        let states = shown_states(&ways, current.shown_address, speculation);
        let matches: Vec<Sig> = ways
            .iter()
            .zip(&states)
            .map(|(way, state)| !state.is(Mesi::Invalid) & way.entry.tag.eq(shown_tag))
            .collect();
        let state = Enum::<Mesi>::from_sig(one_hot::choose(&matches, &sigs_of(&states)));
        let held = one_hot::any(&matches);
        let exclusive = state.is(Mesi::Exclusive);
        let writable = exclusive | state.is(Mesi::Modified);

        let (plru, victim_way) = self.victim(&states);
        let asking = verdict.answering & verdict.mine;
        let chosen: Vec<Sig> =
            (0..geometry.ways).map(|place| matches[place] | !held & victim_way.eq(place)).collect();

        let way_predictor = WayPredictor::of(geometry.ways, geometry.sets)
            .map(|table| table.instance().named("u_way_predictor"));
        let guessed: Vec<Sig> = match &way_predictor {
            Some(table) => (0..geometry.ways).map(|place| table.guess.eq(place)).collect(),
            None => vec![lit(1, 1)],
        };
        let as_guessed = matches.iter().zip(&guessed).map(|(&holds, &guess)| holds & guess);
        let as_guessed = one_hot::any(&as_guessed.collect::<Vec<Sig>>());

        let lines = Lines { geometry }.instance();
        let place = geometry.word(current.shown_address);
        let word = one_hot::choose(&in_lanes(&matches, place), &lines.lane);
        let guessed_word = one_hot::choose(&in_lanes(&guessed, place), &lines.lane);
        let byte = current.shown_address.trunc(2);
        let value = load_value(guessed_word, byte, current.newest.access.load);

        let answered = self.answered(&ways, &states, &matches, &chosen, state, held, victim_way);
        if let Some(speculation) = speculation {
            when(speculation.hides(io, &matches, current.shown_address), || {
                answered.state.set(Mesi::Invalid);
                answered.held.set(0);
            });
        }
        Lookup {
            ways,
            lines,
            plru,
            way_predictor,
            matches,
            as_guessed,
            held,
            exclusive,
            writable,
            asking,
            chosen,
            word,
            value,
            answered,
        }
    }

    /// Keeps what the arrays show for the cycle after.
    #[allow(clippy::too_many_arguments, reason = "all of them are kept")]
    fn answered(
        &self,
        ways: &[Inst<WayIo>],
        states: &[Enum<Mesi>],
        matches: &[Sig],
        chosen: &[Sig],
        state: Enum<Mesi>,
        held: Sig,
        victim_way: Sig,
    ) -> Answered {
        let states = sigs_of(states);
        let tags: Vec<Sig> = ways.iter().map(|way| way.entry.tag).collect();
        /// The state of the line that was shown in the cycle before.
        let answered_state = reg(state.sig().width());
        /// Some way held the line that was shown in the cycle before.
        let answered_held = reg(1).reset(0);
        /// The way that held the line in the cycle before, one bit per way.
        let answered_match = reg(self.geometry.ways);
        /// The way that held the line or was chosen for it in the cycle before, one bit per way.
        let answered_way = reg(self.geometry.ways);
        /// The state of the line to be evicted, as shown in the cycle before.
        let answered_victim = reg(state.sig().width());
        /// The tag of the line to be evicted, as shown in the cycle before.
        let answered_tag = reg(self.geometry.tag_bits());
        answered_state.set(state.sig());
        answered_held.set(held);
        answered_match.set(one_hot::together(matches));
        answered_way.set(one_hot::together(chosen));
        answered_victim.set(select(victim_way, &states));
        answered_tag.set(select(victim_way, &tags));
        Answered {
            state: Enum::from_sig(answered_state),
            held: answered_held,
            matches: answered_match,
            chosen: answered_way,
            victim_state: answered_victim,
            victim_tag: answered_tag,
        }
    }

    /// The way that makes room: the lowest invalid one, else the least recently used.
    fn victim(&self, states: &[Enum<Mesi>]) -> (Option<Inst<PlruIo>>, Sig) {
        let geometry = self.geometry;
        let invalid: Vec<Sig> = states.iter().map(|state| state.is(Mesi::Invalid)).collect();
        let plru = (geometry.ways > 1)
            .then(|| Plru { ways: geometry.ways, sets: geometry.sets }.instance().named("u_plru"));
        let victim_way = wire(geometry.way_width());
        match &plru {
            Some(plru) => {
                victim_way.set(one_hot::any(&invalid).mux(
                    one_hot::index(&one_hot::first(&invalid), geometry.way_width()),
                    plru.victim,
                ))
            }
            None => victim_way.set(0),
        }
        (plru, victim_way)
    }
}

/// The state of each way's line in the set that the arrays show.
fn shown_states(
    ways: &[Inst<WayIo>],
    shown_address: Sig,
    speculation: Option<&Speculation>,
) -> Vec<Enum<Mesi>> {
    match speculation {
        Some(speculation) => speculation.marks.shown_states(ways, shown_address),
        None => ways.iter().map(|way| way.entry.state).collect(),
    }
}

fn sigs_of(states: &[Enum<Mesi>]) -> Vec<Sig> {
    states.iter().map(|state| state.sig()).collect()
}
