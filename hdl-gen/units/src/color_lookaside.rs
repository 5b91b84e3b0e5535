//! The color lookaside buffer: the color of an address.
//!
//! ColorSafe §4.1: colors are kept in a table in memory, of three levels so that large ranges of one
//! color are cheap, and a small buffer in each hart remembers what it found there. The buffer may be
//! out of date: nothing but a flush makes it read the table again, and no program's meaning depends
//! on a color.

use config::Config;
use hdl::{
    Bundle, Enum, HwEnum, Module, Sig, Stream, array, assume, cat, cover, hardware, index_width,
    input, lit, output, ports, reg, set_when, switch, when, wire,
};

use crate::color_hash::color_keys;

/// Bits of a word's number: an address without the place in the word.
const WORD_BITS: usize = 30;
/// Bits of a page's number: the base of a table, which fills a page of 4 KiB.
const PAGE_BITS: usize = 20;
/// Bits of an index into a table.
const INDEX_BITS: usize = 10;
/// Where the color is in an entry of a table.
const COLOR_PLACE: usize = 16;

/// How large a range has one color: the level of the table that says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum Level {
    /// 4 MiB, by bits 31-22 of the address.
    Region,
    /// 4 KiB, by bits 21-12.
    Page,
    /// 4 bytes, by bits 11-2.
    Word,
}

/// What an entry of a table says: its lowest two bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum EntryKind {
    /// The range has no color.
    Uncolored,
    /// The range has one color, in bits 16 and up.
    Colored,
    /// Another table tells more; its base is in bits 31-12. Uncolored at the last level.
    Table,
    /// Like [`EntryKind::Uncolored`].
    Reserved,
}

/// One entry of the buffer: a range and its color.
#[derive(Clone, Debug, PartialEq)]
pub struct ColorLookasideEntry {
    /// Bits of a color.
    pub color_bits: usize,
}

/// Ports of [`ColorLookasideEntry`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct ColorLookasideEntryIo {
    /// Replaces the entry.
    pub fill_valid: Sig,
    /// The size of the range.
    pub fill_level: Enum<Level>,
    /// A word in the range.
    pub fill_word: Sig,
    /// The color of the range.
    pub fill_color: Sig,
    /// Invalidates the entry; takes precedence over a fill.
    pub flush: Sig,
    /// The word to look up.
    pub word: Sig,
    /// The entry is valid and `word` is in its range.
    pub hit: Sig,
    /// The color of the range; valid with `hit`.
    pub color: Sig,
}

/// Remembers one range and its color. Answers from what it held before the cycle.
#[hardware]
impl Module for ColorLookasideEntry {
    type Io = ColorLookasideEntryIo;

    fn name(&self) -> String {
        format!("color_lookaside_entry_c{}", self.color_bits)
    }

    fn build(&self) -> ColorLookasideEntryIo {
        let io = ports(ColorLookasideEntryIo {
            fill_valid: input(1),
            fill_level: input(Level::shape()),
            fill_word: input(WORD_BITS),
            fill_color: input(self.color_bits),
            flush: input(1),
            word: input(WORD_BITS),
            hit: output(1),
            color: output(self.color_bits),
        });
        let valid = reg(1).reset(0);
        let level = reg(Level::shape());
        let tag = reg(WORD_BITS);
        let color = reg(self.color_bits);

        let same_region = index_of(Level::Region, tag).eq(index_of(Level::Region, io.word));
        let same_page = index_of(Level::Page, tag).eq(index_of(Level::Page, io.word));
        let same_word = index_of(Level::Word, tag).eq(index_of(Level::Word, io.word));
        let page_fits = level.is(Level::Region) | same_page;
        let word_fits = !level.is(Level::Word) | same_word;
        io.hit.set(valid & same_region & page_fits & word_fits);
        io.color.set(color);

        when(io.fill_valid, || {
            level.set_from(io.fill_level);
            tag.set(io.fill_word);
            color.set(io.fill_color);
        });
        when(io.flush, || valid.set(0)).elsewhen(io.fill_valid, || valid.set(1));
        io
    }
}

/// The index of a word in the table of a level.
#[track_caller]
fn index_of(level: Level, word: Sig) -> Sig {
    let low = match level {
        Level::Region => 2 * INDEX_BITS,
        Level::Page => INDEX_BITS,
        Level::Word => 0,
    };
    word.bits(low..low + INDEX_BITS)
}

/// The color lookaside buffer of one hart.
#[derive(Clone, Debug, PartialEq)]
pub struct ColorLookaside {
    /// Entries, at least 1.
    pub entries: usize,
    /// Bits of a color, 1 to 16.
    pub color_bits: usize,
}

impl ColorLookaside {
    /// The buffer of a configuration. `Err` names the key that switches it off.
    pub fn from_config(config: &Config) -> Result<Self, &'static str> {
        let color = color_keys(config)?;
        let (entries, color_bits) = (color.clb_entries as usize, color.bits as usize);
        Ok(ColorLookaside { entries, color_bits })
    }
}

/// Ports of [`ColorLookaside`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct ColorLookasideIo {
    /// Colors are looked up. While 0, requests are answered with color 0.
    pub enable: Sig,
    /// Address of the first-level table; a multiple of 4096.
    pub table_base: Sig,
    /// Invalidates all entries, before anything else in this cycle.
    pub flush: Sig,
    /// Addresses to look up, one at a time: the next is accepted after the response to the last.
    pub request: Stream<Sig>,
    /// The color of each requested address.
    pub response: Stream<Sig>,
    /// Addresses of table words to read from memory.
    pub memory_request: Stream<Sig>,
    /// The words read, in the order of the requests.
    pub memory_response: Stream<Sig>,
}

