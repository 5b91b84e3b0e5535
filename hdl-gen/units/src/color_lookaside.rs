//! The color lookaside buffer: the color of an address.
//!
//! ColorSafe §4.1: colors are kept in a table in memory, of three levels so that large ranges of one
//! color are cheap, and a small buffer in each hart remembers what it found there. The buffer may be
//! out of date: nothing but a flush makes it read the table again, and no program's meaning depends
//! on a color. Beside each color stands whether it is in the set of hazardous colors: to ask the set
//! takes too long where the answer is wanted.

use border::color::{ENTRY_COLOR, ENTRY_SIZE};
use border::map::RAM;
use config::Config;
use hdl::{
    Bundle, Enum, HwEnum, Inst, Module, Sig, Stream, array, assume, cat, cover, hardware,
    index_width, input, lit, output, ports, reg, set_when, switch, when, wire,
};

use crate::color_hash::color_keys;
use crate::color_lookaside_entry::{
    ColorLookasideEntry, ColorLookasideEntryIo, ColorRange, INDEX_BITS, Level, WORD_BITS,
    any_place, index_of,
};

/// Bits of a page's number: the base of a table, which fills a page of 4 KiB.
const PAGE_BITS: usize = 20;
/// Where the color is in an entry of a table.
const COLOR_PLACE: usize = ENTRY_COLOR.low as usize;
/// Where the size is in an entry of the last level, and its bits.
const SIZE_PLACE: usize = ENTRY_SIZE.low as usize;
const SIZE_BITS: usize = ENTRY_SIZE.width as usize;

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
    /// Colors are looked up. While this is 0, requests are answered with color 0.
    pub enable: Sig,
    /// Address of the first-level table; a multiple of 4096.
    pub table_base: Sig,
    /// Address of RAM's last byte; constant.
    pub ram_last: Sig,
    /// Empties the buffer, before anything else in this cycle.
    pub flush: Sig,
    /// An address to look up. One request at a time: the next is taken after the response to the
    /// last.
    pub request: Stream<Sig>,
    /// The color of the requested address.
    pub response: Stream<Sig>,
    /// The color of the response is in the set of hazardous colors; valid with `response_valid`.
    pub response_hazard: Sig,
    /// The address of a word of the color tables, to be read from memory.
    pub memory_request: Stream<Sig>,
    /// The word read, in the order of the requests.
    pub memory_response: Stream<Sig>,
    /// The color to look up in the set of hazardous colors, outside this unit.
    pub asked_color: Sig,
    /// `asked_color` is in the set, as it was before this cycle.
    pub asked_hazard: Sig,
    /// The set of hazardous colors changes at the end of this cycle.
    pub set_changed: Sig,
    /// The hazard bits of the entries are being updated after a change of the set; meanwhile no
    /// request is taken.
    pub recomputing: Sig,
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
        let io = self.ports();
        assume("table_base_is_aligned", io.table_base.bits(..12).none(), "a table fills a page");

        let phase = reg(Phase::shape()).reset(Phase::Idle);
        /// The word whose color is looked up.
        let word = reg(WORD_BITS);
        /// The page of the table that the walk has come to.
        let table_page = reg(PAGE_BITS);
        /// The level of the table in `table_page`.
        let level = reg(Level::shape());
        /// A flush came during the walk: the result may be out of date.
        let flushed = reg(1);
        /// The color of the response.
        let color = reg(self.color_bits);
        let hazard = reg(1);
        /// The entry to fill next.
        let victim = reg(index_width(self.entries)).reset(0);
        /// There is a last leaf: `leaf_table` is the third-level table for the page `leaf_page` of
        /// addresses.
        let leaf_valid = reg(1).reset(0);
        let leaf_page = reg(PAGE_BITS);
        let leaf_table = reg(PAGE_BITS);
        /// The hazard bits of the entries, and then of the response, are being updated.
        let judging = reg(1).reset(0);
        /// The entry whose hazard bit is updated; past the last one: the response.
        let judged = reg(index_width(self.entries + 1)).reset(0);
        let judges_answer = judging & judged.eq(self.entries);

        // What a word of the table means.
        let address = wire(32);
        let in_ram = address.ge(RAM.base) & address.le(io.ram_last);
        /// The walk comes to an address outside RAM, where a table entry counts as 0.
        let no_table = phase.is(Phase::Ask) & !in_ram & !judging;
        let table_word = io.memory_response.payload & in_ram.repeat(32);
        let kind = Enum::<EntryKind>::from_sig(table_word.bits(..2));
        let descends = kind.is(EntryKind::Table) & !level.is(Level::Word);
        let range_color = wire(self.color_bits);
        range_color.set(0);
        when(kind.is(EntryKind::Colored), || {
            range_color.set(table_word.bits(COLOR_PLACE..COLOR_PLACE + self.color_bits));
        });
        let range = ColorRange {
            word,
            region: level.is(Level::Region),
            any_place: any_place(level, table_word.bits(SIZE_PLACE..SIZE_PLACE + SIZE_BITS)),
        };

        let read = io.memory_response.fires();
        let found = no_table | (read & !descends);
        let remembers = !flushed & !io.flush;
        let fill = found & remembers;
        let request_word = io.request.payload.bits(2..);
        let entries = self.entries(&io, request_word, |place, entry| {
            entry.fill_valid.set(fill & victim.eq(place));
            entry.fill_range.drive(&range);
            entry.fill_color.set(range_color);
            entry.judge.set(judging & judged.eq(place));
        });
        set_when(fill, victim, victim.eq(self.entries - 1).mux(lit(victim.width(), 0), victim + 1));
        let Found { hits, chosen, entry_color, entry_hazard } = self.find(&entries);
        /// An entry has the requested word, and no flush comes before it in this cycle.
        let hit = hits.any() & !io.flush;
        let requested_page = request_word.bits(INDEX_BITS..);
        let leaf_hit = leaf_valid & leaf_page.eq(requested_page) & !io.flush;

        // The set of hazardous colors: asked for what fills an entry, or for the entry that is judged.
        let judged_color = wire(self.color_bits);
        judged_color.set(color);
        for (place, entry) in entries.iter().enumerate() {
            when(judged.eq(place), || judged_color.set(entry.color));
        }
        io.asked_color.set(judging.mux(judged_color, range_color));
        when(judging, || {
            judged.set(judged + 1);
            when(judges_answer, || judging.set(0));
        });
        when(io.set_changed, || {
            judging.set(1);
            judged.set(0);
        });
        io.recomputing.set(judging);

        // The walk.
        io.request.ready.set(phase.is(Phase::Idle) & !judging);
        io.memory_request.valid.set(phase.is(Phase::Ask) & in_ram);
        io.memory_response.ready.set(phase.is(Phase::Await) & !judging);
        io.response.valid.set(phase.is(Phase::Answer));
        io.response.payload.set(color);
        io.response_hazard.set(hazard);

        let index = index_in_table(level, word);
        address.set(cat([table_page, index, lit(2, 0)]));
        io.memory_request.payload.set(address);

        when(read & descends & level.is(Level::Page) & remembers, || {
            leaf_valid.set(1);
            leaf_page.set(word.bits(INDEX_BITS..));
            leaf_table.set(table_word.bits(12..));
        });
        when(io.flush, || {
            flushed.set(1);
            leaf_valid.set(0);
        });
        when(judges_answer, || hazard.set(io.asked_hazard));
        when(found, || {
            color.set(range_color);
            hazard.set(io.asked_hazard);
            phase.set(Phase::Answer);
        });
        switch(phase, |phase_is| {
            phase_is.case(Phase::Idle, || {
                when(io.request.fires(), || {
                    word.set(request_word);
                    table_page.set(leaf_hit.mux(leaf_table, io.table_base.bits(12..)));
                    when(leaf_hit, || level.set(Level::Word))
                        .otherwise(|| level.set(Level::Region));
                    flushed.set(0);
                    color.set(io.enable.mux(entry_color, 0));
                    hazard.set(entry_hazard & io.enable);
                    when(io.enable & !hit, || phase.set(Phase::Ask))
                        .otherwise(|| phase.set(Phase::Answer));
                });
            });
            phase_is.case(Phase::Ask, || {
                when(io.memory_request.fires(), || phase.set(Phase::Await));
            });
            phase_is.case(Phase::Await, || {
                when(read & descends, || {
                    table_page.set(table_word.bits(12..));
                    when(level.is(Level::Region), || level.set(Level::Page))
                        .otherwise(|| level.set(Level::Word));
                    phase.set(Phase::Ask);
                });
            });
            phase_is.case(Phase::Answer, || {
                when(io.response.ready, || phase.set(Phase::Idle));
            });
        });

        cover("finds_a_word", fill & level.is(Level::Word), "the walk goes down to single words");
        cover("flush_stops_a_fill", found & !remembers, "a flush comes during a walk");
        cover("ranges_overlap", hits.ne(chosen), "two entries have the same word");
        cover("begins_at_the_leaf", io.request.fires() & !hit & leaf_hit, "a walk of one step");
        cover("no_table_there", no_table & level.is(Level::Word), "a table outside RAM");
        cover("judges_a_waiting_answer", judges_answer & phase.is(Phase::Answer), "and it waits");
        io
    }
}

