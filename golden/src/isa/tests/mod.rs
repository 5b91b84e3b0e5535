//! A hart in flat memory, with interrupts set by the test.

mod arithmetic;
mod csrs;
mod decoding;
mod protection;
mod traps;

use super::*;
use crate::Mode;
use crate::assembler::*;
use border::interrupt::Cause;

/// Address of the program.
const START: u32 = border::map::RAM.base;
/// Size of memory, which begins at `START`.
const SIZE: usize = 1024;

struct Flat {
    bytes: Vec<u8>,
    pending: u32,
    now: u64,
    time: u64,
    reserved: bool,
    /// Data accesses are deferred.
    later: bool,
    forgotten: u32,
    accesses: Vec<DataAccess>,
    /// Observed `mcycle` where the hart only guesses.
    seen_cycle: Option<u32>,
}

impl Flat {
    fn new(program: &[u32]) -> Self {
        let mut bytes = bytes(program);
        bytes.resize(SIZE, 0);
        Self {
            bytes,
            pending: 0,
            now: 0,
            time: 0,
            reserved: false,
            later: false,
            forgotten: 0,
            accesses: vec![],
            seen_cycle: None,
        }
    }

    fn word(&self, address: u32) -> Option<u32> {
        let start = address.checked_sub(START)? as usize & !3;
        let bytes = self.bytes.get(start..start + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().unwrap()))
    }
}

impl Environment for Flat {
    fn now(&self) -> u64 {
        self.now
    }

    fn fetch(&mut self, pc: u32) -> Fetched {
        self.word(pc).map_or(Fetched::Fault, |insn| Fetched::Instruction(decode(insn)))
    }

    fn access(&mut self, access: &DataAccess) -> Answer {
        if self.later {
            return Answer::Later;
        }
        let Some(before) = self.word(access.address) else { return Answer::Fault };
        self.accesses.push(*access);
        let (after, wrote) = match access.kind {
            DataKind::Load => (before, false),
            DataKind::LoadReserved => {
                self.reserved = true;
                (before, false)
            }
            DataKind::Store => (access.size.insert(before, access.address, access.data), true),
            DataKind::StoreConditional if self.reserved => (access.data, true),
            DataKind::StoreConditional => (before, false),
            DataKind::Amo(op) => (op.apply(before, access.data), true),
        };
        let start = (access.address - START) as usize & !3;
        self.bytes[start..start + 4].copy_from_slice(&after.to_le_bytes());
        Answer::Done(Done { before, after, wrote })
    }

    fn forget_instructions(&mut self) {
        self.forgotten += 1;
    }

    fn interrupt(&mut self, enabled: u32) -> Option<TakenInterrupt> {
        let interrupt = interrupt_of_highest_priority(enabled & self.pending)?;
        Some(TakenInterrupt { interrupt, certain: true })
    }

    fn wakes(&mut self, enabled: u32) -> bool {
        enabled & self.pending != 0
    }

    fn pending(&mut self) -> u32 {
        self.pending
    }

    fn cycle(&mut self, half: Half, value: u64) -> u32 {
        half.of(value)
    }

    fn unsure_cycle(&mut self, half: Half, value: u64) -> u32 {
        self.seen_cycle.unwrap_or(half.of(value))
    }

    fn events(&mut self, half: Half, _: u64, most: u64) -> u32 {
        half.of(most)
    }

    fn time(&mut self, half: Half) -> u32 {
        half.of(self.time)
    }

    fn cause(&mut self, value: u32) -> u32 {
        value
    }
}

/// A hart at the start of a program, with some registers set.
fn start(program: &[u32], registers: &[(u8, u32)]) -> (Hart, Flat) {
    let mut hart = Hart::new(0, START, INTERRUPTS_WITH_TABLE);
    for (number, value) in registers {
        hart.set_register(*number, *value);
    }
    (hart, Flat::new(program))
}

/// The same, with all memory open to U mode.
fn start_open(program: &[u32], registers: &[(u8, u32)]) -> (Hart, Flat) {
    let (mut hart, env) = start(program, registers);
    hart.csrs_mut().pmp.write_address(0, u32::MAX);
    hart.csrs_mut().pmp.write_config(0x1f);
    (hart, env)
}

/// Executes one instruction with some registers set.
fn one(insn: u32, registers: &[(u8, u32)]) -> (Hart, Retired) {
    let (mut hart, mut env) = start(&[insn], registers);
    let retired = hart.step(&mut env).unwrap();
    (hart, retired)
}

/// Executes `count` instructions, none of which may trap.
fn steps(hart: &mut Hart, env: &mut Flat, count: usize) -> Retired {
    let mut last = Retired::default();
    for _ in 0..count {
        last = hart.step(env).unwrap();
        assert!(!last.trap, "trap {:?} at {:#x}", last.cause, last.pc_rdata);
    }
    last
}

/// `mcause` of a trap.
fn mcause(retired: &Retired) -> Option<u32> {
    retired.cause.map(Cause::mcause)
}

/// A CSR's value, read without executing an instruction.
fn csr(hart: &Hart, number: u32) -> u32 {
    hart.csrs().read(super::csr::find(number).unwrap(), 0)
}

const M: Mode = Mode::Machine;
const U: Mode = Mode::User;
