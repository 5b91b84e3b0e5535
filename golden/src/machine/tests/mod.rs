//! Whole programs, followed and alone.

mod alone;
mod avoidance;
mod breakpoints;
mod coloring;
mod following;
mod interrupts;
mod litmus;
mod mutations;
mod recorder;
mod schedule;

use super::*;
use crate::Fields;
use crate::assembler::*;
use crate::memory::{MonitorSetup, Parameters, RAM};
use border::interrupt::Interrupt;
use border::monitor::{self, Word};
use border::{clint, uart};
use config::{Overflow, Update};

/// Address of the tests' data.
const DATA: u32 = RAM + 0x1000;
const TOHOST: u32 = RAM + 0x2000;

const PARAMETERS: Parameters = Parameters {
    harts: 3,
    reset_vector: RAM,
    ram_last: RAM + 0xffff,
    line: 16,
    sets: 2,
    ways: 2,
    time_bits: 32,
    monitor: Some(MonitorSetup {
        fields: Fields { pc_bits: 32, events: 5, hart_bits: 2, time_bits: 32 },
        depth: 8,
        overflow: Overflow::Discard,
        update: Update::Miss,
    }),
    breakpoints: 0,
    counters: false,
    color: None,
};

const MHARTID: u32 = 0xf14;

/// A program in which hart h starts at its own part; every part ends in `ending`.
fn parts(parts: &[Vec<u32>], ending: &[u32]) -> Vec<u32> {
    // One comparison and jump for each hart.
    let dispatch = 2 * parts.len() as i32 + 1;
    let mut program = vec![csrrs(5, MHARTID, 0)];
    let mut start = dispatch;
    for (hart, part) in parts.iter().enumerate() {
        let here = program.len() as i32;
        program.push(addi(6, 0, hart as i32));
        program.push(beq(5, 6, 4 * (start - here - 1)));
        start += (part.len() + ending.len()) as i32;
    }
    for part in parts {
        program.extend(part);
        program.extend(ending);
    }
    program
}

/// Waits for ever.
const STOP: [u32; 2] = [WFI, NOP];

/// Stores an odd number to `tohost`.
fn exit(code: u32) -> Vec<u32> {
    let mut program = Vec::from(li(30, TOHOST));
    program.extend(li(31, code << 1 | 1));
    program.extend([sw(31, 30, 0), jal(0, 0)]);
    program
}

/// The offset of a word in a monitor window, as an instruction has it.
fn at(word: Word) -> i32 {
    word.offset() as i32
}
