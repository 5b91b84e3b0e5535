//! Running programs without hardware, in an order made from a seed.
//!
//! Harts execute whole instructions, one hart for a while and then another, as the [`Scheduling`] says. All
//! sequentially consistent interleavings can come up; the same seed gives the same run.

use super::accessed::Accessed;
use super::lines::InstructionLines;
use super::load::{OutsideRam, Segment, load};
use super::points::Points;
use super::schedule::{Pending, Scheduler, Scheduling};
use super::script::{Turn, Turns, Uninterrupted};
use super::surroundings::Alone;
use super::waiting::Waits;
use super::witness::{Shown, Witness};
use crate::isa::{Checkpoint, Hart, Op, Retired};
use crate::memory::{Memory, Ordered, Parameters, Region, Tap};
use crate::{Edge, Mode};
use std::sync::Arc;

/// How long a run may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Instructions of all harts together.
    pub instructions: u64,
}

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The program wrote an odd number to the watched word (`tohost`): it is done.
    Exit {
        /// Half of it.
        code: u32,
    },
    /// The program wrote another number but 0: it wants something of the host. [`Machine::run`]
    /// goes on from there.
    Host {
        /// Who wrote.
        hart: usize,
        /// The number.
        value: u32,
    },
    /// Every hart waits for something that will not come, or traps for ever.
    Deadlock,
    /// The limit is reached.
    Limit,
}

#[derive(Clone, Debug)]
pub(super) struct Running {
    pub(super) hart: Hart,
    pub(super) lines: InstructionLines,
    pub(super) waits: Option<Waits>,
    /// Before the open transaction.
    pub(super) checkpoint: Option<Checkpoint>,
    /// After an abort it goes on at this time.
    pub(super) paused_until: u64,
}

impl Running {
    /// Makes sure that the next instruction is fetched, if it is in RAM.
    pub(super) fn fetch(&mut self, memory: &Memory, now: u64) {
        let pc = self.hart.pc();
        if self.lines.newest(pc).is_none() && memory.map().region(pc) == Region::Ram {
            self.lines.fill(pc, memory.current_line(pc), now, 0);
        }
    }

    /// The access that the hart is about to perform, if it is a scheduling point.
    #[inline]
    pub(super) fn pending(&self, points: &Points) -> Option<Pending> {
        let Self { hart, lines, waits, .. } = self;
        let pc = hart.pc();
        if hart.csrs().mode != Mode::User || waits.is_some() || !points.includes(pc) {
            return None;
        }
        let decoded = lines.newest(pc)?;
        let (offset, write) = match decoded.op {
            Op::Load { .. } => (decoded.imm, false),
            Op::Store(_) => (decoded.imm, true),
            Op::LoadReserved => (0, false),
            Op::StoreConditional | Op::Amo(_) => (0, true),
            _ => return None,
        };
        let word = hart.register(decoded.rs1).wrapping_add(offset) & !3;
        Some(Pending { pc, word, write })
    }
}

/// The golden machine, alone.
pub struct Machine {
    pub(super) memory: Memory,
    pub(super) harts: Vec<Running>,
    pub(super) scheduler: Scheduler,
    pub(super) points: Arc<Points>,
    /// Whether the scheduler is asked at points; otherwise after so many instructions.
    at_points: bool,
    /// The turns that harts took, if somebody wants them.
    turns: Option<Turns>,
    /// Whose turn it is, and for how many more instructions.
    turn: (usize, u64),
    pub(super) now: u64,
    instructions: u64,
    taps: Vec<Tap>,
    accesses: Option<Vec<Accessed>>,
    shown: Shown,
    /// Where the program talks to the host, and how many of the serial port's bytes were taken.
    pub(super) told_at: Option<border::Place>,
    pub(super) serial_taken: usize,
}

