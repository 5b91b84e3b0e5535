//! Who meets whom, cycle by cycle.

use super::*;
use border::breakpoint::{Event, Value, Word};

const HARTS: usize = 5;
const T: u32 = 10;

/// An entry with these parties and that much beside `enable` in its `control`.
fn entry(rendezvous: &mut Rendezvous, index: u32, parties: u32, control: u32) {
    rendezvous.write(Word::Wait.of(index, 0), T);
    let control = control | Word::ENABLE.mask() | Word::LAST_PARTY.holding(parties - 1);
    rendezvous.write(Word::Control.of(index, 0), control);
}

fn unit(parties: u32, control: u32) -> Rendezvous {
    let mut rendezvous = Rendezvous::new(HARTS, 2);
    entry(&mut rendezvous, 0, parties, control);
    rendezvous
}

fn at(party: u32, value: u32) -> At {
    At { entry: 0, parties: 1 << party, value: (value, 0) }
}

/// The harts of a test: where each stands, until it goes.
struct Harts {
    rendezvous: Rendezvous,
    standing: [Option<At>; HARTS],
    ended: [bool; HARTS],
    passed: [u32; HARTS],
}

impl Harts {
    fn of(mut rendezvous: Rendezvous) -> Self {
        // Nobody arrives in the cycle of a write of `control`.
        rendezvous.cycle(&[Heard::default(); HARTS]);
        Self { rendezvous, standing: [None; HARTS], ended: [false; HARTS], passed: [0; HARTS] }
    }

    fn stand(&mut self, hart: usize, at: At) -> &mut Self {
        self.standing[hart] = Some(at);
        self
    }

    /// One cycle. The events, as letters after the hart's number; a hart that goes has left.
    fn cycle(&mut self) -> String {
        let heard: Vec<_> = (0..HARTS)
            .map(|hart| Heard {
                at: self.standing[hart],
                ended: std::mem::take(&mut self.ended[hart]),
                passed: std::mem::take(&mut self.passed[hart]),
            })
            .collect();
        let events = self.rendezvous.cycle(&heard);
        let letters = [
            (Event::Arrive, 'a'),
            (Event::Hit, 'h'),
            (Event::Go, 'g'),
            (Event::Timeout, 't'),
            (Event::Pause, 'p'),
        ];
        let mut shown = String::new();
        for (hart, events) in events.iter().enumerate().filter(|(_, events)| events.events != 0) {
            let of_hart = letters.iter().filter(|(event, _)| events.events & event.bit() != 0);
            shown += &format!("{hart}{} ", of_hart.map(|(_, letter)| letter).collect::<String>());
            if events.events & (Event::Go.bit() | Event::Timeout.bit()) != 0 {
                self.standing[hart] = None;
            }
        }
        shown.trim_end().to_owned()
    }

    /// So many cycles in which nothing happens, and what comes then.
    fn after(&mut self, quiet: u32) -> String {
        for cycle in 0..quiet {
            assert_eq!(self.cycle(), "", "in cycle {cycle}");
        }
        self.cycle()
    }

    fn end(&mut self, hart: usize) -> String {
        self.ended[hart] = true;
        self.cycle()
    }
}

#[test]
fn two_parties_meet_and_go_in_order() {
    for first_to_come in [0, 1] {
        let mut harts = Harts::of(unit(2, 0));
        harts.stand(3, at(first_to_come, 7));
        assert_eq!(harts.cycle(), "3a");
        assert_eq!(harts.after(3), "");
        harts.stand(1, at(1 - first_to_come, 7));
        let (first, second) = if first_to_come == 0 { (3, 1) } else { (1, 3) };
        let expected = if first_to_come == 0 { "1ah 3hg" } else { "1ahg 3h" };
        assert_eq!(harts.cycle(), expected);
        assert!(harts.rendezvous.waits(second) && !harts.rendezvous.waits(first));
        assert_eq!(harts.after(T - 2), "", "the second waits for the first");
        assert_eq!(harts.end(first), format!("{second}g"));
        assert_eq!(harts.rendezvous.table().entry(0).hits(), 1);
    }
}

