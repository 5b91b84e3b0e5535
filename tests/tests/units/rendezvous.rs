//! The breakpoints' rendezvous and its registers against the golden model (docs/machine.md §12).

use border::breakpoint::{PARTIES, Value, Word};
use cosim::Bench;
use cosim::testing::property;
use golden::breakpoint::{At, Events, Heard, Rendezvous};
use proptest::prelude::*;

use crate::simulators::{Simulator, Subject};
use crate::tally::Tally;

/// Harts and entries of the units compared.
const SIZES: [(usize, usize); 8] = [(4, 3), (1, 1), (2, 1), (2, 2), (3, 2), (3, 4), (4, 2), (5, 1)];

/// An access to the window.
#[derive(Clone, Copy, Debug)]
enum Access {
    Read { word: u32 },
    Write { word: u32, data: u32 },
}

/// What a hart does, beside standing where it stood before.
#[derive(Clone, Copy, Debug)]
enum Move {
    Stay,
    Leave,
    Stand(At),
}

/// What can happen in one cycle.
#[derive(Clone, Debug)]
struct Cycle {
    reset: bool,
    access: Option<Access>,
    moves: Vec<Move>,
    ended: u32,
    passed: Vec<u32>,
}

/// Everything that the unit shows.
#[derive(Clone, Debug, PartialEq)]
struct Outputs {
    events: Vec<Events>,
    visiting: Vec<bool>,
    waits: Vec<bool>,
    gone: Vec<bool>,
    armed: Vec<bool>,
    cleared: Option<usize>,
    read: u32,
    places: Vec<Vec<u32>>,
}

/// The model beside the hardware.
struct RendezvousBench {
    harts: usize,
    entries: usize,
    model: Rendezvous,
    standing: Vec<Option<At>>,
    heard: Vec<Heard>,
    read: u32,
    /// What the comparators are shown is compared in this cycle: there is much of it, and it rarely changes.
    looks: bool,
}

impl RendezvousBench {
    fn new((harts, entries): (usize, usize)) -> Self {
        Self {
            harts,
            entries,
            model: Rendezvous::new(harts, entries),
            standing: vec![None; harts],
            heard: vec![Heard::default(); harts],
            read: 0,
            looks: false,
        }
    }

    /// The entries that are compared in this cycle.
    fn looked_at(&self) -> std::ops::Range<usize> {
        0..if self.looks { self.entries } else { 0 }
    }

    /// Where a hart stands: parties that the entry does not have are none.
    fn at(&self, hart: usize) -> Option<At> {
        self.standing[hart].map(|at| {
            let existing = at.parties & ((1 << self.model.table().entry(at.entry).parties()) - 1);
            At { parties: existing.max(1), ..at }
        })
    }

    /// What an entry shows the comparators.
    fn place(&self, entry: usize) -> Vec<u32> {
        let entry = self.model.table().entry(entry);
        let (begin, end) = entry.region().unwrap_or_default();
        let mut place = vec![
            entry.parties() as u32 - 1,
            entry.until().is_some().into(),
            entry.until().unwrap_or_default() >> 2,
            entry.region().is_some().into(),
            begin >> 2,
            end >> 2,
            entry.value_mask(),
        ];
        for party in (0..PARTIES as usize).map(|party| entry.party(party)) {
            place.extend([
                party.location >> 2,
                party.value().number(),
                party.local().number(),
                party.in_region().into(),
                party.local_mask,
                party.local_match,
            ]);
        }
        place
    }
}

impl<D: Simulator> Bench<D> for RendezvousBench {
    type Stimulus = Cycle;
    type Outputs = Outputs;

    fn drive(&mut self, dut: &mut D, cycle: &Cycle) {
        dut.poke("rst", cycle.reset);
        self.looks = matches!(cycle.access, Some(Access::Read { .. }));
        let (write, word, data) = match cycle.access {
            Some(Access::Write { word, data }) => (true, word, data),
            Some(Access::Read { word }) => (false, word, 0x5555_5555),
            None => (true, Word::Control.of(0, 0), 0xffff_ffff),
        };
        dut.poke("device_valid", cycle.access.is_some());
        dut.poke("device_write", write);
        dut.poke("device_address", border::monitor::window(0) + 4 * word);
        dut.poke("device_word", data);
        for hart in 0..self.harts {
            match cycle.moves[hart] {
                Move::Stay => {}
                Move::Leave => self.standing[hart] = None,
                Move::Stand(at) => self.standing[hart] = Some(at),
            }
            let at = self.at(hart);
            let ended = cycle.ended >> hart & 1 != 0;
            self.heard[hart] = Heard { at, ended, passed: cycle.passed[hart] };
            let name = |part: &str| format!("heard_{hart}_{part}");
            // What is not valid is driven too: it must not be looked at.
            let shown = at.unwrap_or(At { entry: 0, parties: 3, value: (1, 0) });
            dut.poke(&name("at_valid"), at.is_some());
            dut.poke(&name("at_entry"), shown.entry as u64);
            dut.poke(&name("at_parties"), shown.parties);
            dut.poke(&name("at_first"), shown.value.0);
            dut.poke(&name("at_second"), shown.value.1);
            dut.poke(&name("ended"), ended);
            dut.poke(&name("passed"), cycle.passed[hart]);
        }
    }

