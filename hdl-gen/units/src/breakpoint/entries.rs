//! The entries of the breakpoint unit: registers that software writes.

use border::breakpoint::{PARTIES, WINDOW, Word};
use border::monitor::window;
use hdl::window::{Bus, Window};
use hdl::{Bundle, Sig, array, bits, hardware, reg, set_when};

use crate::bus::DeviceRequest;
use crate::geometry::WORD_BITS;
use crate::windows;

/// Bits of a pc without those that are always 0.
pub(crate) const PLACE_BITS: usize = 30;
/// Bits of a party's number.
pub(crate) const PARTY_BITS: usize = 2;
/// Bits of a wait.
pub(crate) const WAIT_BITS: usize = 21;
/// Bits of a counter.
pub(crate) const COUNT_BITS: usize = 16;
/// Bits of a word's number in a window.
const WORD_INDEX_BITS: usize = border::monitor::WORD_INDEX_BITS as usize;

/// One party of an entry.
#[derive(Clone, Copy, Debug, Bundle)]
pub struct Party {
    /// The location of the party: a pc without its low two bits.
    pub location: Sig,
    /// The value that is compared with the other parties: nothing (0), the word of the address (1),
    /// the line of the address (2), the first operand (3), the second (4), both (5).
    pub value: Sig,
    /// The value that the local predicate tests: nothing (0), the first operand (1), the second
    /// (2), the address (3).
    pub local: Sig,
    /// Only harts in the entry's region count as this party.
    pub in_region: Sig,
    /// The bits of the value that the local predicate tests.
    pub local_mask: Sig,
    /// The value that the bits selected by `local_mask` must have for the local predicate to be
    /// true.
    pub local_match: Sig,
}

/// What the comparators need to know of an entry.
#[derive(Clone, Debug, Bundle)]
pub struct Place {
    /// The number of the entry's last party, 1 to 3.
    pub last_party: Sig,
    /// The entry uses `until`.
    pub has_until: Sig,
    /// The entry uses `region_begin` and `region_end`.
    pub has_region: Sig,
    /// The location whose retirement lets the next party go, as a pc without its low two bits.
    pub until: Sig,
    /// The bits of values that are compared between parties.
    pub value_mask: Sig,
    /// The location at which the region begins, as a pc without its low two bits.
    pub region_begin: Sig,
    /// The location at which the region ends, as a pc without its low two bits.
    pub region_end: Sig,
    /// The parties of the entry.
    pub party: Vec<Party>,
}

impl Place {
    /// Its shape.
    pub(crate) fn shape() -> Place {
        let party = |_| Party {
            location: bits(PLACE_BITS),
            value: bits(3),
            local: bits(2),
            in_region: bits(1),
            local_mask: bits(WORD_BITS),
            local_match: bits(WORD_BITS),
        };
        Place {
            last_party: bits(PARTY_BITS),
            has_until: bits(1),
            has_region: bits(1),
            until: bits(PLACE_BITS),
            value_mask: bits(WORD_BITS),
            region_begin: bits(PLACE_BITS),
            region_end: bits(PLACE_BITS),
            party: (0..PARTIES as usize).map(party).collect(),
        }
    }
}

/// What an entry counts: registers of the rendezvous.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counters {
    /// Hits.
    pub hits: Sig,
    /// Waits that nobody ended.
    pub timeouts: Sig,
}

/// An entry as the rendezvous sees it.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// What the comparators need.
    pub place: Place,
    /// The entry is there.
    pub enable: Sig,
    /// The number of the last party, at least 1.
    pub last_party: Sig,
    /// Values meet crossed, and there are two parties.
    pub crossed: Sig,
    /// It is armed after another entry's hit.
    pub has_after: Sig,
    /// That entry.
    pub after: Sig,
    /// The longest wait, 1 to 2^20.
    pub wait: Sig,
    /// The most hits; 0: no limit.
    pub bound: Sig,
    /// Arrivals of each party that go on.
    pub skip: Vec<Sig>,
    /// `control` is written in this cycle.
    pub cleared: Sig,
    /// What its registers show, in the cycle of the read; 0 if none of them is addressed.
    pub shown: Sig,
}

/// A register of one entry and party.
#[derive(Clone, Copy)]
struct Of(Word, u32, u32);

impl Of {
    fn number(self) -> u32 {
        self.0.of(self.1, self.2)
    }
}

/// The rows of an entry: `control` alone, or all others.
fn rows(entry: u32, control: bool) -> Vec<hdl::window::Row> {
    let registers = WINDOW.registers.iter().zip(Word::ALL);
    let wanted = registers.filter(|(_, word)| (*word == Word::Control) == control);
    wanted
        .flat_map(|(register, word)| {
            let parties = if word.is_of_party() { PARTIES } else { 1 };
            (0..parties).map(move |party| windows::row(register, word.of(entry, party), 0))
        })
        .collect()
}

