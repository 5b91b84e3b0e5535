//! Exports of a machine as hardware would give them: ordered accesses first, records later.

use super::*;
use crate::isa::*;
use crate::memory::*;
use kit::Dice;
use std::collections::{BTreeMap, BTreeSet};

/// The exports of one cycle, owned.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    pub bus: Option<BusGrant>,
    pub tap: Option<Tap>,
    pub hits: Vec<Option<Hit>>,
    pub retired: Vec<Option<Retired>>,
    pub watched: Option<Watched>,
}

pub type Stream = BTreeMap<u64, Shown>;

pub struct Recording {
    pub stream: Stream,
    pub memory: Memory,
    pub harts: Vec<Hart>,
}

/// Follows a stream to its end.
pub fn follow(
    parameters: &Parameters,
    program: &[u32],
    stream: &Stream,
) -> Result<Final, Disagreement> {
    follow_with(Follower::new(parameters), program, stream)
}

/// The same with this follower.
pub fn follow_with(
    mut follower: Follower,
    program: &[u32],
    stream: &Stream,
) -> Result<Final, Disagreement> {
    let harts = stream.values().next().map_or(0, |shown| shown.retired.len());
    follower.load(Segment { address: RAM, bytes: &bytes(program) }).unwrap();
    follower.watch(TOHOST);
    for (cycle, shown) in stream {
        follower.cycle(&CycleExports {
            cycle: *cycle,
            bus: shown.bus,
            tap: shown.tap,
            hits: &shown.hits,
            retired: &shown.retired,
            watched: shown.watched,
            breakpoints: None,
        })?;
    }
    // Run on until anything missing is overdue.
    let last = stream.keys().next_back().copied().unwrap_or(0);
    let nothing = vec![None; harts];
    follower.cycle(&CycleExports {
        cycle: last + (1 << 20),
        bus: None,
        tap: None,
        hits: &nothing,
        retired: &vec![None; harts],
        watched: None,
        breakpoints: None,
    })?;
    follower.finish()
}

/// Runs a program for some instructions and records their exports; `seed` sets schedule and delays.
pub fn record(parameters: &Parameters, program: &[u32], count: usize, seed: u64) -> Recording {
    let mut memory = Memory::new(parameters);
    memory.ram_mut().piece_mut(RAM, 4 * program.len() as u32).copy_from_slice(&bytes(program));
    memory.watch(TOHOST);
    let mut harts: Vec<_> = (0..parameters.harts).map(|hart| parameters.hart(hart)).collect();
    let mut random = Dice::new(seed);
    let mut stream = Stream::new();
    let mut fetched = vec![BTreeSet::new(); parameters.harts];
    let mut ended = vec![0; parameters.harts];
    let mut cycle = 1;
    for _ in 0..count {
        cycle += 2 + random.scaled_below(3);
        let hart = random.scaled_below(parameters.harts as u64) as usize;
        let mut env = Recorder {
            hart,
            // No access is ordered before the previous instruction retires.
            cycle: cycle.max(ended[hart] + 2),
            harts: parameters.harts,
            line: parameters.line,
            memory: &mut memory,
            fetched: &mut fetched[hart],
            stream: &mut stream,
        };
        cycle = env.cycle;
        let Some(retired) = harts[hart].step(&mut env) else { continue };
        ended[hart] = cycle + random.scaled_below(9);
        shown(&mut stream, ended[hart], parameters.harts).retired[hart] = Some(retired);
    }
    Recording { stream, memory, harts }
}

fn shown(stream: &mut Stream, cycle: u64, harts: usize) -> &mut Shown {
    stream.entry(cycle).or_insert_with(|| Shown {
        hits: vec![None; harts],
        retired: vec![None; harts],
        ..Shown::default()
    })
}

struct Recorder<'a> {
    hart: usize,
    cycle: u64,
    harts: usize,
    line: u32,
    memory: &'a mut Memory,
    fetched: &'a mut BTreeSet<u32>,
    stream: &'a mut Stream,
}

impl Environment for Recorder<'_> {
    fn now(&self) -> u64 {
        self.cycle
    }

    fn fetch(&mut self, pc: u32) -> Fetched {
        let Some(insn) = self.memory.current_word(pc) else { return Fetched::Fault };
        let line = pc & !(self.line - 1);
        if self.fetched.insert(line) {
            let grant = self.memory.fetch(self.hart, line);
            shown(self.stream, self.cycle - 1, self.harts).bus = Some(grant);
        }
        Fetched::Instruction(decode(insn))
    }

    fn access(&mut self, access: &DataAccess) -> Answer {
        let Some(region) = self.memory.map().answering(access) else { return Answer::Fault };
        let ordered = self.memory.order(self.hart, access, region, self.cycle);
        let watched = self.memory.take_watched();
        let shown = shown(self.stream, self.cycle, self.harts);
        shown.watched = watched;
        match ordered {
            Ordered::Hit { hit, done } => {
                shown.hits[self.hart] = Some(hit);
                Answer::Done(done)
            }
            Ordered::Granted { grant, tap, done } => {
                (shown.bus, shown.tap) = (Some(grant), tap);
                Answer::Done(done)
            }
            Ordered::Device { grant, done, .. } => {
                shown.bus = Some(grant);
                Answer::Done(done)
            }
            Ordered::Stalled => Answer::Later,
        }
    }

    fn forget_instructions(&mut self) {
        self.fetched.clear();
    }

    fn interrupt(&mut self, enabled: u32) -> Option<TakenInterrupt> {
        let ready = enabled & self.memory.pending(self.hart, self.cycle);
        let interrupt = interrupt_of_highest_priority(ready)?;
        Some(TakenInterrupt { interrupt, certain: true })
    }

    fn wakes(&mut self, enabled: u32) -> bool {
        self.pending() & enabled != 0
    }

    fn pending(&mut self) -> u32 {
        self.memory.pending(self.hart, self.cycle)
    }

    fn cycle(&mut self, half: Half, value: u64) -> u32 {
        half.of(value)
    }

    fn events(&mut self, half: Half, least: u64, _: u64) -> u32 {
        half.of(least)
    }

    fn time(&mut self, half: Half) -> u32 {
        half.of(self.memory.clint().time(self.cycle))
    }

    fn cause(&mut self, value: u32) -> u32 {
        value
    }
}
