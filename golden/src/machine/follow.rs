//! Follows the hardware: its order of accesses is the input, everything else is predicted and compared.
//!
//! An access is ordered before its instruction retires, so ordered accesses and records wait
//! in queues. Ordered accesses are processed strictly in order, each with the record of its
//! instruction; other instructions are executed as their records arrive.

mod breakpoints;
mod outside;
mod queues;

use self::breakpoints::Breakpoints;
use super::accessed::Accessed;
use super::compare::{self, Before};
use super::disagreement::{Disagreement, Problem, Who};
use super::exports::{CycleExports, HostRequest};
use super::lines::InstructionLines;
use super::load::{OutsideRam, Segment, load};
use super::observed::{Effect, Event, Observed, OrderedAccess};
use super::signals::{Signals, Window};
use super::witness::{Shown, Witness};
use crate::isa::{Hart, Op, Retired, decode};
use crate::memory::{Memory, Parameters, Watched};
use std::collections::VecDeque;

/// Cycles within which an ordered access must retire: longer than any bus transaction.
const LONGEST_ACCESS: u64 = 1 << 14;
/// Instructions that may still retire when an interrupt is due.
const LONGEST_IGNORED: u32 = 8;
const MIP: u32 = 0x344;

/// State of one hart.
#[derive(Clone, Debug)]
struct Followed {
    hart: Hart,
    lines: InstructionLines,
    signals: Signals,
    /// Pending records, with their cycles.
    records: VecDeque<(u64, Retired)>,
    /// Number of records received.
    received: u64,
    /// Number of its pending ordered accesses.
    ordered: usize,
    /// The cycles of its pending fetches.
    fetches: VecDeque<u64>,
    /// Its next record needs an ordered access of this hart at the front; nothing to try until then.
    waits: bool,
    /// Cycle in which its last instruction retired.
    ended: u64,
    /// Instructions retired while an interrupt was due.
    ignoring: u32,
    /// Mask of the interrupts that may have been the last one taken.
    possible: u32,
}

/// The golden machine, following the hardware.
#[derive(Clone, Debug)]
pub struct Follower {
    /// Bytes in a line.
    line: usize,
    memory: Memory,
    harts: Vec<Followed>,
    order: VecDeque<Event>,
    requests: VecDeque<HostRequest>,
    /// Expected host responses; `None` if unpredictable.
    responses: VecDeque<Option<Vec<u8>>>,
    expected_watched: VecDeque<(u64, Watched)>,
    actual_watched: VecDeque<(u64, Watched)>,
    cycle: u64,
    ended: u64,
    accesses: Option<Vec<Accessed>>,
    shown: Shown,
    breakpoints: Option<Breakpoints>,
}

/// Final state when the hardware stops.
#[derive(Clone, Debug)]
pub struct Final {
    /// The harts, with registers and CSRs.
    pub harts: Vec<Hart>,
    /// Caches, memory and tables.
    pub memory: Memory,
    /// Instructions compared.
    pub instructions: u64,
    /// Exports not compared because an earlier access did not retire; 0 if all were compared.
    pub unchecked: usize,
    /// The data accesses to memory in order, if recorded.
    pub accesses: Vec<Accessed>,
}

impl Follower {
    /// A machine after reset.
    pub fn new(parameters: &Parameters) -> Self {
        let followed = |number| Followed {
            hart: parameters.hart(number),
            lines: InstructionLines::new(parameters.line, parameters.ram_last),
            signals: Signals::NONE,
            records: VecDeque::with_capacity(64),
            received: 0,
            ordered: 0,
            fetches: VecDeque::with_capacity(16),
            waits: false,
            ended: 0,
            ignoring: 0,
            possible: 0,
        };
        let mut memory = Memory::new(parameters);
        let unit = memory.breakpoints_mut().map(|unit| {
            unit.keep_written();
            Breakpoints::new(parameters.harts, parameters.breakpoints, parameters.line)
        });
        Self {
            line: parameters.line as usize,
            memory,
            breakpoints: unit,
            harts: (0..parameters.harts).map(followed).collect(),
            order: VecDeque::with_capacity(256),
            requests: VecDeque::new(),
            responses: VecDeque::new(),
            expected_watched: VecDeque::new(),
            actual_watched: VecDeque::new(),
            cycle: 0,
            ended: 0,
            accesses: None,
            shown: Shown::default(),
        }
    }

    /// Loads a segment of the program, as the test bench loads it into the hardware's memory.
    pub fn load(&mut self, segment: Segment) -> Result<(), OutsideRam> {
        load(&mut self.memory, segment)
    }