    fn sample(&self, dut: &D) -> Outputs {
        let export = |name: &str, hart: usize| dut.peek(&format!("export_{hart}_{name}")) as u32;
        let told = |name: &str, hart: usize| dut.peek(&format!("told_{hart}_{name}")) != 0;
        let place = |entry: usize| {
            let of = |name: &str| dut.peek(&format!("place_{entry}_{name}")) as u32;
            let (has_until, has_region) = (of("has_until"), of("has_region"));
            // The model shows a pc only if it counts.
            let counts = |has: u32, name: &str| if has != 0 { of(name) } else { 0 };
            let mut place = vec![
                of("last_party"),
                has_until,
                counts(has_until, "until"),
                has_region,
                counts(has_region, "region_begin"),
                counts(has_region, "region_end"),
                of("value_mask"),
            ];
            for party in 0..PARTIES {
                let of = |name: &str| of(&format!("party_{party}_{name}"));
                let value = Value::numbered(of("value")).map_or(0, Value::number);
                let rest = [of("local"), of("in_region"), of("local_mask"), of("local_match")];
                place.extend([of("location"), value]);
                place.extend(rest);
            }
            place
        };
        let harts = || 0..self.harts;
        Outputs {
            events: harts()
                .map(|hart| Events {
                    events: export("events", hart),
                    entry: export("entry", hart) as usize,
                    party: export("party", hart) as usize,
                    value: (export("first", hart), export("second", hart)),
                })
                .collect(),
            visiting: harts().map(|hart| told("visiting", hart)).collect(),
            waits: harts().map(|hart| told("waits", hart)).collect(),
            gone: harts().map(|hart| told("gone", hart)).collect(),
            armed: (0..self.entries).map(|entry| dut.peek("armed") >> entry & 1 != 0).collect(),
            cleared: (0..self.entries).find(|entry| dut.peek("cleared") >> entry & 1 != 0),
            read: dut.peek("device_data") as u32,
            places: self.looked_at().map(place).collect(),
        }
    }

    fn expect(&mut self, cycle: &Cycle, _: &Outputs) -> Outputs {
        let harts = || 0..self.harts;
        let table = self.model.table();
        let mut outputs = Outputs {
            events: Vec::new(),
            visiting: harts().map(|hart| self.model.is_visiting(hart)).collect(),
            waits: harts().map(|hart| self.model.waits(hart)).collect(),
            gone: harts().map(|hart| self.model.has_gone(hart)).collect(),
            armed: (0..self.entries).map(|entry| table.is_armed(entry)).collect(),
            cleared: None,
            read: self.read,
            places: self.looked_at().map(|entry| self.place(entry)).collect(),
        };
        self.read = match cycle.access {
            Some(Access::Read { word }) => table.read(word),
            _ => 0,
        };
        outputs.events = self.model.cycle(&self.heard);
        if let Some(Access::Write { word, data }) = cycle.access {
            outputs.cleared = self.model.write(word, data);
        }
        if cycle.reset {
            self.model = Rendezvous::new(self.harts, self.entries);
            self.read = 0;
        }
        outputs
    }
}

