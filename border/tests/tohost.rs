//! The host's side of `tohost`, over a target that is nothing but memory and a list of words.

use border::map::RAM;
use border::tohost::{Output, ServeError, serve};
use border::{Doing, End, Place, Program, Stop, Target, Whereabouts};
use std::collections::VecDeque;
use std::ops::Range;

/// A program that tells the host one word after the other, each when the one before was dealt with.
struct Script {
    words: VecDeque<u64>,
    memory: Vec<u8>,
    acknowledged: u32,
    serial: Vec<u8>,
    fed: Vec<u8>,
}

#[derive(Debug, thiserror::Error)]
#[error("unsupported: {0}")]
struct Unsupported(&'static str);

impl Script {
    fn new(words: &[u64]) -> Self {
        let words = words.iter().copied().collect();
        Self { words, memory: vec![0; 256], acknowledged: 0, serial: Vec::new(), fed: Vec::new() }
    }

    /// Puts a call at the start of memory, and its text after it.
    fn with_call(mut self, call: [u64; 4], text: &[u8]) -> Self {
        for (place, word) in self.memory.chunks_mut(8).zip(call) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        self.memory[TEXT..TEXT + text.len()].copy_from_slice(text);
        self
    }

    fn answer(&self) -> i64 {
        i64::from_le_bytes(self.memory[..8].try_into().unwrap())
    }
}

const TEXT: usize = 64;
const BLOCK: u64 = RAM.base as u64;
const TEXT_AT: u64 = BLOCK + TEXT as u64;
const READ: u64 = 63;
const WRITE: u64 = 64;
const EXIT: u64 = 93;

impl Target for Script {
    type Error = Unsupported;

    const TIME_UNIT: &'static str = "cycle";

    fn harts(&self) -> usize {
        1
    }

    fn ram(&self) -> Range<u64> {
        BLOCK..BLOCK + self.memory.len() as u64
    }

    fn time(&self) -> u64 {
        7
    }

    fn watch(&mut self, _: Place) -> Result<(), Unsupported> {
        Ok(())
    }

    fn run(&mut self, limit: u64) -> Result<Stop, Unsupported> {
        Ok(match self.words.pop_front() {
            Some(word) => Stop::Told { hart: 0, word, time: 5 },
            None if limit == 0 => Stop::Limit,
            None => Stop::Stuck,
        })
    }

    fn acknowledge(&mut self) -> Result<(), Unsupported> {
        self.acknowledged += 1;
        Ok(())
    }

    fn take_serial(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.serial)
    }

    fn feed_serial(&mut self, bytes: &[u8]) {
        self.fed.extend(bytes);
    }

    fn read(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), Unsupported> {
        let at = (address - RAM.base) as usize;
        bytes.copy_from_slice(&self.memory[at..at + bytes.len()]);
        Ok(())
    }

    fn write(&mut self, address: u32, value: u64) -> Result<(), Unsupported> {
        let at = (address - RAM.base) as usize;
        self.memory[at..at + 8].copy_from_slice(&value.to_le_bytes());
        Ok(())
    }

    fn device(&mut self, _: u32) -> Result<u32, Unsupported> {
        Err(Unsupported("devices"))
    }

    fn set_device(&mut self, _: u32, _: u32) -> Result<(), Unsupported> {
        Err(Unsupported("devices"))
    }

    fn whereabouts(&self, _: usize) -> Result<Whereabouts, Unsupported> {
        Ok(Whereabouts { pc: 0, doing: Doing::Running })
    }
}

/// How a script ends, and its console and errors.
fn served(script: &mut Script, limit: u64) -> (Result<End, String>, String, String) {
    let program = Program::of_pieces("script", [(RAM.base, vec![0])]);
    let (mut console, mut errors) = (Vec::new(), Vec::new());
    let mut output = Output::new(&mut console, &mut errors);
    let ended = serve(script, &program, limit, &mut output);
    let end = ended.map(|ended| ended.end).map_err(|error: ServeError<_>| error.to_string());
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (end, text(console), text(errors))
}

#[test]
fn an_odd_word_is_an_exit_with_all_of_its_code() {
    for code in [0, 1, 255, 1337] {
        let end = served(&mut Script::new(&[code << 1 | 1]), 1).0;
        assert_eq!(end, Ok(End::Exit { code: code as i32 }));
    }
    let mut by_call = Script::new(&[BLOCK]).with_call([EXIT, -3_i64 as u64, 0, 0], b"");
    assert_eq!(served(&mut by_call, 1).0, Ok(End::Exit { code: -3 }));
}

#[test]
fn what_does_not_end_by_itself_is_stopped() {
    assert_eq!(served(&mut Script::new(&[]), 0).0, Ok(End::CycleLimit));
    assert_eq!(served(&mut Script::new(&[]), 1).0, Ok(End::Deadlock));
}

