//! What the arrays show of the address they were read with: which way holds the line, in which state,
//! and which way makes room if none does.

use hdl::{Enum, Inst, Module, Sig, array, hardware, select, wire};

use super::access::Current;
use super::{L1Data, L1DataIo, Mesi, Plru, PlruIo, Way, WayIo};
use crate::geometry::WORD_BITS;
use crate::one_hot;

/// What the arrays show, one cycle after they were read.
pub(super) struct Lookup {
    pub ways: Vec<Inst<WayIo>>,
    /// The replacement order; none in a cache of one way.
    pub plru: Option<Inst<PlruIo>>,
    /// For each way, whether it holds the line.
    pub matches: Vec<Sig>,
    /// The state in each way.
    pub states: Vec<Sig>,
    /// The state of the line; Invalid if no way holds it.
    pub state: Enum<Mesi>,
    /// Some way holds the line.
    pub held: Sig,
    /// The line is Exclusive.
    pub exclusive: Sig,
    /// The line is Exclusive or Modified.
    pub writable: Sig,
    /// The way whose line leaves if the line is filled.
    pub victim_way: Sig,
    /// The way that holds the line; valid with `held`.
    pub match_way: Sig,
    /// This is the answer to the look of the cache's own transaction.
    pub asking: Sig,
    /// The way whose line is in `line`.
    pub chosen_way: Sig,
    /// The line that matches; in the answer to the cache's own look, if none does, the line that leaves.
    pub line: Sig,
    /// The word of `line` that the access is to.
    pub word: Sig,
}

#[hardware]
impl L1Data {
    /// Instantiates the arrays and compares tags.
    pub(super) fn look_up(&self, io: &L1DataIo, current: &Current) -> Lookup {
        let geometry = self.geometry;
        let verdict = io.bus.verdict;
        let ways = array(geometry.ways, |_| {
            let way = Way { geometry, observers: self.observers.clone() }.instance();
            way
        });
        let shown_tag = geometry.tag(current.shown_address);
        let matches: Vec<Sig> = ways
            .iter()
            .map(|way| !way.entry.state.is(Mesi::Invalid) & way.entry.tag.eq(shown_tag))
            .collect();
        let states: Vec<Sig> = ways.iter().map(|way| way.entry.state.sig()).collect();
        let state = Enum::<Mesi>::from_sig(one_hot::choose(&matches, &states));
        let held = one_hot::any(&matches);
        let exclusive = state.is(Mesi::Exclusive);
        let writable = exclusive | state.is(Mesi::Modified);

        let (plru, victim_way) = self.victim(&ways);
        let match_way = one_hot::index(&matches, geometry.way_width());
        let asking = verdict.answering & verdict.mine;
        // The answer to the cache's own look gives the line that leaves.
        let chosen_way = (asking & !held).mux(victim_way, match_way);
        let chosen: Vec<Sig> = (0..geometry.ways)
            .map(|place| (asking & !held).mux(victim_way.eq(place), matches[place]))
            .collect();
        let lines: Vec<Sig> = ways.iter().map(|way| way.line).collect();
        let line = one_hot::choose(&chosen, &lines);
        let words: Vec<Sig> = (0..geometry.words())
            .map(|word| line.bits(word * WORD_BITS..(word + 1) * WORD_BITS))
            .collect();
        let word = select(geometry.word(current.access.address), &words);
        Lookup {
            ways,
            plru,
            matches,
            states,
            state,
            held,
            exclusive,
            writable,
            victim_way,
            match_way,
            asking,
            chosen_way,
            line,
            word,
        }
    }

    /// The way that makes room: the lowest invalid one, else the least recently used.
    fn victim(&self, ways: &[Inst<WayIo>]) -> (Option<Inst<PlruIo>>, Sig) {
        let geometry = self.geometry;
        let invalid: Vec<Sig> = ways.iter().map(|way| way.entry.state.is(Mesi::Invalid)).collect();
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
