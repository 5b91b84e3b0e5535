//! The first-level instruction cache: read-only, filled a line at a time.
//!
//! It is not kept coherent: what a hart executes after a change of its code is settled by FENCE.I, which
//! empties it. Everything is in block RAM: the words, a row each, so that a way is no wider than an
//! instruction, and the tags with their valid bits. So a line that arrives is written word by word, and
//! emptying goes through all sets; flags in registers would do both at once for three times the logic.

use config::Config;
use hdl::{
    Bundle, HwEnum, Module, Sig, Stream, array, assert, cat, cover, hardware, index_width, input,
    lit, memory, output, ports, reg, set_when, switch, when, wire,
};

use crate::one_hot;
use crate::way_predictor::WayPredictor;

/// The instruction cache of one hart.
#[derive(Clone, Debug, PartialEq)]
pub struct L1Instruction {
    /// Its size; a power of two.
    pub bytes: usize,
    /// How many lines share an index; a power of two.
    pub ways: usize,
    /// Bytes in a line; a power of two, at least 8.
    pub line: usize,
}

impl L1Instruction {
    /// The instruction cache of a configuration.
    pub fn from_config(config: &Config) -> Self {
        let cache = config.l1.instruction;
        L1Instruction {
            bytes: cache.bytes as usize,
            ways: cache.ways as usize,
            line: config.l1.line as usize,
        }
    }

    fn sets(&self) -> usize {
        self.bytes / (self.ways * self.line)
    }
}

/// What passes between a hart and its instruction cache.
///
/// The cache shows the word at `address`. Its arrays are read a cycle ahead, so the hart says early where
/// it goes next: in the cycle in which it takes the word, or turns elsewhere. Whether the word is there is known
/// late: the hart goes on as if it were, and comes back in the next cycle if it was not.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct FetchPort {
    /// The address of the word shown. In the cycle after a `jump`: the `jump_address`. Else, after
    /// `back` or a `take` with `shown`: the `next_address`. Else unchanged.
    pub address: Sig,
    /// The address of the word to fetch next unless there is a `jump`; valid with `take` or `back`.
    pub next_address: Sig,
    /// The hart goes on, if `shown` is 1.
    pub take: Sig,
    /// The word shown in the cycle before was taken and was not in the cache: it is fetched again,
    /// from `next_address`. Comes from registers.
    pub back: Sig,
    /// Fetching continues at `jump_address`, whether or not the word shown is taken. Known late in
    /// the cycle.
    pub jump: Sig,
    /// The address to fetch next; 0 without `jump`.
    pub jump_address: Sig,
    /// Fetching from the `address` of the cycle before is not permitted: if its line was missing,
    /// the cache does not request it. Comes from a register.
    pub barred: Sig,
    /// Empties the cache: from the next cycle on no line that was filled or requested before hits.
    pub clear: Sig,
    /// The arrays show what they have at `address`. Comes from registers.
    pub shown: Sig,
    /// `word` is valid; it stays valid until it is taken, or until a `jump` or `clear`. Never without `shown`; known late in
    /// the cycle.
    pub hit: Sig,
    /// The instruction word at `address`; valid with `hit`.
    pub word: Sig,
}

impl FetchPort {
    /// The port as the cache has it.
    #[track_caller]
    pub fn of_cache() -> FetchPort {
        FetchPort {
            address: input(32),
            next_address: input(32),
            take: input(1),
            back: input(1),
            jump: input(1),
            jump_address: input(32),
            barred: input(1),
            clear: input(1),
            shown: output(1),
            hit: output(1),
            word: output(32),
        }
    }

    /// The port as the hart has it.
    #[track_caller]
    pub fn of_hart() -> FetchPort {
        FetchPort::of_cache().flip()
    }
}

/// Ports of [`L1Instruction`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct L1InstructionIo {
    /// The port to the hart.
    pub fetch: FetchPort,
    /// The address of a line to fill, to the bus; at most one request is outstanding.
    pub fill_request: Stream<Sig>,
    /// The requested line arrives in this cycle; the cache always takes it.
    pub fill_response_valid: Sig,
    /// The bytes of the line, the first in the lowest bits; valid with `fill_response_valid`.
    pub fill_response_data: Sig,
}

/// What the cache does beside lookups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
enum Phase {
    /// Nothing is missing, or it is not known yet.
    Idle,
    /// Asks for a line.
    Ask,
    /// Waits for it.
    Await,
    /// Writes it, a word a cycle.
    Write,
    /// Empties the cache, a set a cycle.
    Sweep,
}

/// Looks up one word per cycle and fetches lines that are missing. The word is of the way that a [`WayPredictor`] guesses;
/// if the line is in another, the word is missing until the guess has been put right. An invalid way is filled first,
/// else the ways take turns, all sets together. Nothing hits while the arrays are written.
#[hardware]
impl Module for L1Instruction {
    type Io = L1InstructionIo;

