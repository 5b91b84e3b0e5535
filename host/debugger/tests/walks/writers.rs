//! Last writers at any moment, byte by byte.

use crate::common::recording;
use border::map::RAM;
use debugger::{Mark, Timeline};
use kit::random::Dice;
use std::collections::BTreeMap;

#[test]
fn last_writers_are_exact_at_every_moment() {
    let recording = recording(11);
    let tape = recording.tape.clone();
    let mut random = Dice::new(6);
    let mut timeline = Timeline::new(tape.clone());
    for _ in 0..8 {
        let mark = Mark(random.below(tape.last().0 + 1));
        // Of each byte: the instruction, if it is the program's.
        let mut naive: BTreeMap<u32, Option<u32>> = BTreeMap::new();
        for (_, commit) in tape.between(tape.first(), mark) {
            for lane in (0..4).filter(|lane| commit.written() >> lane & 1 != 0) {
                naive.insert(commit.address + lane, commit.is_user().then_some(commit.pc));
            }
        }
        timeline.seek(mark);
        let now = timeline.now();
        let ram = now.memory().range();
        let found = recording.writers(&(ram.start as u32..ram.end as u32), mark);
        let by_program = naive.iter().filter_map(|(address, pc)| Some((*address, (*pc)?)));
        let expected: BTreeMap<u32, u32> =
            by_program.filter(|(address, _)| ram.contains(&u64::from(*address))).collect();
        let pcs = found.iter().map(|(address, written)| {
            let access = written.access.expect("a short run is in the log");
            (*address, access.pc)
        });
        assert_eq!(pcs.collect::<BTreeMap<_, _>>(), expected, "{mark:?}");
        assert!(found.values().all(|written| written.at < recording.next_event(mark)));
    }
}

#[test]
fn the_end_of_the_log_and_the_end_of_the_tape_agree() {
    let recording = recording(12);
    let (end, _) = recording.end();
    let mut timeline = Timeline::new(recording.tape.clone());
    timeline.seek(end);
    let log = &recording.log;
    for (address, written) in recording.writers(&(RAM.base..RAM.base + (1 << 24)), end) {
        let known = log.memory.writer(address).expect("the log knows it too");
        assert_eq!((known.at, known.place), (written.at, written.place), "{address:#x}");
    }
}