impl Machine {
    /// A machine after reset; the seed chooses the schedule, of bursts.
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        Self::scheduled(parameters, seed, Scheduling::Bursts, Arc::default())
    }

    /// The same under any strategy.
    pub fn scheduled(
        parameters: &Parameters,
        seed: u64,
        strategy: Scheduling,
        points: Arc<Points>,
    ) -> Self {
        let scheduler = Scheduler::new(parameters.harts, seed, strategy, &points);
        Self::under(parameters, scheduler, strategy != Scheduling::Bursts, points)
    }

    /// The same in a prescribed order, and without interrupting harts in a region.
    pub fn scripted(
        parameters: &Parameters,
        turns: Arc<[Turn]>,
        region: Option<Uninterrupted>,
        points: Arc<Points>,
    ) -> Self {
        let scheduler = Scheduler::scripted(parameters.harts, turns, region, &points);
        Self::under(parameters, scheduler, true, points)
    }

    fn under(
        parameters: &Parameters,
        scheduler: Scheduler,
        at_points: bool,
        points: Arc<Points>,
    ) -> Self {
        let running = |number| Running {
            hart: parameters.hart(number),
            lines: InstructionLines::new(parameters.line, parameters.ram_last),
            waits: None,
            checkpoint: None,
            paused_until: 0,
        };
        Self {
            memory: Memory::new(parameters),
            harts: (0..parameters.harts).map(running).collect(),
            scheduler,
            points,
            at_points,
            turns: None,
            turn: (0, 0),
            now: 0,
            instructions: 0,
            taps: Vec::new(),
            accesses: None,
            shown: Shown::default(),
            told_at: None,
            serial_taken: 0,
        }
    }

    /// Puts a piece of a program into memory, before it runs. Execution starts at the reset vector.
    pub fn load(&mut self, segment: Segment) -> Result<(), OutsideRam> {
        load(&mut self.memory, segment)
    }

    /// Watches the word through which the program talks to the host.
    pub fn watch(&mut self, address: u32) {
        self.memory.watch(address);
    }

    /// The memory system.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// A hart.
    pub fn hart(&self, hart: usize) -> &Hart {
        &self.harts[hart].hart
    }

    /// How many harts there are.
    pub fn harts(&self) -> usize {
        self.harts.len()
    }

    /// Sets bytes in RAM to 0 in every copy, which no hart notices but by reading them.
    pub(super) fn clear(&mut self, address: u32, length: u32) {
        self.memory.clear(address, length);
        self.roll_back();
        self.shown.host_wrote(address, &vec![0; length as usize]);
    }

    /// The host reads a word of a device; none if nothing is there.
    pub fn host_device(&mut self, address: u32) -> Option<u32> {
        match self.memory.host_device(address, None, self.now)? {
            Ordered::Device { read: Some(read), .. } => Some(read.value),
            _ => None,
        }
    }

    /// What the program sent to the serial port.
    pub fn console(&self) -> &[u8] {
        self.memory.uart().sent()
    }

    /// A byte for the program to receive.
    pub fn send(&mut self, byte: u8) {
        self.memory.uart_mut().receive(byte);
    }

    /// Instructions of all harts so far.
    pub fn instructions(&self) -> u64 {
        self.instructions
    }

    /// The edges so far, in order, lost ones too.
    pub fn taps(&self) -> &[Tap] {
        &self.taps
    }

    /// The edges so far, in order, whether or not a table had room.
    pub fn edges(&self) -> impl Iterator<Item = &Edge> {
        self.taps.iter().map(|tap| &tap.edge)
    }

    /// Keeps every data access to memory from now on.
    pub fn keep_accesses(&mut self) {
        self.accesses.get_or_insert_default();
    }

    /// Notes from now on which hart performed points when.
    pub fn keep_turns(&mut self) {
        self.turns.get_or_insert_default();
    }

    /// The turns noted so far: a script for the same order.
    pub fn turns(&self) -> &[Turn] {
        self.turns.as_ref().map_or(&[], |turns| &turns.taken)
    }

    /// Shows every instruction to a witness from now on.
    pub fn show(&mut self, witness: Witness) {
        self.shown = Shown::to(witness);
    }

    /// The accesses kept so far, in order.
    pub fn accesses(&self) -> &[Accessed] {
        self.accesses.as_deref().unwrap_or_default()
    }

    /// The host reads the word of an address in RAM.
    pub fn host_word(&self, address: u32) -> Option<u32> {
        self.memory.current_word(address)
    }

    /// The host writes a word: to RAM, where all copies go, or to a device. False if nothing is there.
    pub fn host_write(&mut self, address: u32, word: u32) -> bool {
        if self.memory.map().region(address) != Region::Ram {
            return self.memory.host_device(address, Some(word), self.now).is_some();
        }
        let mut line = self.memory.current_line(address).to_vec();
        let start = address as usize & !3 & (line.len() - 1);
        line[start..start + 4].copy_from_slice(&word.to_le_bytes());
        self.memory.host_write(address, &line, |byte| (start..start + 4).contains(&byte));
        self.roll_back();
        self.shown.host_wrote(address & !3, &word.to_le_bytes());
        true
    }

    /// Runs until something stops it.
    pub fn run(&mut self, limits: Limits) -> Stop {
        match self.until_told(limits) {
            Stop::Host { value, .. } if value & 1 != 0 => Stop::Exit { code: value >> 1 },
            stop => stop,
        }
    }

    /// The same, where an exit is a word for the host like any other.
    pub(super) fn until_told(&mut self, limits: Limits) -> Stop {
        while self.instructions < limits.instructions {
            let (hart, left) = self.turn;
            if left == 0 {
                match self.choose() {
                    Some(turn) => self.turn = turn,
                    None => return Stop::Deadlock,
                }
                continue;
            }
            self.turn.1 -= 1;
            let counts = self.at_points || self.turns.is_some();
            if counts && !self.at_points {
                self.harts[hart].fetch(&self.memory, self.now);
            }
            let performed = counts.then(|| self.harts[hart].pending(&self.points)).flatten();
            let Some(retired) = self.step(hart) else {
                self.turn.1 = 0;
                continue;
            };
            self.shown.see(hart, &self.harts[hart].hart, &retired);
            self.reached(hart, performed, &retired);
            if let Some(watched) = self.memory.take_watched()
                && (watched.data != 0 || self.has_high_half())
            {
                return Stop::Host { hart, value: watched.data };
            }
        }
        Stop::Limit
    }

    /// Executes one instruction of a hart, if it can go on.
    #[inline]
    pub fn step(&mut self, hart: usize) -> Option<Retired> {
        if !self.is_admitted(hart) {
            return None;
        }
        match self.memory.coloring() {
            None => self.execute(hart),
            Some(_) => self.step_colored(hart),
        }
    }

    /// The same of a hart that may.
    #[inline]
    pub(super) fn execute(&mut self, hart: usize) -> Option<Retired> {
        let Running { hart: core, lines, waits, .. } = &mut self.harts[hart];
        // A WFI that waited retires first; the interrupt comes after it.
        let sleeps = *waits == Some(Waits::Interrupt);
        *waits = None;
        let mut env = Alone {
            hart,
            sleeps,
            now: self.now,
            memory: &mut self.memory,
            lines,
            taps: &mut self.taps,
            accesses: self.accesses.as_mut(),
            waits,
        };
        let retired = core.step(&mut env);
        if let Some(retired) = &retired {
            self.now += 1;
            self.instructions += 1;
            self.tell_breakpoints(hart, retired);
        }
        retired
    }

    /// After an instruction of a schedule with points: whether to choose anew.
    fn reached(&mut self, hart: usize, performed: Option<Pending>, retired: &Retired) {
        let performed = performed.filter(|access| access.pc == retired.pc_rdata);
        if let (Some(turns), Some(_)) = (&mut self.turns, performed) {
            turns.performed(hart);
        }
        if !self.at_points {
            return;
        }
        let points = &self.points;
        if let Some(access) = performed {
            let value = if access.write { retired.mem_wdata } else { retired.mem_rdata };
            let pending = |other: usize| self.harts[other].pending(points);
            self.scheduler.performed(hart, access, value, pending);
        }
        let running = &mut self.harts[hart];
        running.fetch(&self.memory, self.now);
        if self.turn.1 == 0 {
            self.scheduler.give_way(hart);
        } else if running.pending(points).is_some() {
            self.turn.1 = 0;
        }
    }
}