#[test]
fn the_second_goes_when_its_time_is_over() {
    let mut harts = Harts::of(unit(2, 0));
    harts.stand(0, at(0, 7)).stand(1, at(1, 7));
    assert_eq!(harts.cycle(), "0a");
    assert_eq!(harts.cycle(), "0hg 1ah");
    assert_eq!(harts.after(T - 1), "1g");
}

#[test]
fn a_partner_that_never_comes_costs_the_longest_wait() {
    let mut harts = Harts::of(unit(2, 0));
    harts.stand(0, at(0, 7));
    assert_eq!(harts.cycle(), "0a");
    assert_eq!(harts.after(T - 1), "0t");
    assert_eq!(harts.rendezvous.table().entry(0).timeouts(), 1);
    assert_eq!(harts.after(5), "", "it went, and its visit is not over");
    harts.stand(0, at(0, 7));
    assert_eq!(harts.after(5), "");
    assert_eq!(harts.end(0), "");
    assert_eq!(harts.cycle(), "0a");
}

#[test]
fn a_hart_that_is_met_in_its_last_cycle_takes_part() {
    let mut harts = Harts::of(unit(2, 0));
    harts.stand(0, at(0, 7));
    assert_eq!(harts.cycle(), "0a");
    assert_eq!(harts.after(T - 2), "");
    harts.stand(1, at(1, 7));
    assert_eq!(harts.cycle(), "0hg 1ah");
}

#[test]
fn only_agreeing_values_meet() {
    let mut harts = Harts::of(unit(2, 0));
    harts.stand(0, at(0, 7)).stand(1, at(0, 8)).stand(2, at(1, 8));
    assert_eq!([harts.cycle(), harts.cycle(), harts.cycle()], ["0a", "1a", "1hg 2ah"]);

    let crossed = |party: u32, value| At { entry: 0, parties: 1 << party, value };
    let mut harts = Harts::of(unit(2, Word::CROSSED.mask()));
    harts.stand(0, crossed(0, (7, 8))).stand(1, crossed(1, (7, 8))).stand(2, crossed(1, (8, 7)));
    assert_eq!([harts.cycle(), harts.cycle(), harts.cycle()], ["0a", "1a", "0hg 2ah"]);
}

#[test]
fn of_several_partners_the_lowest_is_met() {
    let mut harts = Harts::of(unit(2, 0));
    harts.stand(4, at(0, 7));
    assert_eq!(harts.cycle(), "4a");
    harts.stand(2, at(0, 7));
    assert_eq!(harts.cycle(), "2a");
    harts.stand(3, at(1, 7));
    assert_eq!(harts.cycle(), "2hg 3ah");
}

#[test]
fn three_and_four_parties_go_one_after_the_other() {
    for parties in [3, 4] {
        let mut harts = Harts::of(unit(parties, 0));
        for party in (0..parties).rev() {
            // Party p is hart 4 - p.
            harts.stand(4 - party as usize, at(party, 7));
        }
        for _ in 1..parties {
            assert_eq!(harts.cycle().len(), 2, "nobody goes yet");
        }
        assert!(harts.cycle().contains("4ahg"));
        for party in 1..parties as usize {
            assert_eq!(harts.after(T - 2), "");
            assert_eq!(harts.end(5 - party), format!("{}g", 4 - party));
        }
    }
}

#[test]
fn each_in_turn_waits_at_most_the_longest_wait_after_the_one_before_it() {
    let mut harts = Harts::of(unit(3, 0));
    harts.stand(0, at(0, 7)).stand(1, at(1, 7)).stand(2, at(2, 7));
    assert_eq!([harts.cycle(), harts.cycle(), harts.cycle()], ["0a", "1a", "0hg 1h 2ah"]);
    assert_eq!(harts.after(T - 1), "1g");
    assert_eq!(harts.after(T - 1), "2g");
}

#[test]
fn one_place_for_all_parties_is_taken_in_the_order_of_arrival() {
    let mut harts = Harts::of(unit(2, 0));
    let place = |value| At { entry: 0, parties: 0b11, value: (value, 0) };
    harts.stand(3, place(7));
    assert_eq!(harts.cycle(), "3a");
    harts.stand(1, place(8));
    assert_eq!(harts.cycle(), "1a");
    harts.stand(0, place(7));
    assert_eq!(harts.cycle(), "0ah 3hg");
}

