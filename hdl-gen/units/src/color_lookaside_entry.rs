//! An entry of the color lookaside buffer: a range of addresses and its color.

use hdl::{
    Bundle, Enum, HwEnum, Module, Sig, bits, cat, hardware, input, output, ports, reg, when,
};

/// Bits of a word's number: an address without the place in the word.
pub(crate) const WORD_BITS: usize = 30;
/// Bits of an index into a table.
pub(crate) const INDEX_BITS: usize = 10;

/// A level of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum Level {
    /// Indexed by bits 31-22 of the address; an entry is for 4 MiB.
    Region,
    /// By bits 21-12; for 4 KiB.
    Page,
    /// By bits 11-2; for as many words around it as the entry says.
    Word,
}

/// One entry of the buffer: a range and its color.
#[derive(Clone, Debug, PartialEq)]
pub struct ColorLookasideEntry {
    /// Bits of a color.
    pub color_bits: usize,
}

/// Addresses that have one color: those of a word's region whose other bits agree where they count.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct ColorRange {
    /// A word in the range.
    pub word: Sig,
    /// The range is not confined to a page: bits 21-12 of the address are not compared.
    pub region: Sig,
    /// The bits of the word's place in its page (address bits 11-2) that are not compared.
    pub any_place: Sig,
}

impl ColorRange {
    fn shape() -> ColorRange {
        ColorRange { word: bits(WORD_BITS), region: bits(1), any_place: bits(INDEX_BITS) }
    }

    /// Whether a word is in the range.
    #[track_caller]
    fn has(&self, word: Sig) -> Sig {
        let differ = self.word ^ word;
        let same_region = index_of(Level::Region, differ).none();
        let same_page = index_of(Level::Page, differ).none();
        let same_place = (index_of(Level::Word, differ) & !self.any_place).none();
        same_region & (self.region | same_page) & same_place
    }
}

/// Ports of [`ColorLookasideEntry`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct ColorLookasideEntryIo {
    /// The entry is replaced at the end of this cycle.
    pub fill_valid: Sig,
    /// The addresses of the new entry.
    pub fill_range: ColorRange,
    /// The color of the new entry; valid with `fill_valid`.
    pub fill_color: Sig,
    /// The color is hazardous: `fill_color` with `fill_valid`, or the entry's with `judge`.
    pub is_hazard: Sig,
    /// The entry's hazard bit is set to `is_hazard`; range and color stay.
    pub judge: Sig,
    /// Invalidates the entry; takes precedence over a fill.
    pub flush: Sig,
    /// The word to look up.
    pub word: Sig,
    /// The entry is valid and `word` is in its range.
    pub hit: Sig,
    /// The color of the range; valid with `hit`.
    pub color: Sig,
    /// The color was hazardous when the entry was last filled or judged; valid with `hit`.
    pub hazard: Sig,
}

/// Remembers one range and its color. The outputs depend on the entry before this cycle's fill or
/// flush.
#[hardware]
impl Module for ColorLookasideEntry {
    type Io = ColorLookasideEntryIo;

    fn name(&self) -> String {
        format!("color_lookaside_entry_c{}", self.color_bits)
    }

    fn build(&self) -> ColorLookasideEntryIo {
        let io = ports(ColorLookasideEntryIo {
            fill_valid: input(1),
            fill_range: input(ColorRange::shape()),
            fill_color: input(self.color_bits),
            is_hazard: input(1),
            judge: input(1),
            flush: input(1),
            word: input(WORD_BITS),
            hit: output(1),
            color: output(self.color_bits),
            hazard: output(1),
        });
        let valid = reg(1).reset(0);
        let range = reg(ColorRange::shape());
        let color = reg(self.color_bits);
        let hazard = reg(1);

        io.hit.set(valid & range.has(io.word));
        io.color.set(color);
        io.hazard.set(hazard);

        when(io.fill_valid, || {
            range.drive(&io.fill_range);
            color.set(io.fill_color);
        });
        when(io.fill_valid | io.judge, || hazard.set(io.is_hazard));
        when(io.flush, || valid.set(0)).elsewhen(io.fill_valid, || valid.set(1));
        io
    }
}

/// The index of a word in the table of a level.
#[track_caller]
pub(crate) fn index_of(level: Level, word: Sig) -> Sig {
    let low = match level {
        Level::Region => 2 * INDEX_BITS,
        Level::Page => INDEX_BITS,
        Level::Word => 0,
    };
    word.bits(low..low + INDEX_BITS)
}

/// The bits of a word's place in its page that do not count in a range: above the last level none of
/// them does; at it the low ones, as many as the entry's size says.
#[track_caller]
pub(crate) fn any_place(level: Enum<Level>, size: Sig) -> Sig {
    let is_open = |place: usize| !level.is(Level::Word) | size.gt(place);
    cat((0..INDEX_BITS).rev().map(is_open))
}