/// What the buffer does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
enum Phase {
    /// Takes a request.
    Idle,
    /// Asks memory for an entry of a table.
    Ask,
    /// Waits for it.
    Await,
    /// Gives the answer.
    Answer,
}

/// Finds the color of an address: among the entries, else in the three-level table in memory, whose
/// range then fills an entry, in turn.
#[hardware]
impl Module for ColorLookaside {
    type Io = ColorLookasideIo;

    fn name(&self) -> String {
        format!("color_lookaside_{}_c{}", self.entries, self.color_bits)
    }

    fn build(&self) -> ColorLookasideIo {
        let io = ports(ColorLookasideIo {
            enable: input(1),
            table_base: input(32),
            flush: input(1),
            request: Stream::input(32),
            response: Stream::output(self.color_bits),
            memory_request: Stream::output(32),
            memory_response: Stream::input(32),
        });
        assume("table_base_is_aligned", io.table_base.bits(..12).none(), "a table fills a page");

        let phase = reg(Phase::shape()).reset(Phase::Idle);
        /// The word whose color is asked for.
        let word = reg(WORD_BITS);
        /// The table that the walk has come to: its page.
        let table_page = reg(PAGE_BITS);
        /// The level of this table.
        let level = reg(Level::shape());
        /// A flush came during the walk: what it finds may be out of date already.
        let flushed = reg(1);
        /// The answer.
        let color = reg(self.color_bits);
        /// The entry to fill next.
        let victim = reg(index_width(self.entries)).reset(0);

        // What a word of the table means.
        let table_word = io.memory_response.payload;
        let kind = Enum::<EntryKind>::from_sig(table_word.bits(..2));
        let descends = kind.is(EntryKind::Table) & !level.is(Level::Word);
        let range_color = wire(self.color_bits);
        range_color.set(0);
        when(kind.is(EntryKind::Colored), || {
            range_color.set(table_word.bits(COLOR_PLACE..COLOR_PLACE + self.color_bits));
        });

        // The entries.
        let found = io.memory_response.fires() & !descends;
        let fill = found & !flushed & !io.flush;
        let request_word = io.request.payload.bits(2..);
        let entries = array(self.entries, |place| {
            let entry = ColorLookasideEntry { color_bits: self.color_bits }.instance();
            let entry = entry.named(&format!("entry_{place}"));
            entry.fill_valid.set(fill & victim.eq(place));
            entry.fill_level.set_from(level);
            entry.fill_word.set(word);
            entry.fill_color.set(range_color);
            entry.flush.set(io.flush);
            entry.word.set(request_word);
            entry
        });
        set_when(fill, victim, victim.eq(self.entries - 1).mux(lit(victim.width(), 0), victim + 1));

        let hits = cat(entries.iter().rev().map(|entry| entry.hit));
        /// A flush comes before the lookup of its own cycle.
        let hit = hits.any() & !io.flush;
        /// The first entry that has the word: ranges found in different tables may overlap.
        let chosen = hits & -hits;
        let offered =
            |place: usize| entries[place].color & chosen.bit(place).repeat(self.color_bits);
        let mut entry_color = offered(0).named("color_up_to_0");
        for place in 1..self.entries {
            entry_color = (entry_color | offered(place)).named(&format!("color_up_to_{place}"));
        }

        // The walk.
        io.request.ready.set(phase.is(Phase::Idle));
        io.memory_request.valid.set(phase.is(Phase::Ask));
        io.memory_response.ready.set(phase.is(Phase::Await));
        io.response.valid.set(phase.is(Phase::Answer));
        io.response.payload.set(color);

        let index = wire(INDEX_BITS);
        switch(level, |level_is| {
            for level in [Level::Region, Level::Page, Level::Word] {
                level_is.case(level, || index.set(index_of(level, word)));
            }
        });
        io.memory_request.payload.set(cat([table_page, index, lit(2, 0)]));

        set_when(io.flush, flushed, 1);
        switch(phase, |phase_is| {
            phase_is.case(Phase::Idle, || {
                word.set(request_word);
                table_page.set(io.table_base.bits(12..));
                level.set(Level::Region);
                flushed.set(0);
                color.set(io.enable.mux(entry_color, 0));
                when(io.request.valid, || {
                    when(io.enable & !hit, || phase.set(Phase::Ask))
                        .otherwise(|| phase.set(Phase::Answer));
                });
            });
            phase_is.case(Phase::Ask, || {
                when(io.memory_request.ready, || phase.set(Phase::Await));
            });
            phase_is.case(Phase::Await, || {
                when(io.memory_response.valid & descends, || {
                    table_page.set(table_word.bits(12..));
                    when(level.is(Level::Region), || level.set(Level::Page))
                        .otherwise(|| level.set(Level::Word));
                    phase.set(Phase::Ask);
                })
                .elsewhen(io.memory_response.valid, || {
                    color.set(range_color);
                    phase.set(Phase::Answer);
                });
            });
            phase_is.case(Phase::Answer, || {
                when(io.response.ready, || phase.set(Phase::Idle));
            });
        });

        cover("finds_a_word", fill & level.is(Level::Word), "the walk goes down to single words");
        cover("flush_stops_a_fill", found & (flushed | io.flush), "a flush comes during a walk");
        cover("ranges_overlap", hits.ne(chosen), "two entries have the same word");
        io
    }
}