#[test]
fn until_is_what_the_second_waits_for() {
    let mut harts = Harts::of(unit(2, Word::HAS_UNTIL.mask()));
    harts.stand(0, at(0, 7)).stand(1, at(1, 7));
    assert_eq!([harts.cycle(), harts.cycle()], ["0a", "0hg 1ah"]);
    assert_eq!(harts.end(0), "");
    harts.passed[2] = 1;
    assert_eq!(harts.cycle(), "", "another hart");
    harts.passed[0] = 2;
    assert_eq!(harts.cycle(), "", "another entry");
    harts.passed[0] = 1;
    assert_eq!(harts.cycle(), "1g");
}

#[test]
fn skips_are_counted_once_a_visit() {
    let mut rendezvous = Rendezvous::new(HARTS, 2);
    rendezvous.write(Word::Select.of(0, 1), Word::SKIP.holding(2));
    entry(&mut rendezvous, 0, 2, 0);
    let mut harts = Harts::of(rendezvous);
    for _ in 0..2 {
        harts.stand(1, at(1, 7));
        assert_eq!(harts.cycle(), "1ag");
        harts.stand(1, at(1, 7));
        assert_eq!(harts.after(3), "", "the same visit");
        harts.standing[1] = None;
        assert_eq!(harts.end(1), "");
    }
    harts.stand(1, at(1, 7));
    assert_eq!(harts.cycle(), "1a");
}

#[test]
fn past_its_bound_an_entry_keeps_nobody() {
    let mut rendezvous = Rendezvous::new(HARTS, 2);
    rendezvous.write(Word::Bound.of(0, 0), 1);
    entry(&mut rendezvous, 0, 2, 0);
    let mut harts = Harts::of(rendezvous);
    harts.stand(4, at(0, 8)).stand(0, at(0, 7)).stand(1, at(1, 7));
    assert_eq!([harts.cycle(), harts.cycle()], ["0a", "0hg 1ah"]);
    assert!(!harts.rendezvous.table().is_armed(0));
    assert!(harts.rendezvous.waits(1), "its turn comes all the same");
    // Hart 4 was postponed in the cycle of the hit or before.
    let mut rendezvous = Rendezvous::new(HARTS, 2);
    rendezvous.write(Word::Bound.of(0, 0), 1);
    entry(&mut rendezvous, 0, 2, 0);
    let mut harts = Harts::of(rendezvous);
    harts.stand(4, at(0, 8));
    assert_eq!(harts.cycle(), "4a");
    harts.stand(0, at(0, 7)).stand(1, at(1, 7));
    assert_eq!([harts.cycle(), harts.cycle()], ["0a", "0hg 1ah"]);
    assert!(harts.rendezvous.waits(4));
    assert_eq!(harts.cycle(), "");
    assert!(!harts.rendezvous.waits(4));
}

#[test]
fn an_entry_after_another_is_armed_by_its_hit() {
    let mut rendezvous = unit(2, Word::HAS_AFTER.mask() | Word::AFTER.holding(1));
    entry(&mut rendezvous, 1, 2, 0);
    assert!(!rendezvous.table().is_armed(0));
    let mut harts = Harts::of(rendezvous);
    let other = |party: u32| At { entry: 1, ..at(party, 7) };
    harts.stand(0, other(0)).stand(1, other(1));
    assert_eq!([harts.cycle(), harts.cycle()], ["0a", "0hg 1ah"]);
    assert!(harts.rendezvous.table().is_armed(0));
    let missing = unit(2, Word::HAS_AFTER.mask() | Word::AFTER.holding(9));
    assert!(!missing.table().is_armed(0), "an entry that does not exist has no hits");
}

