//! The first-level instruction cache: read-only, filled a line at a time.
//!
//! It is not kept coherent: what a hart executes after a change of its code is settled by FENCE.I, which
//! empties it. The arrays are block RAM, a word a row, so that a way is no wider than an instruction;
//! a line that arrives is written word by word.

use config::Config;
use hdl::{
    Bundle, HwEnum, Module, Sig, Stream, array, assert, cat, cover, hardware, index_width, input,
    lit, memory, output, ports, reg, set_when, switch, when, wire,
};

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
#[derive(Clone, Copy, Debug, Bundle)]
pub struct FetchPort {
    /// Looks up an address: the answer is there from the next cycle until the next lookup.
    pub lookup_valid: Sig,
    /// The address, word aligned.
    pub lookup_address: Sig,
    /// The hart waits for the word that was looked up last: it is fetched if it is not there. Only for
    /// addresses that may be fetched.
    pub wanted: Sig,
    /// Empties the cache at the end of this cycle; a line on its way will not become valid either.
    pub clear: Sig,
    /// The word is there. Once 1 it can become 0 again before the next lookup, when the line of an
    /// older, forgotten miss takes its place; the word is then fetched again.
    pub hit: Sig,
    /// The word.
    pub word: Sig,
}

impl FetchPort {
    /// The port as the hart has it.
    #[track_caller]
    pub fn of_hart() -> FetchPort {
        FetchPort {
            lookup_valid: output(1),
            lookup_address: output(32),
            wanted: output(1),
            clear: output(1),
            hit: input(1),
            word: input(32),
        }
    }

    /// The port as the cache has it.
    #[track_caller]
    pub fn of_cache() -> FetchPort {
        FetchPort {
            lookup_valid: input(1),
            lookup_address: input(32),
            wanted: input(1),
            clear: input(1),
            hit: output(1),
            word: output(32),
        }
    }
}

/// Ports of [`L1Instruction`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct L1InstructionIo {
    /// The hart.
    pub fetch: FetchPort,
    /// Addresses of lines, to the bus; one at a time.
    pub fill_request: Stream<Sig>,
    /// The line has arrived; always taken.
    pub fill_response_valid: Sig,
    /// Its bytes, the first in the low bits.
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
    /// It is written: it becomes valid.
    Finish,
}

