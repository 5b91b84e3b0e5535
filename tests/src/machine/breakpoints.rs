//! Random tables of breakpoints, and what happens at them.

use border::Program;
use border::breakpoint::{Event, PARTIES, Word};
use cosim::machine::{Observed, Options};
use std::sync::{Arc, Mutex};

use kit::Dice;

/// How often each event happened, in the order of [`Event::ALL`].
pub type Tally = [u64; Event::ALL.len()];

/// Random entries at instructions of a program of so many harts, as writes to their registers.
pub fn table(dice: &mut Dice, entries: u32, harts: u32, program: &Program) -> Vec<(u32, u32)> {
    let instructions = (program.text.end - program.text.start) / 4;
    let mut writes = Vec::new();
    for entry in 0..entries {
        let mut pc = || program.text.start + 4 * dice.below(instructions);
        let pcs: Vec<u32> = (0..PARTIES + 3).map(|_| pc()).collect();
        let value = dice.one_of(&[0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5]);
        let most = harts.clamp(2, PARTIES) - 1;
        let last_party = dice.one_of(&[most, most, most, 1, 2, 3]);
        let mut write = |word: Word, party: u32, value: u32| {
            writes.push((word.address(entry, party), value));
        };
        write(Word::Wait, 0, dice.one_of(&[0, 1, 100, 2000, 4000, 4000, 4000, 4000]));
        write(Word::Bound, 0, dice.one_of(&[0, 0, 0, 1, 3]));
        write(Word::ValueMask, 0, dice.one_of(&[u32::MAX, u32::MAX, 4, 0x80, 0, 0]));
        write(Word::Until, 0, pcs[4]);
        write(Word::RegionBegin, 0, pcs[5]);
        write(Word::RegionEnd, 0, pcs[6]);
        for party in 0..PARTIES {
            // Some parties share a location: harts that execute the same code meet there.
            let from = if dice.below(2) == 0 { 0 } else { party as usize };
            let select = Word::VALUE.holding(dice.one_of(&[value, value, value, value, value, 3]))
                | Word::LOCAL.holding(dice.one_of(&[0, 0, 0, 0, 0, 0, 0, 1, 2, 3]))
                | Word::IN_REGION.holding(u32::from(dice.below(8) == 0))
                | Word::SKIP.holding(dice.one_of(&[0, 0, 0, 0, 1, 2]));
            write(Word::Location, party, pcs[from]);
            write(Word::Select, party, select);
            write(Word::LocalMask, party, dice.one_of(&[0, 1, 1, 8]));
            write(Word::LocalMatch, party, dice.one_of(&[0, 0, 9]));
        }
        let rarely = |dice: &mut Dice, one_in: u32| u32::from(dice.below(one_in) == 0);
        let control = Word::ENABLE.mask()
            | Word::LAST_PARTY.holding(last_party)
            | Word::CROSSED.holding(rarely(dice, 5))
            | Word::HAS_UNTIL.holding(rarely(dice, 3))
            | Word::HAS_REGION.holding(rarely(dice, 4))
            | Word::HAS_AFTER.holding(rarely(dice, 8))
            | Word::AFTER.holding(dice.below(entries + 1));
        writes.push((Word::Control.address(entry, 0), control));
    }
    writes
}

/// Counts the events of a run.
#[derive(Clone, Debug, Default)]
pub struct Counter(Arc<Mutex<Tally>>);

impl Counter {
    /// These options, and the events counted.
    pub fn on(&self, options: Options) -> Options {
        let tally = self.0.clone();
        let count = move |_, observed: &Observed<'_>| {
            for hart in 0..observed.harts() {
                let events = observed.breakpoint(hart).events;
                if events != 0 {
                    let mut tally = tally.lock().expect("no panic");
                    for event in Event::ALL {
                        tally[event as usize] += u64::from(events & event.bit() != 0);
                    }
                }
            }
        };
        Options { observer: Some(Box::new(count)), ..options }
    }

    /// How often each happened, in all runs.
    pub fn tally(&self) -> Tally {
        *self.0.lock().expect("no panic")
    }
}