    /// Watches a word, as the test bench does in the hardware.
    pub fn watch(&mut self, address: u32) {
        self.memory.watch(address);
    }

    /// Records every data access to memory from now on.
    pub fn keep_accesses(&mut self) {
        self.accesses.get_or_insert_default();
    }

    /// Shows every instruction to a witness from now on. Accesses come in the order of the hardware; an
    /// instruction without one comes after what its hart has seen, and may come before earlier ones of others.
    pub fn show(&mut self, witness: Witness) {
        self.shown = Shown::to(witness);
    }

    /// The memory system as of the last export processed.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// A hart as of the last export processed.
    pub fn hart(&self, hart: usize) -> &Hart {
        &self.harts[hart].hart
    }

    /// Number of instructions compared so far.
    pub fn instructions(&self) -> u64 {
        self.ended
    }

    /// Takes the exports of one cycle, and compares everything that can be compared so far.
    pub fn cycle(&mut self, exports: &CycleExports) -> Result<(), Disagreement> {
        self.cycle = exports.cycle;
        self.queue(exports)?;
        let is_pending = self.breakpoints.as_ref().is_some_and(Breakpoints::is_pending);
        if exports.bus.is_some() || exports.retired.iter().any(Option::is_some) || is_pending {
            self.advance()?;
        }
        self.compare_watched()?;
        match self.order.front() {
            Some(event) if event.cycle + LONGEST_ACCESS < self.cycle => Err(self.not_ended(event)),
            _ => Ok(()),
        }
    }

    /// Ends the comparison. Each hart may have one ordered access that did not retire.
    pub fn finish(mut self) -> Result<Final, Disagreement> {
        self.advance()?;
        self.compare_watched()?;
        let moments = self.finish_breakpoints()?;
        for (number, followed) in self.harts.iter().enumerate() {
            let records = followed.records.len();
            if followed.ordered > records + 1 {
                let second = self.order.iter().filter(|event| event.hart() == Some(number)).nth(1);
                if let Some(event) = second {
                    return Err(self.not_ended(event));
                }
            }
        }
        let records: usize = self.harts.iter().map(|followed| followed.records.len()).sum();
        let watched = self.actual_watched.len();
        Ok(Final {
            unchecked: self.order.len() + records + watched + moments,
            harts: self.harts.into_iter().map(|followed| followed.hart).collect(),
            memory: self.memory,
            instructions: self.ended,
            accesses: self.accesses.unwrap_or_default(),
        })
    }

    fn disagreement(
        &self,
        cycle: u64,
        who: Who,
        instruction: Option<(u32, u32)>,
        problem: Problem,
    ) -> Disagreement {
        Disagreement { cycle, who, instruction, problem }
    }

    fn not_ended(&self, event: &Event) -> Disagreement {
        let who = event.hart().map_or(Who::Machine, Who::Hart);
        self.disagreement(self.cycle, who, None, Problem::NotEnded { ordered: event.cycle })
    }

    /// Processes the queues as far as possible.
    fn advance(&mut self) -> Result<(), Disagreement> {
        loop {
            let mut progress = false;
            while self.next_needs_no_record()? {
                progress = true;
            }
            for hart in 0..self.harts.len() {
                progress |= self.next_record(hart)?;
            }
            progress |= self.next_moment()?;
            if !progress {
                return Ok(());
            }
        }
    }

