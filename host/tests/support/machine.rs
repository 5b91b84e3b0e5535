//! A few threads on one memory, stepped one access at a time.

use golden::{BbSw, BbSwOptions, CodePoint, HartId, LineMeta, Pc};
use record::Edge;
use std::collections::{HashMap, HashSet};

/// One step of a thread. Registers are numbered from 0 to 3.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    /// register = memory
    Load(usize, u64),
    /// memory = register
    Store(u64, usize),
    /// register = constant
    Set(usize, i64),
    /// register += constant
    Add(usize, i64),
    /// Goes to a step if the register is zero.
    IfZero(usize, usize),
    /// Goes to a step so many times, then on.
    Repeat(usize, usize),
    /// Waits for a lock. Locks are not watched: they are the library's.
    Lock(usize),
    /// Releases it.
    Unlock(usize),
    /// The program has failed if the register is zero. It goes on.
    FailIfZero(usize),
    /// The program has failed if two registers differ. It goes on.
    FailIfDifferent(usize, usize),
}

/// A program: its threads, and which steps are its bug.
pub struct Program {
    pub name: &'static str,
    pub threads: Vec<Vec<Op>>,
    /// The value that a word must have at the end.
    pub must_be: Option<(u64, i64)>,
    /// Thread and step of every access that is part of the bug.
    pub bug: Vec<(usize, usize)>,
}

/// The address of a step.
pub fn pc(thread: usize, step: usize) -> u64 {
    u64::from(border::map::RAM.base) + 0x1000 * thread as u64 + 4 * step as u64
}

/// A small generator of numbers: the same for ever.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % sides
    }
}

#[derive(Clone, Default)]
struct Thread {
    step: usize,
    registers: [i64; 4],
    repeats: HashMap<usize, usize>,
}

/// Runs the program under one schedule: its edges, and whether it failed.
pub fn run(program: &Program, seed: u64) -> (Vec<Edge>, bool) {
    let mut memory: HashMap<u64, i64> = HashMap::new();
    let mut watched = BbSw::new(BbSwOptions::words(program.threads.len()));
    let mut threads = vec![Thread::default(); program.threads.len()];
    let mut locks: HashMap<usize, usize> = HashMap::new();
    let mut dice = Dice(seed);
    let mut edges = Vec::new();
    let mut failed = false;
    let mut now = 0;
    let mut accesses = 0;
    let mut seen = HashSet::new();
    loop {
        let can_run = |n: usize| match program.threads[n].get(threads[n].step) {
            None => false,
            Some(Op::Lock(lock)) => locks.get(lock).is_none_or(|holder| *holder == n),
            Some(_) => true,
        };
        let ready: Vec<usize> = (0..threads.len()).filter(|n| can_run(*n)).collect();
        if ready.is_empty() {
            break;
        }
        // Mostly the same thread goes on, as on a real machine.
        if !ready.contains(&now) || dice.roll(5) == 0 {
            now = ready[dice.roll(ready.len() as u64) as usize];
        }
        let thread = &mut threads[now];
        let (step, hart) = (thread.step, HartId(now as u32));
        let here = Pc(pc(now, step));
        thread.step += 1;
        let edge = match program.threads[now][step] {
            Op::Load(register, address) => {
                accesses += 1;
                thread.registers[register] = memory.get(&address).copied().unwrap_or(0);
                // What nobody wrote comes from memory, which hardware reports as well.
                let written = watched.last_writer(address).is_some();
                let from_memory = (!written && seen.insert((now, address))).then(|| {
                    let (ctx, time) = (watched.context(hart).sample(), golden::Time(accesses));
                    let sink = LineMeta { pc: CodePoint(here.0), ctx, hart, time };
                    golden::Edge { source: LineMeta::NULL, sink, kind: golden::EdgeKind::Memory }
                });
                watched.read(hart, here, address).or(from_memory)
            }
            Op::Store(address, register) => {
                accesses += 1;
                memory.insert(address, thread.registers[register]);
                watched.write(hart, here, address)
            }
            Op::Set(register, value) => {
                thread.registers[register] = value;
                None
            }
            Op::Add(register, value) => {
                thread.registers[register] += value;
                None
            }
            Op::IfZero(register, to) => {
                if thread.registers[register] == 0 {
                    thread.step = to;
                }
                None
            }
            Op::Repeat(to, times) => {
                let done = thread.repeats.entry(step).or_default();
                *done += 1;
                if *done < times {
                    thread.step = to;
                }
                None
            }
            Op::Lock(lock) => {
                locks.insert(lock, now);
                None
            }
            Op::Unlock(lock) => {
                locks.remove(&lock);
                None
            }
            Op::FailIfZero(register) => {
                failed |= thread.registers[register] == 0;
                None
            }
            Op::FailIfDifferent(one, other) => {
                failed |= thread.registers[one] != thread.registers[other];
                None
            }
        };
        edges.extend(edge.as_ref().map(super::recorded));
    }
    if let Some((address, value)) = program.must_be {
        failed |= memory.get(&address).copied().unwrap_or(0) != value;
    }
    (edges, failed)
}
