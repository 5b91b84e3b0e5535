//! Steps, breakpoints and watchpoints against a scan of the tape.

use crate::common::recording;
use debugger::{Commit, Forward, Mark, Stopped, Tape, View, Walk, Watch, WatchKind, Why};
use kit::random::Dice;

/// Where the instructions are that a view shows of a hart, in the plainest way.
pub fn shown(tape: &Tape, view: View, hart: usize) -> Vec<Mark> {
    let mut been_in_user = false;
    let mut marks = Vec::new();
    for (mark, commit) in tape.between(tape.first(), tape.last()) {
        if usize::from(commit.hart) != hart || commit.is_by_host() {
            continue;
        }
        been_in_user |= commit.is_user();
        if view == View::Machine || commit.is_user() || !been_in_user {
            marks.push(mark);
        }
    }
    marks
}

#[test]
fn n_steps_of_a_hart_and_n_back_give_the_same_state() {
    let tape = recording(4).tape;
    let mut random = Dice::new(4);
    let mut walked = 0;
    for view in [View::Program, View::Machine] {
        let mut walk = Walk::new(tape.clone(), view);
        for _ in 0..60 {
            let hart = random.below(3usize);
            let marks = shown(&tape, view, hart);
            let start = random.one_of(&marks);
            walk.seek(start);
            let (hash, registers) = (walk.now().hash(), *walk.registers(hart).unwrap());
            let n = random.below(200u64);
            let step = |walk: &mut Walk| walk.forward(&Forward::Step(hart), Some(hart), hart).why;
            if (0..n).any(|_| step(&mut walk) == Why::End) {
                // The hart has stopped for good.
                continue;
            }
            for _ in 0..n {
                assert_eq!(walk.backward(Some(hart), hart), Stopped { hart, why: Why::Stepped });
            }
            assert_eq!(
                walk.now().hash(),
                hash,
                "{n} steps of hart {hart} from {start:?}, {view:?}"
            );
            walked += n;
            assert_eq!(*walk.registers(hart).unwrap(), registers);
        }
    }
    assert!(walked > 1000, "{walked} steps back and forth");
}

#[test]
fn a_step_shows_the_next_instruction_of_the_program() {
    let tape = recording(6).tape;
    let mut walk = Walk::new(tape.clone(), View::Program);
    for hart in 0..3 {
        let marks = shown(&tape, View::Program, hart);
        let first_user = marks
            .iter()
            .position(|mark| tape.between(*mark, tape.last()).next().unwrap().1.is_user());
        let marks = &marks[first_user.unwrap()..];
        walk.seek(marks[0]);
        for next in marks.iter().skip(1).take(3000) {
            let stopped = walk.forward(&Forward::Step(hart), None, hart);
            assert_eq!(stopped.why, Why::Stepped);
            let commit = tape.between(*next, tape.last()).next().unwrap().1;
            assert_eq!(walk.registers(hart).unwrap().pc, commit.pc, "hart {hart} before {next:?}");
        }
    }
}

/// Every stop of the tape: where one is forward and backward, and what it is.
fn scan(tape: &Tape, breaks: &[u32], watches: &[Watch]) -> Vec<(Mark, Mark, Stopped)> {
    let mut stops = Vec::new();
    for (mark, commit) in tape.between(tape.first(), tape.last()) {
        let hart = usize::from(commit.hart);
        if !commit.is_by_host() && breaks.contains(&commit.pc) {
            stops.push((mark, mark, Stopped { hart, why: Why::Break }));
        }
        if let Some(why) = watched(commit, watches) {
            stops.push((mark, Mark(mark.0 + 1), Stopped { hart, why }));
        }
    }
    stops
}

pub fn watched(commit: &Commit, watches: &[Watch]) -> Option<Why> {
    watches.iter().find_map(|watch| {
        let lanes = match watch.kind {
            WatchKind::Write => commit.written(),
            WatchKind::Read => commit.read(),
            WatchKind::Access => commit.written() | commit.read(),
        };
        let bytes =
            (0..4u32).filter(|lane| lanes >> lane & 1 != 0).map(|lane| commit.address + lane);
        let address = bytes.into_iter().find(|at| watch.range.contains(&u64::from(*at)))?;
        Some(Why::Watch { kind: watch.kind, address })
    })
}

#[test]
fn continue_and_reverse_continue_are_a_scan_of_the_log() {
    let tape = recording(8).tape;
    let commits: Vec<Commit> =
        tape.between(tape.first(), tape.last()).map(|(_, commit)| *commit).collect();
    let accesses: Vec<&Commit> =
        commits.iter().filter(|commit| commit.written() | commit.read() != 0).collect();
    let mut random = Dice::new(5);
    for round in 0..60 {
        let mut walk = Walk::new(tape.clone(), View::Machine);
        let breaks: Vec<u32> =
            (0..random.below(4u64)).map(|_| random.one_of(&commits).pc).collect();
        let watches: Vec<Watch> = (0..random.below(3u64))
            .map(|_| {
                let start = u64::from(random.one_of(&accesses).address) + random.below(4u64);
                let kinds = [WatchKind::Write, WatchKind::Read, WatchKind::Access];
                Watch { range: start..start + 1 + random.below(8u64), kind: random.one_of(&kinds) }
            })
            .collect();
        breaks.iter().for_each(|pc| walk.stops.add_break(*pc));
        watches.iter().for_each(|watch| walk.stops.add_watch(watch.clone()));
        let stops = scan(&tape, &breaks, &watches);
        for _ in 0..20 {
            let from = Mark(random.below(tape.last().0 + 1));
            walk.seek(from);
            let found = walk.forward(&Forward::Continue, None, 0);
            let expected = stops.iter().find(|(forward, ..)| *forward >= from);
            let end = (tape.last(), Stopped { hart: 0, why: Why::End });
            let expected = expected.map_or(end, |(forward, _, stop)| (*forward, *stop));
            assert_eq!((walk.mark(), found), expected, "round {round}, forward from {from:?}");
            walk.seek(from);
            let found = walk.backward(None, 0);
            let behind = stops.iter().rev().find(|(forward, ..)| *forward < from);
            let begin = (tape.first(), Stopped { hart: 0, why: Why::Begin });
            let expected = behind.map_or(begin, |(_, backward, stop)| (*backward, *stop));
            assert_eq!((walk.mark(), found), expected, "round {round}, backward from {from:?}");
        }
    }
}

#[test]
fn stops_that_are_removed_stop_nothing() {
    let tape = recording(8).tape;
    let commit = *tape.between(Mark(500), tape.last()).next().unwrap().1;
    let mut walk = Walk::new(tape.clone(), View::Machine);
    let watch = Watch { range: 0..1 << 32, kind: WatchKind::Access };
    walk.stops.add_break(commit.pc);
    walk.stops.add_break(commit.pc);
    walk.stops.add_watch(watch.clone());
    assert!(walk.stops.remove_break(commit.pc) && walk.stops.remove_watch(&watch));
    assert!(!walk.stops.remove_watch(&watch) && !walk.stops.remove_break(commit.pc + 1));
    assert_eq!(walk.forward(&Forward::Continue, None, 0).why, Why::Break, "it was set twice");
    assert!(walk.stops.remove_break(commit.pc));
    assert_eq!(walk.forward(&Forward::Continue, None, 2), Stopped { hart: 2, why: Why::End });
    assert_eq!(walk.backward(None, 1), Stopped { hart: 1, why: Why::Begin });
}
