//! Moments against the machine, and against each other.

use crate::common::{machine, recording};
use border::Target;
use debugger::{Mark, Moment, Pages, Start, Tape, Timeline};
use kit::random::Dice;
use std::sync::Arc;

/// The place after so many instructions, and after what the host did then.
fn after(tape: &Tape, instructions: u64) -> Mark {
    let mut count = 0;
    for (mark, commit) in tape.between(tape.first(), tape.last()) {
        if !commit.is_by_host() {
            if count == instructions {
                return mark;
            }
            count += 1;
        }
    }
    tape.last()
}

#[test]
fn a_moment_is_that_of_the_golden_machine() {
    const SEED: u64 = 3;
    let recording = recording(SEED);
    let mut timeline = Timeline::new(recording.tape.clone());
    let mut random = Dice::new(1);
    let all = recording.tape.last().0;
    for _ in 0..12 {
        let instructions = random.below(all);
        let mut machine = machine(SEED, instructions);
        timeline.seek(after(&recording.tape, machine.instructions()));
        let now = timeline.now();
        for (number, state) in now.harts().iter().enumerate() {
            let hart = machine.hart(number);
            let registers = (&state.registers.x, state.registers.pc, state.user);
            let user = hart.csrs().mode == golden::Mode::User;
            assert_eq!(
                registers,
                (hart.registers(), hart.pc(), user),
                "hart {number} at {instructions}"
            );
        }
        let ram = now.memory().range();
        let mut expected = vec![0; (ram.end - ram.start) as usize];
        Target::read(&mut machine, ram.start as u32, &mut expected).unwrap();
        let mut found = vec![0; expected.len()];
        assert_eq!(now.memory().read(ram.start as u32, &mut found), found.len());
        let differ = found.iter().zip(&expected).position(|(found, expected)| found != expected);
        assert_eq!(differ, None, "memory at {instructions}");
    }
}

/// The moment at a place, by going there from the start.
pub fn plainly(tape: &Tape, mark: Mark) -> Moment {
    let mut moment = tape.start().clone();
    tape.between(tape.first(), mark).for_each(|(_, commit)| moment.apply(commit));
    moment
}

#[test]
fn a_place_has_the_same_moment_from_wherever_one_comes() {
    let tape = recording(5).tape;
    let mut random = Dice::new(2);
    for distance in [1 << 15, 1000, 37] {
        let mut timeline = Timeline::with_distance(tape.clone(), distance);
        for _ in 0..30 {
            let mark = Mark(random.below(tape.last().0 + 1));
            timeline.seek(mark);
            assert_eq!(timeline.mark(), mark);
            assert_eq!(timeline.now().hash(), plainly(&tape, mark).hash(), "{mark:?}, {distance}");
        }
        timeline.seek(Mark(u64::MAX));
        assert_eq!(timeline.mark(), tape.last());
    }
}

#[test]
fn stepping_so_far_and_back_gives_the_same_state() {
    let tape = recording(7).tape;
    let mut timeline = Timeline::new(tape.clone());
    let mut random = Dice::new(3);
    let mut known = Vec::new();
    for _ in 0..100 {
        let from = timeline.mark();
        known.push((from, timeline.now().hash()));
        let n = random.below(3000);
        timeline.seek(tape.nearest(Mark(from.0 + n)));
        let walked = timeline.mark().0 - from.0;
        timeline.seek(Mark(timeline.mark().0 - walked));
        assert_eq!(timeline.now().hash(), known.last().unwrap().1, "{n} from {from:?} and back");
        timeline.seek(Mark(random.below(tape.last().0)));
    }
    for (mark, hash) in known.into_iter().rev() {
        timeline.seek(mark);
        assert_eq!(timeline.now().hash(), hash, "{mark:?}, much later");
    }
}

#[test]
fn a_tape_that_forgets_its_beginning_has_the_same_moments() {
    let whole = recording(9).tape;
    let ram = whole.start().memory().range();
    let mut memory = Pages::new(ram.clone());
    let mut bytes = vec![0; (ram.end - ram.start) as usize];
    whole.start().memory().read(ram.start as u32, &mut bytes);
    memory.write(ram.start as u32, &bytes);
    let harts = whole.start().harts();
    let start = Start { harts: harts.len(), pc: harts[0].registers.pc, memory };
    let mut short = Tape::bounded(start, 5000);
    for (_, commit) in whole.between(whole.first(), whole.last()) {
        short.push(*commit);
    }
    assert!(short.first().0 > 0 && short.last() == whole.last());
    let (mut of_short, mut of_whole) =
        (Timeline::new(Arc::new(short.clone())), Timeline::new(whole.clone()));
    for mark in [0, short.first().0, short.first().0 + 777, short.last().0] {
        of_short.seek(Mark(mark));
        of_whole.seek(of_short.mark());
        assert_eq!(of_short.now().hash(), of_whole.now().hash(), "{mark}");
    }
}