/// What the entries say of the word that is looked up.
struct Found {
    /// The entries that have it.
    hits: Sig,
    /// The first of these: ranges found in different tables may overlap.
    chosen: Sig,
    /// The color there; 0 if there is none.
    entry_color: Sig,
    /// That color is hazardous.
    entry_hazard: Sig,
}

#[hardware]
impl ColorLookaside {
    fn ports(&self) -> ColorLookasideIo {
        ports(ColorLookasideIo {
            enable: input(1),
            table_base: input(32),
            ram_last: input(32),
            flush: input(1),
            request: Stream::input(32),
            response: Stream::output(self.color_bits),
            response_hazard: output(1),
            memory_request: Stream::output(32),
            memory_response: Stream::input(32),
            asked_color: output(self.color_bits),
            asked_hazard: input(1),
            set_changed: input(1),
            recomputing: output(1),
        })
    }

    /// The entries, each filled and judged as `fills` says of its place.
    fn entries(
        &self,
        io: &ColorLookasideIo,
        word: Sig,
        fills: impl Fn(usize, &ColorLookasideEntryIo),
    ) -> Vec<Inst<ColorLookasideEntryIo>> {
        array(self.entries, |place| {
            let entry = ColorLookasideEntry { color_bits: self.color_bits }.instance();
            let entry = entry.named(&format!("entry_{place}"));
            fills(place, &entry);
            entry.is_hazard.set(io.asked_hazard);
            entry.flush.set(io.flush);
            entry.word.set(word);
            entry
        })
    }

    /// What the entries say.
    fn find(&self, entries: &[Inst<ColorLookasideEntryIo>]) -> Found {
        let hits = cat(entries.iter().rev().map(|entry| entry.hit));
        let chosen = hits & -hits;
        let offered =
            |place: usize| entries[place].color & chosen.bit(place).repeat(self.color_bits);
        let mut entry_color = offered(0).named("color_up_to_0");
        for place in 1..self.entries {
            entry_color = (entry_color | offered(place)).named(&format!("color_up_to_{place}"));
        }
        let entry_hazard = (cat(entries.iter().rev().map(|entry| entry.hazard)) & chosen).any();
        Found { hits, chosen, entry_color, entry_hazard }
    }
}

/// The index of a word in a table of this level.
#[hardware]
fn index_in_table(level: Enum<Level>, word: Sig) -> Sig {
    let index = wire(INDEX_BITS);
    switch(level, |level_is| {
        for level in [Level::Region, Level::Page, Level::Word] {
            level_is.case(level, || index.set(index_of(level, word)));
        }
    });
    index
}
