//! One hart's colors, without a machine around them.

use super::*;
use crate::{ColorId, Mode};
use border::color::{Commit, LEAST_LENGTH, MOST_ABORTS, USUAL_LENGTH, Word};

const RAM_LAST: u32 = 0x80ff_ffff;
const RED: ColorId = ColorId(5);
const BLUE: ColorId = ColorId(9);
const PC: u32 = 0x8000_0100;

fn color() -> config::Color {
    config::Color { items: 4, epoch: 20, signature_bits: 16, ..config::Config::default().color }
}

fn hart(control: u32) -> HartColors {
    let mut hart = HartColors::new(&color(), RAM_LAST);
    hart.write(Word::ColorControl, Word::TRACK.mask() | control);
    hart.write(Word::ColorRangeLow, PC);
    hart.write(Word::ColorRangeHigh, PC + 0x100);
    hart
}

/// So many instructions retire.
fn retire(hart: &mut HartColors, instructions: u32) {
    (0..instructions).for_each(|_| hart.retires());
}

/// A local access, then a remote one, then a local one, in epochs of their own.
fn interleaving(hart: &mut HartColors, first: bool, remote: bool, second: bool) {
    hart.accesses(PC, RED, first);
    retire(hart, 20);
    hart.hears(RED, remote);
    retire(hart, 20);
    hart.accesses(PC + 4, RED, second);
}

#[test]
fn each_interleaving_of_table_1_is_detected_and_no_other() {
    // ColorSafe Table 1: local, remote, local; true is a write.
    let cases = [
        ((false, true, false), Some("rwr")),
        ((false, true, true), Some("rww")),
        ((true, true, false), Some("wwr")),
        ((true, false, true), Some("wrw")),
        ((true, true, true), Some("www")),
        ((false, false, false), None),
        ((false, false, true), None),
        ((true, false, false), None),
    ];
    for ((first, remote, second), case) in cases {
        let mut hart = hart(Word::DEBUG.mask());
        interleaving(&mut hart, first, remote, second);
        let found: Vec<_> = hart
            .detections()
            .iter()
            .map(|found| (found.pc, found.color, format!("{:?}", found.cases)))
            .collect();
        assert_eq!(hart.read(Word::Detections), found.len() as u32);
        let Some(case) = case else {
            assert_eq!(found, []);
            continue;
        };
        assert_eq!(found.len(), 1, "{case}");
        assert_eq!((found[0].0, found[0].1), (PC + 4, RED));
        assert_eq!(found[0].2.matches("true").count(), 1, "{case}: {}", found[0].2);
        assert!(found[0].2.contains(&format!("{case}: true")), "{case}: {}", found[0].2);
    }
}

#[test]
fn another_color_and_an_expired_epoch_are_no_detection() {
    let mut other = hart(Word::DEBUG.mask());
    other.accesses(PC, RED, false);
    other.hears(BLUE, true);
    other.accesses(PC, RED, false);
    assert_eq!(other.detections(), []);
    let mut late = hart(Word::DEBUG.mask());
    late.accesses(PC, RED, false);
    late.hears(RED, true);
    retire(&mut late, 4 * 20);
    late.accesses(PC, RED, false);
    assert_eq!(late.detections(), [], "four items have passed");
    let mut few = hart(Word::DEBUG.mask());
    few.write(Word::HistoryItems, 2);
    interleaving(&mut few, false, true, false);
    assert_eq!(few.detections(), [], "the first is the third item from the end");
}

#[test]
fn repeated_detections_are_counted_and_reported_once_until_the_filter_is_cleared() {
    let mut hart = hart(Word::DEBUG.mask());
    interleaving(&mut hart, false, true, false);
    for _ in 0..3 {
        hart.accesses(PC + 4, RED, false);
    }
    hart.accesses(PC + 4, RED, true);
    hart.write(Word::ColorCommand, Word::CLEAR_FILTER.mask());
    hart.accesses(PC + 4, RED, true);
    let reported: Vec<_> = hart.detections().iter().map(|found| found.reported).collect();
    assert_eq!(reported, [true, false, false, false, true, true]);
    assert_eq!(hart.read(Word::Detections), 6);
}