/// Looks up a word a cycle and fetches lines that are missing. The line that was least lately filled
/// leaves, counting round all sets together; an invalid way is taken first.
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
        let sets = self.sets();
        let words = self.line / 4;
        let word_bits = index_width(words);
        let row_bits = index_width(sets * words);
        let tag_low = 2 + row_bits;
        let row_of = |address: Sig| address.bits(2..tag_low);
        let tag_of = |address: Sig| address.bits(tag_low..);
        // A cache of one set has no index: its rows are numbered by the word alone.
        let set_of = |address: Sig| match sets {
            1 => lit(1, 0),
            _ => address.bits(2 + word_bits..tag_low),
        };

        let phase = reg(Phase::shape()).reset(Phase::Idle);
        /// What was looked up last.
        let address = reg(32);
        /// The arrays were read since anything was last written to them.
        let fresh = reg(1).reset(0);
        /// The line on its way.
        let fill_address = reg(32);
        let fill_way = reg(index_width(self.ways));
        /// Its bytes, the next word to write in the low bits.
        let fill_data = reg(line_bits);
        let fill_word = reg(word_bits);
        /// The cache was emptied while the line was on its way.
        let stale = reg(1);
        /// The way to fill next in a full set.
        let turn = reg(index_width(self.ways)).reset(0);

        // Lookups. One that is not answered is repeated until it is.
        let hit = wire(1);
        let reads = io.fetch.lookup_valid | !hit;
        let read_address = io.fetch.lookup_valid.mux(io.fetch.lookup_address, address);
        set_when(io.fetch.lookup_valid, address, io.fetch.lookup_address);
        let writes_row = phase.is(Phase::Write);
        set_when(reads, fresh, !writes_row);

        let set = set_of(address);
        let fill_set = set_of(fill_address);
        let fill_row = match sets {
            1 => fill_word,
            _ => cat([fill_set, fill_word]),
        };
        let last_word = fill_word.all();
        let fills = writes_row & last_word;
        let ways = array(self.ways, |way| {
            let named = |name: &str| format!("{name}_{way}");
            let valid = reg(sets).reset(0).named(&named("valid"));
            let tags = memory(sets, 32 - tag_low).named(&named("tags"));
            let data = memory(sets * words, 32).named(&named("data"));
            let tag = tags.read_sync(set_of(read_address), reads).named(&named("tag"));
            let word = data.read_sync(row_of(read_address), reads).named(&named("word"));
            let this_way = fill_way.eq(way);
            when(writes_row & this_way, || data.write(fill_row, fill_data.trunc(32)));
            when(fills & this_way, || tags.write(fill_set, tag_of(fill_address)));
            let there = valid.at(set) & tag.eq(tag_of(address));
            let there = there.named(&named("there"));
            Way { valid, word, there }
        });
        let there = cat(ways.iter().rev().map(|way| way.there));
        hit.set(there.any());
        io.fetch.hit.set(hit);
        let offered = ways.iter().map(|way| way.word & way.there.repeat(32));
        io.fetch.word.set(offered.reduce(|sum, word| sum | word).unwrap_or(lit(32, 0)));

        // The way to fill.
        let victim = wire(turn.width());
        victim.set(turn);
        for (place, way) in ways.iter().enumerate().rev() {
            set_when(!way.valid.at(set), victim, place);
        }

        // Fills.
        io.fill_request.valid.set(phase.is(Phase::Ask));
        io.fill_request.payload.set(fill_address);
        let missing = io.fetch.wanted & !hit & fresh;
        let selected = lit(sets, 1) << fill_set;
        set_when(io.fetch.clear, stale, 1);
        switch(phase, |phase_is| {
            phase_is.case(Phase::Idle, || {
                fill_address.set(cat([tag_of(address), set_and_offset(address, self)]));
                fill_way.set(victim);
                fill_word.set(0);
                stale.set(0);
                when(missing & !io.fetch.clear, || {
                    phase.set(Phase::Ask);
                    turn.set(turn.eq(self.ways - 1).mux(lit(turn.width(), 0), turn + 1));
                });
            });
            phase_is.case(Phase::Ask, || {
                when(io.fill_request.ready, || phase.set(Phase::Await));
            });
            phase_is.case(Phase::Await, || {
                fill_data.set(io.fill_response_data);
                when(io.fill_response_valid, || {
                    phase.set(Phase::Write);
                    for (place, way) in ways.iter().enumerate() {
                        set_when(fill_way.eq(place), way.valid, way.valid & !selected);
                    }
                });
            });
            phase_is.case(Phase::Write, || {
                fill_data.set(fill_data >> 32);
                fill_word.set(fill_word + 1);
                when(last_word, || phase.set(Phase::Finish));
            });
            phase_is.case(Phase::Finish, || {
                phase.set(Phase::Idle);
                when(!stale, || {
                    for (place, way) in ways.iter().enumerate() {
                        set_when(fill_way.eq(place), way.valid, way.valid | selected);
                    }
                });
            });
        });
        when(io.fetch.clear, || {
            for way in &ways {
                way.valid.set(0);
            }
        });

        assert("one_way_hits", (there & (there - 1)).none(), "a line is in one way only");
        cover("clear_during_fill", io.fetch.clear & !phase.is(Phase::Idle), "a line is dropped");
        cover(
            "hit_during_fill",
            hit & io.fetch.wanted & phase.is(Phase::Await),
            "a forgotten miss",
        );
        io
    }
}

/// What the module keeps of a way.
struct Way {
    valid: Sig,
    word: Sig,
    there: Sig,
}

/// The part of a line's address below the tag: the set, and zeros.
#[track_caller]
fn set_and_offset(address: Sig, cache: &L1Instruction) -> Sig {
    let offset_bits = index_width(cache.line);
    match cache.sets() {
        1 => lit(offset_bits, 0),
        sets => {
            cat([address.bits(offset_bits..offset_bits + index_width(sets)), lit(offset_bits, 0)])
        }
    }
}