#[test]
fn an_interrupt_stops_the_time_and_nothing_is_met_meanwhile() {
    let mut harts = Harts::of(unit(2, 0));
    harts.stand(0, at(0, 7));
    assert_eq!(harts.cycle(), "0a");
    assert_eq!(harts.after(3), "");
    harts.standing[0] = None;
    assert_eq!(harts.cycle(), "0p");
    harts.stand(1, at(1, 7));
    assert_eq!(harts.cycle(), "1a", "nobody is there");
    harts.standing[1] = None;
    assert_eq!(harts.cycle(), "1p");
    assert_eq!(harts.after(3 * T), "");
    harts.stand(0, at(0, 7));
    assert_eq!(harts.cycle(), "0a");
    assert_eq!(harts.after(T - 4 - 1), "0t", "the rest of its time");
    harts.stand(1, at(1, 7));
    assert_eq!(harts.cycle(), "1a");
}

#[test]
fn who_waits_for_a_turn_keeps_it_through_interrupts() {
    let mut harts = Harts::of(unit(2, 0));
    harts.stand(0, at(0, 7)).stand(1, at(1, 7));
    assert_eq!([harts.cycle(), harts.cycle()], ["0a", "0hg 1ah"]);
    harts.standing[1] = None;
    assert_eq!(harts.after(3), "");
    assert_eq!(harts.end(0), "1g");
}

#[test]
fn a_visit_that_is_given_up_lets_the_next_go() {
    let mut harts = Harts::of(unit(3, 0));
    harts.stand(0, at(0, 7)).stand(1, at(1, 7)).stand(2, at(2, 7));
    assert_eq!([harts.cycle(), harts.cycle(), harts.cycle()], ["0a", "1a", "0hg 1h 2ah"]);
    harts.standing[1] = None;
    assert_eq!(harts.end(1), "2g");
}

#[test]
fn writing_control_lets_everybody_go_and_begins_anew() {
    let mut harts = Harts::of(unit(2, 0));
    harts.stand(0, at(0, 7)).stand(1, at(1, 7)).stand(2, at(0, 8));
    assert_eq!([harts.cycle(), harts.cycle(), harts.cycle()], ["0a", "0hg 1ah", "2a"]);
    let control = harts.rendezvous.table().read(Word::Control.of(0, 0));
    harts.rendezvous.write(Word::Bound.of(0, 0), 5);
    assert_eq!(
        harts.rendezvous.table().read(Word::Bound.of(0, 0)),
        0,
        "an entry in use stays as it is"
    );
    harts.rendezvous.write(Word::Control.of(0, 0), control);
    assert!(!harts.rendezvous.waits(1) && !harts.rendezvous.waits(2));
    assert_eq!(harts.rendezvous.table().entry(0).hits(), 0);
}

#[test]
fn instructions_match_by_pc_local_predicate_and_region() {
    let mut table = Table::new(2);
    let (location, lock) = (0x8000_0100, 0x8001_0040);
    let select = Word::VALUE.holding(Value::AddressLine.number()) | Word::IN_REGION.mask();
    let local = Word::LOCAL.holding(border::breakpoint::Local::Second.number());
    for (word, party, data) in [
        (Word::Location, 0, location),
        (Word::Select, 0, select | local),
        (Word::LocalMask, 0, 0xff),
        (Word::LocalMatch, 0, 0x1_0042),
        (Word::Location, 1, location + 4),
        (Word::Select, 1, Word::VALUE.holding(Value::Both.number())),
        (Word::RegionBegin, 0, lock),
        (Word::ValueMask, 0, u32::MAX - 0xf000_0000),
        (
            Word::Control,
            0,
            Word::ENABLE.mask() | Word::LAST_PARTY.holding(1) | Word::HAS_REGION.mask(),
        ),
    ] {
        table.write(word.of(1, party), data);
    }
    let next = Next { pc: location, first: 1, second: 0x42, address: 0x8000_1238 };
    let stands = At { entry: 1, parties: 1, value: (0x1220, 0) };
    assert_eq!(next.at(&table, 0b10, 32), Some(stands));
    assert_eq!(next.at(&table, 0b01, 32), None, "outside the region");
    assert_eq!(Next { second: 0x43, ..next }.at(&table, 0b10, 32), None);
    assert_eq!(Next { pc: location + 8, ..next }.at(&table, 0b10, 32), None);
    let other = Next { pc: location + 4, ..next }.at(&table, 0, 32);
    assert_eq!(other, Some(At { entry: 1, parties: 2, value: (1, 0x42) }));
}