#[test]
fn deployment_adds_colors_that_could_go_wrong_at_the_end_of_an_epoch() {
    let mut hart = hart(Word::SEARCH.mask());
    // The remote write comes before both reads: nothing went wrong yet.
    hart.hears(RED, true);
    hart.accesses(PC, RED, false);
    retire(&mut hart, 20);
    hart.accesses(PC, RED, false);
    retire(&mut hart, 19);
    assert!(!hart.is_hazard(RED));
    retire(&mut hart, 1);
    assert!(hart.is_hazard(RED) && !hart.is_hazard(BLUE));
    hart.write(Word::HazardColor, RED.0);
    assert_eq!(hart.read(Word::HazardColor), RED.0 | Word::MEMBER.mask());
    hart.write(Word::ColorCommand, Word::CLEAR_SET.mask());
    assert_eq!(hart.read(Word::HazardColor), RED.0);
    hart.write(Word::HazardColor, BLUE.0 | Word::MEMBER.mask());
    assert!(hart.is_hazard(BLUE) && !hart.is_hazard(RED));
}

#[test]
fn what_is_too_small_or_too_large_counts_as_the_next_that_is_not() {
    let mut hart = hart(0);
    let color = color();
    let sizes = |hart: &HartColors| {
        let registers = hart.registers();
        (registers.epoch(&color), registers.items(&color), registers.length())
    };
    assert_eq!(sizes(&hart), (20, 4, USUAL_LENGTH));
    let words = [Word::EpochLength, Word::HistoryItems, Word::TransactionLength];
    words.iter().for_each(|word| hart.write(*word, 1));
    assert_eq!(sizes(&hart), (18, 1, LEAST_LENGTH));
    words.iter().for_each(|word| hart.write(*word, u32::MAX));
    assert_eq!(sizes(&hart), (0xffff, 4, 0xffff));
    assert_eq!(words.map(|word| hart.read(word)), [0xffff, 0x7f, 0xffff]);
}

#[test]
fn only_user_code_in_the_range_is_tracked_and_only_while_tracking_is_on() {
    let mut hart = hart(0);
    let covers = |hart: &HartColors, mode, pc| hart.registers().covers(mode, pc);
    assert!(covers(&hart, Mode::User, PC) && covers(&hart, Mode::User, PC + 0xfc));
    assert!(!covers(&hart, Mode::User, PC + 0x100) && !covers(&hart, Mode::User, PC - 4));
    assert!(!covers(&hart, Mode::Machine, PC));
    hart.write(Word::ColorControl, Word::AVOID.mask());
    assert!(!covers(&hart, Mode::User, PC));
    retire(&mut hart, 5);
    assert_eq!(hart.read(Word::UserInstructions), 0);
}

#[test]
fn attempts_halve_and_after_the_last_the_hart_gives_up_and_cools() {
    // The number of attempts, for several lengths: none below 16 instructions, and never more than eight.
    for (length, attempts) in
        [(16, 1), (31, 1), (32, 2), (3000, 8), (2048, 8), (2047, 7), (60_000, 8)]
    {
        let mut hart = hart(Word::AVOID.mask());
        hart.write(Word::TransactionLength, length);
        for attempt in 0..attempts {
            assert!(hart.attempts().may_begin());
            hart.begin(PC);
            let members = length >> attempt;
            for member in 1..members {
                assert!(!hart.attempts_mut().retire(), "{member} of {members}");
            }
            assert!(hart.attempts_mut().retire());
            hart.abort();
            assert_eq!(hart.attempts().resumes(PC), attempt + 1 < attempts, "{length}");
        }
        assert_eq!(hart.counters().give_ups, 1);
        assert_eq!((hart.counters().starts, hart.counters().aborts), (attempts, attempts));
        retire(&mut hart, length - 1);
        assert!(!hart.attempts().may_begin(), "{length}");
        retire(&mut hart, 1);
        assert!(hart.attempts().may_begin(), "{length}");
    }
    assert_eq!(MOST_ABORTS, 8);
}

#[test]
fn a_commit_forgets_the_aborts_before_it() {
    let mut hart = hart(Word::AVOID.mask());
    hart.write(Word::TransactionLength, 64);
    hart.begin(PC);
    hart.abort();
    hart.begin(PC);
    hart.attempts_mut().retire();
    hart.commit(Commit::Trap);
    hart.begin(PC);
    assert!((1..64).all(|_| !hart.attempts_mut().retire()) && hart.attempts_mut().retire());
    hart.commit(Commit::Length);
    let counted =
        [Word::CommitsTrap, Word::CommitsLength, Word::CommittedInstructions, Word::Aborts];
    assert_eq!(counted.map(|word| hart.read(word)), [1, 1, 65, 1]);
    hart.write(Word::ColorCommand, Word::CLEAR_COUNTERS.mask());
    assert_eq!(counted.map(|word| hart.read(word)), [0; 4]);
}