    fn name(&self) -> String {
        format!("l1_instruction_{}_w{}_l{}", self.bytes, self.ways, self.line)
    }

    fn build(&self) -> L1InstructionIo {
        let line_bits = 8 * self.line;
        let io = ports(L1InstructionIo {
            fetch: FetchPort::of_cache(),
            fill_request: Stream::output(32),
            fill_response_valid: input(1),
            fill_response_data: input(line_bits),
        });
        let words = self.line / 4;
        let place = Places::of(self);

        let phase = reg(Phase::shape()).reset(Phase::Idle);
        let address = io.fetch.address;
        /// The arrays were read at `fetch_address`, and not written in the cycle of the read.
        let fresh = reg(1).reset(0);
        /// Every line in the cache is out of date: the cache has to be swept.
        let outdated = reg(1).reset(1);
        let sweep_set = reg(index_width(self.sets())).reset(0);
        /// The address of the line being filled.
        let fill_address = reg(32);
        let fill_way = reg(index_width(self.ways));
        /// The bytes of the line being filled; the next word to write is in the low bits.
        let fill_data = reg(line_bits);
        let fill_word = reg(index_width(words)).reset(0);
        /// The way to replace next in a full set.
        let turn = reg(index_width(self.ways)).reset(0);

        let arrives = phase.is(Phase::Await) & io.fill_response_valid;
        let writes_word = phase.is(Phase::Write);
        let last_word = fill_word.eq(words - 1);
        let sweeps = phase.is(Phase::Sweep);

        // Lookups. Whether the word is there, and is taken, is known too late to choose what to read.
        // So the next one is read in any case: a word that is not taken is kept meanwhile, and one that
        // is not there is read again.
        /// The ways that have the line, a bit each.
        let there = wire(self.ways);
        /// The guessed way holds the line.
        let as_guessed = wire(1);
        let looked_up = fresh & !outdated;
        let found = as_guessed & looked_up;
        /// A word hit and was not taken: it is held in `kept_word`.
        let kept = reg(1).reset(0);
        let kept_word = reg(32);
        let shown = looked_up | kept;
        let hit = found | kept;
        io.fetch.shown.set(shown);
        io.fetch.hit.set(hit);
        let reads_next = shown | io.fetch.back;
        let goes_next = io.fetch.jump | io.fetch.back | io.fetch.take & shown;
        let read_ahead = reads_next.mux(io.fetch.next_address, address);
        // What comes last is only added: the address of a jump is 0 if there is none.
        let read_address = io.fetch.jump_address | read_ahead & (!io.fetch.jump).repeat(32);
        // Whether the line may be fetched is known a cycle after it was found missing.
        /// In the phase `Ask`: this is its first cycle.
        let first_ask = reg(1).reset(0);
        let learns = first_ask & phase.is(Phase::Ask);
        let writes = arrives | writes_word | sweeps | learns;
        fresh.set(!writes & (goes_next | !reads_next));
        kept.set(hit & !goes_next & !io.fetch.clear);
        let always = lit(1, 1);

        // A line that arrives makes its way invalid first, and valid with its last word.
        let tag_set = sweeps.mux(sweep_set, place.set(fill_address));
        let tag_row = cat([writes_word, place.tag(fill_address)]);
        let writes_tag = arrives | (writes_word & last_word);
        let ways = array(self.ways, |way| {
            let named = |name: &str| format!("{name}_{way}");
            let tags = memory(self.sets(), tag_row.width()).named(&named("tags"));
            let tags = tags.ignore_collisions();
            let data = memory(self.sets() * words, 32).named(&named("data")).ignore_collisions();
            let tag = tags.read_sync(place.set(read_address), always).named(&named("tag"));
            let word = data.read_sync(place.row(read_address), always).named(&named("word"));
            let this_way = fill_way.eq(way);
            when(sweeps | (writes_tag & this_way), || {
                tags.write(tag_set, tag_row & (!sweeps).repeat(tag_row.width()));
            });
            when(writes_word & this_way, || {
                data.write(place.row_at(fill_address, fill_word), fill_data.trunc(32));
            });
            let valid = tag.bit(tag.width() - 1);
            let matches = tag.trunc(tag.width() - 1).eq(place.tag(address));
            Way { valid, word, there: (valid & matches).named(&named("there")) }
        });
        there.set(cat(ways.iter().rev().map(|way| way.there)));
        let way_predictor = WayPredictor::of(self.ways, self.sets())
            .map(|table| table.instance().named("u_way_predictor"));
        let guessed: Vec<Sig> = match &way_predictor {
            Some(table) => {
                let row = |address: Sig| place.line_number(address).trunc(table.line.width());
                table.line.set(row(read_address));
                table.learn.set(learns);
                table.learn_line.set(row(fill_address));
                table.learn_way.set(fill_way);
                (0..self.ways).map(|way| table.guess.eq(way)).collect()
            }
            None => vec![lit(1, 1)],
        };
        as_guessed.set((there & one_hot::together(&guessed)).any());
        let offered = ways.iter().zip(&guessed).map(|(way, guess)| way.word & guess.repeat(32));
        let found_word = offered.reduce(|sum, word| sum | word).unwrap_or(lit(32, 0));
        let word = kept.mux(kept_word, found_word);
        io.fetch.word.set(word);
        kept_word.set(word);

        // Fills and sweeps.
        let victim = wire(turn.width());
        victim.set(turn);
        for (number, way) in ways.iter().enumerate().rev() {
            set_when(!way.valid, victim, number);
        }
        let way_there = one_hot::index(&one_hot::apart(there), fill_way.width());
        /// A way held the line that was looked up in the cycle before.
        let was_there = reg(1).reset(0);
        was_there.set(there.any());
        // A line that is there and was guessed wrong is not asked for: its way is learned.
        let gives_up = first_ask & (io.fetch.barred | was_there);
        io.fill_request.valid.set(phase.is(Phase::Ask) & !gives_up);
        io.fill_request.payload.set(fill_address);
        let missing = shown & !hit & !io.fetch.back;
        first_ask.set(phase.is(Phase::Idle));
        switch(phase, |phase_is| {
            phase_is.case(Phase::Idle, || {
                fill_address.set(place.line(address));
                fill_way.set(there.any().mux(way_there, victim));
                when(outdated, || phase.set(Phase::Sweep))
                    .elsewhen(missing, || phase.set(Phase::Ask));
            });
            phase_is.case(Phase::Ask, || {
                when(gives_up, || phase.set(Phase::Idle))
                    .elsewhen(io.fill_request.ready, || phase.set(Phase::Await));
            });
            phase_is.case(Phase::Await, || {
                fill_data.set(io.fill_response_data);
                when(io.fill_response_valid, || {
                    phase.set(Phase::Write);
                    turn.set(turn.eq(self.ways - 1).mux(lit(turn.width(), 0), turn + 1));
                });
            });
            phase_is.case(Phase::Write, || {
                fill_data.set(fill_data >> 32);
                fill_word.set(last_word.mux(lit(fill_word.width(), 0), fill_word + 1));
                when(last_word, || phase.set(Phase::Idle));
            });
            phase_is.case(Phase::Sweep, || {
                sweep_set.set(sweep_set + 1);
                when(sweep_set.eq(self.sets() - 1), || {
                    sweep_set.set(0);
                    outdated.set(0);
                    phase.set(Phase::Idle);
                });
            });
        });
        set_when(io.fetch.clear, outdated, 1);

        assert(
            "one_way_hits",
            !looked_up | (there & (there - 1)).none(),
            "a line is in one way only",
        );
        assert("hit_is_fresh", !found | fresh, "what collided with a write is read again");
        cover("barred_miss", learns & io.fetch.barred, "a line is not asked for");
        if way_predictor.is_some() {
            cover("guessed_wrong", learns & was_there, "a word is in another way");
        }
        cover("clear_during_fill", io.fetch.clear & phase.is(Phase::Await), "a line is dropped");
        cover("hit_during_fill", hit & phase.is(Phase::Await), "a forgotten miss");
        io
    }
}