    /// Executes a hart's next instruction if its record and, for an access, its order are known.
    fn next_record(&mut self, hart: usize) -> Result<bool, Disagreement> {
        let followed = &mut self.harts[hart];
        let Some(&(cycle, record)) = followed.records.front() else { return Ok(false) };
        let front = self.order.front();
        let turn = front.filter(|event| event.hart() == Some(hart));
        if followed.waits && turn.is_none() {
            return Ok(false);
        }
        let order = followed.received - followed.records.len() as u64;
        if self.breakpoints.as_ref().is_some_and(|unit| unit.holds_back(hart, order)) {
            return Ok(false);
        }
        let window = Window { from: followed.ended, to: cycle };
        // Earlier accesses can affect interrupts.
        let behind = turn.is_none() && front.is_some_and(|event| event.cycle < cycle);
        // And its line may have a fetch that is still pending.
        let unfetched = followed.fetches.front().is_some_and(|fetched| *fetched < cycle);
        if turn.is_none() && unfetched {
            return Ok(false);
        }
        if behind && (record.intr || looks_at_interrupts(record.insn)) {
            return Ok(false);
        }
        let before = [record.rs1_addr, record.rs2_addr].map(|rs| followed.hart.register(rs));
        let due = match followed.hart.csrs().takeable() {
            0 => 0,
            enabled => enabled & !followed.signals.can_be_low(window),
        };
        let turn = turn.copied();
        let stood = self.breakpoints.is_some().then(|| followed.hart.clone());
        let mut env = Observed {
            hart,
            memory: &mut self.memory,
            lines: &mut followed.lines,
            signals: &followed.signals,
            record: &record,
            window,
            order,
            next: turn.as_ref(),
            vector: followed.hart.csrs().vector,
            possible: &mut followed.possible,
            decoded: None,
            waits_at: None,
            effect: None,
            accessed: None,
            problem: None,
        };
        let predicted = followed.hart.step(&mut env);
        let Observed { decoded, waits_at, effect, accessed, mut problem, .. } = env;
        if let Some(address) = waits_at
            && problem.is_none()
        {
            followed.waits = true;
            if followed.ordered > 0 {
                return Ok(false);
            }
            problem = Some(Problem::NotOrdered { address });
        }
        if due == 0 || record.intr {
            followed.ignoring = 0;
        } else if !behind {
            followed.ignoring += 1;
            if followed.ignoring > LONGEST_IGNORED {
                let instructions = followed.ignoring;
                problem = problem.or(Some(Problem::NotInterrupted { instructions, pending: due }));
            }
        }
        if let Some(predicted) = &predicted {
            let before = Before { decoded: decoded.as_ref(), registers: before };
            problem = problem.or_else(|| compare::records(predicted, &record, &before));
        }
        if let (Some(unit), Some(stood), None) = (&mut self.breakpoints, &stood, problem) {
            problem = unit.executed(hart, stood, decoded.as_ref(), &record, cycle);
        }
        if let Some(problem) = problem {
            let at = match problem {
                Problem::Field { field, .. } if !field.starts_with("rvfi") => turn,
                _ => None,
            };
            let cycle = at.map_or(cycle, |event| event.cycle);
            let instruction = Some((record.pc_rdata, record.insn));
            return Err(self.disagreement(cycle, Who::Hart(hart), instruction, problem));
        }
        followed.waits = false;
        followed.records.pop_front();
        followed.ended = cycle;
        self.ended += 1;
        if let Some(predicted) = &predicted {
            self.shown.see(hart, &followed.hart, predicted);
        }
        if let (Some(effect), Some(event)) = (effect, turn) {
            followed.ordered -= 1;
            self.order.pop_front();
            if let Some(accesses) = &mut self.accesses {
                accesses.extend(accessed);
            }
            if let Some(watched) = self.memory.take_watched() {
                self.expected_watched.push_back((event.cycle, watched));
            }
            match effect {
                Effect::Quiet => {}
                Effect::Edge => followed.signals.refresh(&self.memory, hart, event.cycle, true),
                Effect::Device => {
                    self.refresh_all(event.cycle, Some(hart));
                    self.note_written();
                }
            }
        }
        Ok(true)
    }

    /// Updates all interrupt lines after an access of `by`.
    fn refresh_all(&mut self, cycle: u64, by: Option<usize>) {
        for (hart, followed) in self.harts.iter_mut().enumerate() {
            followed.signals.refresh(&self.memory, hart, cycle, by == Some(hart));
        }
    }

    /// A write to the watched word is exported before its instruction retires, so every expected one
    /// must have been seen.
    fn compare_watched(&mut self) -> Result<(), Disagreement> {
        let presence = |expected, actual| Problem::Field { field: "watch_valid", expected, actual };
        while let Some((ordered, expected)) = self.expected_watched.pop_front() {
            let (cycle, hart, problem) = match self.actual_watched.pop_front() {
                Some((cycle, actual)) => (cycle, actual.hart, compare::watches(&expected, &actual)),
                None => (ordered, expected.hart, Some(presence(1, 0))),
            };
            if let Some(problem) = problem {
                return Err(self.disagreement(cycle, Who::Hart(hart.into()), None, problem));
            }
        }
        match self.actual_watched.front() {
            Some((cycle, watched)) if cycle + LONGEST_ACCESS < self.cycle => {
                let who = Who::Hart(watched.hart.into());
                Err(self.disagreement(*cycle, who, None, presence(0, 1)))
            }
            _ => Ok(()),
        }
    }
}

/// Whether an instruction depends on which interrupts are pending.
fn looks_at_interrupts(insn: u32) -> bool {
    const SYSTEM: u32 = 0x73;
    if insn & 0x7f != SYSTEM {
        return false;
    }
    let decoded = decode(insn);
    match decoded.op {
        Op::Wfi => true,
        Op::Csr(_) => decoded.imm == MIP,
        _ => false,
    }
}