/// Sets an entry up, so that harts meet there often.
fn setup(entry: u32) -> impl Strategy<Value = Vec<Access>> {
    let short = prop_oneof![8 => 1..12u32, 1 => Just(0u32), 1 => (1u32 << 20)..(1 << 21)];
    let select = (0..8u32, 0..4u32, any::<bool>(), prop_oneof![4 => Just(0u32), 1 => 1..3u32]);
    let selects = prop::collection::vec(select, PARTIES as usize);
    let control = (1..4u32, prop::bool::weighted(0.3), prop::bool::weighted(0.3), 0..5u32, 0..9u32);
    (short, prop_oneof![2 => Just(0u32), 1 => 1..4u32], selects, control, any::<[u32; 4]>())
        .prop_map(move |(wait, bound, selects, (last, crossed, until, after, region), pcs)| {
            let mut writes = vec![
                (Word::Control.of(entry, 0), 0),
                (Word::Wait.of(entry, 0), wait),
                (Word::Bound.of(entry, 0), bound),
                (Word::Until.of(entry, 0), pcs[0]),
                (Word::ValueMask.of(entry, 0), pcs[1]),
                (Word::RegionBegin.of(entry, 0), pcs[2]),
                (Word::RegionEnd.of(entry, 0), pcs[3]),
            ];
            for (party, (value, local, in_region, skip)) in (0..).zip(selects) {
                let select = Word::VALUE.holding(value)
                    | Word::LOCAL.holding(local)
                    | Word::IN_REGION.holding(in_region.into())
                    | Word::SKIP.holding(skip);
                writes.push((Word::Select.of(entry, party), select));
                writes.push((Word::Location.of(entry, party), pcs[party as usize]));
                writes.push((Word::LocalMask.of(entry, party), !pcs[party as usize]));
                writes.push((Word::LocalMatch.of(entry, party), pcs[party as usize] << 1));
            }
            let control = Word::ENABLE.mask()
                | Word::LAST_PARTY.holding(last)
                | Word::CROSSED.holding(crossed.into())
                | Word::HAS_UNTIL.holding(until.into())
                | Word::HAS_REGION.holding((region == 0).into())
                // Mostly armed from the beginning.
                | Word::HAS_AFTER.holding((after == 0).into())
                | Word::AFTER.holding(region);
            writes.push((Word::Control.of(entry, 0), control));
            writes.into_iter().map(|(word, data)| Access::Write { word, data }).collect()
        })
}

/// What harts and software do in a cycle.
fn cycle((harts, entries): (usize, usize)) -> impl Strategy<Value = Cycle> {
    let parties = prop_oneof![6 => (0..PARTIES).prop_map(|party| 1u32 << party), 1 => 1..16u32];
    let value = prop_oneof![3 => Just((1, 0)), 1 => (0..3u32, 0..2u32)];
    let at = (0..entries, parties, value).prop_map(|(entry, parties, value)| At {
        entry,
        parties,
        value,
    });
    let step =
        prop_oneof![12 => Just(Move::Stay), 2 => Just(Move::Leave), 6 => at.prop_map(Move::Stand)];
    let moves = prop::collection::vec(step, harts);
    let ended = prop::collection::vec(prop::bool::weighted(0.15), harts);
    let rarely_any = prop_oneof![8 => Just(0u32), 1 => 0..1u32 << entries];
    let passed = prop::collection::vec(rarely_any, harts);
    let word = prop_oneof![1 => 500..520u32, 4 => 512..512 + 32 * entries as u32, 1 => 0..1024u32];
    let entry = 0..entries as u32;
    let access = prop_oneof![
        40 => Just(None),
        8 => word.clone().prop_map(|word| Some(Access::Read { word })),
        2 => (word, any::<u32>()).prop_map(|(word, data)| Some(Access::Write { word, data })),
        2 => (entry, any::<u32>()).prop_map(|(entry, data)| {
            let armed = data & !Word::HAS_AFTER.mask() | Word::ENABLE.mask();
            Some(Access::Write { word: Word::Control.of(entry, 0), data: armed })
        }),
    ];
    (prop::bool::weighted(0.001), access, moves, ended, passed).prop_map(
        |(reset, access, moves, ended, passed)| {
            let ended = ended.iter().rev().fold(0, |set, ended| set << 1 | u32::from(*ended));
            Cycle { reset, access, moves, ended, passed }
        },
    )
}

/// A few entries, then what happens at them; several times.
fn cycles(size: (usize, usize)) -> impl Strategy<Value = Vec<Cycle>> {
    let setups: Vec<_> = (0..size.1 as u32).map(setup).collect();
    let happens = prop::collection::vec(cycle(size), 1..600);
    prop::collection::vec((setups, happens), 1..4).prop_map(move |rounds| {
        let quiet = |access| Cycle {
            reset: false,
            access: Some(access),
            moves: vec![Move::Stay; size.0],
            ended: 0,
            passed: vec![0; size.0],
        };
        let mut all = Vec::new();
        for (setups, happens) in rounds {
            all.extend(setups.into_iter().flatten().map(quiet));
            all.extend(happens);
        }
        all
    })
}

#[test]
fn every_size_agrees_with_the_model() {
    let mut tally = Tally::of("rendezvous");
    for size in SIZES {
        let (harts, entries) = size;
        let unit = Subject::of(units::breakpoint::Rendezvous { harts, entries });
        let cycles = property(220, cycles(size), |cycles| {
            unit.check_case(|| RendezvousBench::new(size), cycles)
        });
        tally.add(unit.top(), cycles);
    }
    tally.finish();
}