#[test]
fn text_goes_to_its_descriptor_and_the_count_is_the_answer() {
    for (file, console, errors) in [(1, "hello", ""), (2, "", "hello")] {
        let call = [WRITE, file, TEXT_AT, 5];
        let mut script = Script::new(&[BLOCK, 1]).with_call(call, b"hello");
        let expected = (Ok(End::Exit { code: 0 }), console.to_owned(), errors.to_owned());
        assert_eq!(served(&mut script, 1), expected);
        assert_eq!((script.answer(), script.acknowledged), (5, 1));
    }
}

#[test]
fn input_is_read_in_pieces_up_to_its_end_and_beside_it_nothing_changes() {
    let read = |to: u64, count: u64| [READ, 0, to, count];
    for (count, input, answer, left) in
        [(5, "hello there", 5, " there"), (9, "short", 5, ""), (4, "", 0, "")]
    {
        let mut script =
            Script::new(&[BLOCK, 1]).with_call(read(TEXT_AT + 3, count), b"................");
        let program = Program::of_pieces("script", [(RAM.base, vec![0])]);
        let (mut console, mut errors) = (Vec::new(), Vec::new());
        let mut output = Output::new(&mut console, &mut errors).with_input(input.as_bytes());
        let end = serve(&mut script, &program, 1, &mut output).unwrap().end;
        assert_eq!((end, script.answer()), (End::Exit { code: 0 }, answer));
        assert_eq!(output.input.make_contiguous(), left.as_bytes());
        let mut expected = b"................".to_vec();
        expected[3..3 + answer as usize].copy_from_slice(&input.as_bytes()[..answer as usize]);
        assert_eq!(script.memory[TEXT..TEXT + 16], expected);
        assert_eq!(script.fed, input.as_bytes(), "the serial port has the same input");
    }
    let mut other = Script::new(&[BLOCK, 1]).with_call([READ, 1, TEXT_AT, 4], b"");
    assert_eq!(served(&mut other, 1).0, Ok(End::Exit { code: 0 }));
    assert_eq!(other.answer(), -9);
    for to in [0, BLOCK - 8, BLOCK + 255, u64::MAX] {
        let mut script = Script::new(&[BLOCK]).with_call(read(to, 4), b"");
        let said = served(&mut script, 1).0.unwrap_err();
        assert!(said.ends_with("the buffer of the `read` call is not in RAM"), "{said}");
    }
    let huge = &mut Script::new(&[BLOCK, 1]).with_call(read(u64::MAX - 1, u64::MAX), b"");
    assert!(served(huge, 1).0.is_err());
}

#[test]
fn a_character_needs_a_place_for_the_answer() {
    let said = served(&mut Script::new(&[0x0100 << 48 | 1]), 1).0.unwrap_err();
    assert!(said.ends_with("but the program defines no symbol `fromhost`"), "{said}");
}

#[test]
fn a_call_or_descriptor_that_does_not_exist_is_an_answer_and_no_end() {
    for (call, answer) in [([4095, 0, 0, 0], -38), ([WRITE, 9, TEXT_AT, 1], -9)] {
        let mut script = Script::new(&[BLOCK, 1]).with_call(call, b"");
        assert_eq!(served(&mut script, 1).0, Ok(End::Exit { code: 0 }));
        assert_eq!(script.answer(), answer);
    }
}

#[test]
fn characters_and_the_serial_port_go_to_the_console() {
    let character = |byte: u8| 0x0101_0000_0000_0000 | u64::from(byte);
    let mut script = Script::new(&[character(b'o'), character(b'k'), 1]);
    script.serial = b"serial ".to_vec();
    assert_eq!(served(&mut script, 1).1, "serial ok");
    assert_eq!(script.acknowledged, 2);
}

#[test]
fn a_complaint_is_passed_on_although_the_next_request_is_bad() {
    let call = [WRITE, 2, TEXT_AT, 5];
    let mut script = Script::new(&[BLOCK, 0x10]).with_call(call, b"wrong");
    let (end, _, errors) = served(&mut script, 1);
    assert_eq!(errors, "wrong");
    assert_eq!(
        end.unwrap_err(),
        "cycle 5: the program wrote the invalid word 0x10 to `tohost`: expected an exit code (lowest bit 1), \
         or the address of a system call's block (a multiple of 8, in RAM)"
    );
}

#[test]
fn requests_that_have_no_meaning_are_named() {
    let long = (1 << 20) + 1;
    for (word, call, what) in [
        (BLOCK + 240, [0; 4], "the 32-byte block of the system call extends beyond RAM"),
        (0x0202_0000_0000_0000, [0; 4], "to read or write a character, or a zero high half"),
        (BLOCK, [WRITE, 1, TEXT_AT, long], "has more than 1 MiB of text; expected at most 1 MiB"),
        (BLOCK, [WRITE, 1, TEXT_AT, 1000], "the text of the `write` call is not in RAM"),
        (BLOCK, [WRITE, 1, u64::MAX, 2], "the text of the `write` call is not in RAM"),
    ] {
        let said = served(&mut Script::new(&[word]).with_call(call, b""), 1).0.unwrap_err();
        assert!(said.ends_with(what), "{said}");
    }
}