/// What the module keeps of a way.
struct Way {
    valid: Sig,
    word: Sig,
    there: Sig,
}

/// Where the parts of an address are. A cache of one set has no set number: 0 stands for it.
#[derive(Clone, Copy)]
struct Places {
    sets: usize,
    /// The first bit of the set's number.
    set_low: usize,
    /// The first bit of the tag.
    tag_low: usize,
}

impl Places {
    fn of(cache: &L1Instruction) -> Places {
        let sets = cache.sets();
        let set_low = cache.line.ilog2() as usize;
        Places { sets, set_low, tag_low: set_low + sets.ilog2() as usize }
    }

    #[track_caller]
    fn tag(self, address: Sig) -> Sig {
        address.bits(self.tag_low..)
    }

    #[track_caller]
    fn set(self, address: Sig) -> Sig {
        if self.sets == 1 { lit(1, 0) } else { address.bits(self.set_low..self.tag_low) }
    }

    /// The number of the line.
    #[track_caller]
    fn line_number(self, address: Sig) -> Sig {
        address.bits(self.set_low..)
    }

    /// The row of a word.
    #[track_caller]
    fn row(self, address: Sig) -> Sig {
        address.bits(2..self.tag_low)
    }

    /// The row of a word of the line at an address.
    #[track_caller]
    fn row_at(self, address: Sig, word: Sig) -> Sig {
        if self.sets == 1 { word } else { cat([self.set(address), word]) }
    }

    /// The address of the line.
    #[track_caller]
    fn line(self, address: Sig) -> Sig {
        cat([self.line_number(address), lit(self.set_low, 0)])
    }
}
