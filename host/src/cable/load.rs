//! Putting a program into a board's memory.

use super::frames::{Description, Frame, MAX_WORDS};
use super::line::Line;
use border::Program;
use border::map::RAM;
use cosim::machine::{MachineError, Ram};
use std::io;
use std::time::{Duration, Instant};

/// How often a frame is sent before the board is given up.
const ATTEMPTS: usize = 5;
/// Words that one frame clears, about: the board writes one after the other, and is to answer soon.
const MOST_CLEARED: u32 = 1 << 16;
/// The longest answer that is waited for: a description, and what a run left on the line.
const MOST_BYTES: usize = 1 << 16;

/// Why a program could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum CableError {
    /// The line does not work.
    #[error("the serial line fails: {0}")]
    Line(#[from] io::Error),
    /// The board does not answer.
    #[error(
        "the board did not answer {what}: check the serial device, and that the bitstream is on the board"
    )]
    Silence {
        /// What was sent.
        what: &'static str,
    },
    /// The program is not for this board.
    #[error("{0}")]
    Program(String),
}

/// Resets the board, puts a program into its memory and lets the harts run. `prepare` makes the program for
/// the board that answers; `progress` is called with every frame. Returns the board's description, and the bytes
/// of the run that have arrived already.
pub(super) fn load(
    line: &mut impl Line,
    patience: Duration,
    prepare: impl FnOnce(&Description) -> Result<Program, String>,
    progress: impl Fn(),
) -> Result<(Description, Vec<u8>), CableError> {
    let mut loader = Loader { line, patience };
    let description = loader.reset()?;
    let program = prepare(&description).map_err(CableError::Program)?;
    let machine = &description.machine;
    let ram = contents(&program, machine.simulation.ram_bytes, machine.reset_vector)?;
    let places = places(&program, &ram);
    for (start, count) in places {
        let words: Vec<u32> =
            (0..count).map(|index| word(&ram, start + 4 * index as u32)).collect();
        for frame in frames(start, &words) {
            loader.tell(&frame, "a frame of the program")?;
            progress();
        }
    }
    let sent = loader.tell(&Frame::Go, "the frame that starts the program")?;
    Ok((description, sent))
}

/// Memory with the program, and with the way to its entry.
fn contents(program: &Program, bytes: u32, reset_vector: u32) -> Result<Ram, CableError> {
    let mut ram = Ram::new(bytes);
    ram.load(program);
    ram.enter(program, reset_vector)
        .map_err(|error: MachineError| CableError::Program(error.to_string()))?;
    Ok(ram)
}

/// Where the program lies: addresses and words, in order, apart from each other.
fn places(program: &Program, ram: &Ram) -> Vec<(u32, usize)> {
    let segments = program.segments.iter().map(|segment| {
        let start = (segment.address - RAM.base) / 4;
        (start, (segment.address - RAM.base + segment.size).div_ceil(4))
    });
    let patches =
        ram.patches().map(|(address, _)| ((address - RAM.base) / 4, (address - RAM.base) / 4 + 1));
    let mut all: Vec<(u32, u32)> = segments.chain(patches).collect();
    all.sort_unstable();
    let mut joined: Vec<(u32, u32)> = Vec::new();
    for (start, end) in all {
        match joined.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => joined.push((start, end)),
        }
    }
    joined.into_iter().map(|(start, end)| (RAM.base + 4 * start, (end - start) as usize)).collect()
}

/// The frames that put these words into memory. Zeros are not sent, but cleared.
fn frames(start: u32, words: &[u32]) -> Vec<Frame<'_>> {
    let mut frames: Vec<Frame<'_>> = Vec::new();
    for (address, words) in (start..).step_by(4 * MAX_WORDS).zip(words.chunks(MAX_WORDS)) {
        match frames.last_mut() {
            _ if words.iter().any(|word| *word != 0) => frames.push(Frame::Write(address, words)),
            Some(Frame::Clear(_, count)) if *count < MOST_CLEARED => *count += words.len() as u32,
            _ => frames.push(Frame::Clear(address, words.len() as u32)),
        }
    }
    frames
}

fn word(ram: &Ram, address: u32) -> u32 {
    u32::from_le_bytes([0, 1, 2, 3].map(|offset| ram.byte(address + offset)))
}

struct Loader<'a, L> {
    line: &'a mut L,
    patience: Duration,
}

impl<L: Line> Loader<'_, L> {
    fn reset(&mut self) -> Result<Description, CableError> {
        let (description, _) = self.ask(&Frame::Reset, "a reset", Description::find)?;
        Ok(description)
    }

    /// What came after the answer.
    fn tell(&mut self, frame: &Frame<'_>, what: &'static str) -> Result<Vec<u8>, CableError> {
        let answer = frame.answer();
        let place = |seen: &[u8]| seen.windows(answer.len()).position(|part| part == answer);
        let ((), rest) = self.ask(frame, what, |seen| Some(((), place(seen)? + answer.len())))?;
        Ok(rest)
    }

    /// Sends a frame, repeatedly if necessary, until `found` finds its answer and where that ends; gives it with
    /// what came after it.
    fn ask<T>(
        &mut self,
        frame: &Frame<'_>,
        what: &'static str,
        found: impl Fn(&[u8]) -> Option<(T, usize)>,
    ) -> Result<(T, Vec<u8>), CableError> {
        let bytes = frame.bytes();
        for _ in 0..ATTEMPTS {
            self.line.send(&bytes)?;
            let start = Instant::now();
            let mut seen = Vec::new();
            while seen.len() < MOST_BYTES {
                let Some(left) = self.patience.checked_sub(start.elapsed()) else { break };
                let mut buffer = [0; 4096];
                let read = self.line.read_within(&mut buffer, left)?;
                seen.extend(&buffer[..read]);
                if let Some((answer, end)) = found(&seen) {
                    return Ok((answer, seen.split_off(end)));
                }
            }
        }
        Err(CableError::Silence { what })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use border::map::RAM;

    #[test]
    fn zeros_are_cleared_and_everything_else_is_written_once() {
        let mut words = vec![0; 5 * MAX_WORDS + 7];
        words[0] = 1;
        words[4 * MAX_WORDS + 3] = 2;
        let frames = frames(RAM.base, &words);
        let at = |chunk: usize| RAM.base + 4 * (chunk * MAX_WORDS) as u32;
        assert_eq!(
            frames,
            [
                Frame::Write(at(0), &words[..MAX_WORDS]),
                Frame::Clear(at(1), 3 * MAX_WORDS as u32),
                Frame::Write(at(4), &words[4 * MAX_WORDS..5 * MAX_WORDS]),
                Frame::Clear(at(5), 7),
            ]
        );
    }
}
