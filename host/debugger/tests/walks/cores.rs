//! Core files, written, read back and damaged.

use crate::common::{failing, recording};
use border::map::RAM;
use debugger::Timeline;
use debugger::core_file::{CoreError, CoreHart, Note, SCHEMA, Write, WrittenBytes, read, write};
use kit::random::Dice;

fn core() -> (Vec<CoreHart>, Note, Vec<u8>) {
    let recording = recording(failing());
    let mut timeline = Timeline::new(recording.tape.clone());
    timeline.seek(recording.end().0);
    let now = timeline.now();
    let harts: Vec<CoreHart> = (0u32..)
        .zip(now.harts())
        .map(|(hart, state)| CoreHart { hart, signal: 6, registers: *state.of_program() })
        .collect();
    let note = Note {
        schema: SCHEMA.into(),
        program: "bank".into(),
        elf: "e".into(),
        on: "golden".into(),
        seed: 7,
        outcome: "failed".into(),
        steps: now.mark().0,
        state: "s".into(),
        contents: String::new(),
        harts: vec!["hart 0".into()],
        writes: vec![Write { thread: "main".into(), line: "bank.c:1".into(), event: 3 }],
        last_writers: vec![WrittenBytes { address: RAM.base, bytes: 4, write: 0 }],
    };
    let file = write("program.elf", &harts, now.memory(), note.clone()).unwrap();
    (harts, note, file)
}

#[test]
fn a_core_file_is_read_back_and_damage_is_a_sentence() {
    let (harts, note, file) = core();
    let (found, read_harts) = read(&file).unwrap();
    assert_eq!(read_harts, harts);
    assert_eq!(Note { contents: String::new(), ..found.clone() }, note);
    let mut dice = Dice::new(10);
    let mut refused = 0;
    for round in 0..60 {
        let mut damaged = file.clone();
        // Half of the damage is in the headers and notes, which are short.
        let most = if round % 2 == 0 { 1200 } else { file.len() };
        let place = dice.below(most);
        damaged[place] ^= 1 << dice.below(8u32);
        match read(&damaged) {
            Ok((note, harts)) => assert_eq!((note, harts), (found.clone(), read_harts.clone())),
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().contains('\n'), "{error}");
            }
        }
    }
    assert!(refused > 30, "{refused} of 60 were refused");
    for length in [0, 3, 52, 500, file.len() - 1] {
        assert!(read(&file[..length]).is_err(), "cut at {length}");
    }
    assert!(matches!(read(b"#!/bin/sh\n"), Err(CoreError::NotACore(_))));
}