/// The accesses to the window, as all entries see them.
#[hardware]
pub(crate) fn bus(device: DeviceRequest) -> Bus {
    let window_bits = WORD_INDEX_BITS + 2;
    let here =
        device.valid & device.address.bits(window_bits..).eq(u64::from(window(0)) >> window_bits);
    Bus {
        read_valid: here & !device.write,
        write_valid: here & device.write,
        address: device.address.bits(2..window_bits),
        write_data: device.word,
    }
}

/// Builds the registers of an entry.
#[hardware]
pub(crate) fn entry(number: u32, bus: Bus, counters: Counters) -> Entry {
    let field = |word: Sig, field: border::register::Field| {
        word.bits(field.low as usize..(field.low + field.width) as usize)
    };
    let mut first = Window::new(rows(number, true), Of::number, bus);
    /// The register `control` of the entry.
    let control = reg(12).reset(0);
    let cleared = first.written(Of(Word::Control, number, 0));
    let unused = 1 << 7;
    set_when(cleared, control, bus.write_data.trunc(12) & (0xfff & !unused));
    first.read(Of(Word::Control, number, 0), control);
    let enable = field(control, Word::ENABLE);

    // An entry that is in use keeps the rest.
    let rest_bus = Bus { write_valid: bus.write_valid & !enable, ..bus };
    let mut rest = Window::new(rows(number, false), Of::number, rest_bus);
    /// The longest wait, as written.
    let wait = reg(WAIT_BITS).reset(0);
    let bound = reg(COUNT_BITS).reset(0);
    let until = reg(WORD_BITS).reset(0);
    let value_mask = reg(WORD_BITS).reset(0);
    let region_begin = reg(WORD_BITS).reset(0);
    let region_end = reg(WORD_BITS).reset(0);
    let kept = [
        (Word::Wait, wait),
        (Word::Bound, bound),
        (Word::Until, until),
        (Word::ValueMask, value_mask),
        (Word::RegionBegin, region_begin),
        (Word::RegionEnd, region_end),
    ];
    for (word, target) in kept {
        rest.keep(Of(word, number, 0), target);
    }
    rest.read(Of(Word::Hits, number, 0), counters.hits);
    rest.read(Of(Word::Timeouts, number, 0), counters.timeouts);

    let mut skip = Vec::new();
    let party = array(PARTIES as usize, |index| {
        let of = |word| Of(word, number, index as u32);
        let location = reg(WORD_BITS).reset(0);
        let select = reg(WORD_BITS).reset(0);
        let local_mask = reg(WORD_BITS).reset(0);
        let local_match = reg(WORD_BITS).reset(0);
        rest.keep(of(Word::Location), location);
        rest.keep(of(Word::LocalMask), local_mask);
        rest.keep(of(Word::LocalMatch), local_match);
        let select_bits = [Word::VALUE, Word::LOCAL, Word::IN_REGION, Word::SKIP]
            .iter()
            .fold(0u64, |all, field| all | u64::from(field.mask()));
        let selects = rest.written(of(Word::Select));
        set_when(selects, select, bus.write_data & select_bits);
        rest.read(of(Word::Select), select);
        skip.push(field(select, Word::SKIP));
        Party {
            location: location.bits(2..),
            value: field(select, Word::VALUE),
            local: field(select, Word::LOCAL),
            in_region: field(select, Word::IN_REGION),
            local_mask,
            local_match,
        }
    });
    let shown = first.gated(WORD_BITS) | rest.gated(WORD_BITS);
    let written_last = field(control, Word::LAST_PARTY);
    let last_party = written_last | hdl::cat([hdl::lit(1, 0), written_last.none()]);
    let most = 1u64 << (WAIT_BITS - 1);
    let place = Place {
        last_party,
        has_until: field(control, Word::HAS_UNTIL),
        has_region: field(control, Word::HAS_REGION),
        until: until.bits(2..),
        value_mask,
        region_begin: region_begin.bits(2..),
        region_end: region_end.bits(2..),
        party,
    };
    Entry {
        place,
        enable,
        last_party,
        crossed: field(control, Word::CROSSED) & last_party.eq(1),
        has_after: field(control, Word::HAS_AFTER),
        after: field(control, Word::AFTER),
        wait: wait
            .bit(WAIT_BITS - 1)
            .mux(hdl::lit(WAIT_BITS, most), wait.none().mux(hdl::lit(WAIT_BITS, 1), wait)),
        bound,
        skip,
        cleared,
        shown,
    }
}
