//! What surrounds the memory system's transactions: who begins, commits and undoes them, and what they must do.
//!
//! Begins and commits are random, but for what the model says of attempts: a transaction that aborted begins again where it
//! began, and a hart that gave up begins none for a while.

use std::collections::HashMap;

use border::color::{Commit, Word};
use config::Color;
use golden::Mode;
use golden::coloring::Coloring;
use golden::memory::{BusGrant, BusKind, Memory, State};
use kit::Dice;
use units::memory_system::MemorySystem;

use crate::bench::Run;
use crate::drive::Fetcher;
use crate::model::{Due, Golden, Shown};
use crate::ports::to_bytes;
use crate::request::Request;

/// Small: what matters here are transactions, and all words are uncolored.
pub const COLOR: Color =
    Color { bits: 4, clb_entries: 2, epoch: 1000, items: 2, signature_bits: 8, signature_banks: 2 };

/// The length of a first attempt, in accesses: several attempts fit in it.
const LENGTH: u32 = 100;
/// The most cycles that a hart takes to undo a transaction.
const LONGEST_UNDOING: u32 = 6;

/// The transactions of one hart.
pub struct Speculator {
    dice: Dice,
    /// The hart begins a transaction if it can, in this cycle.
    begins: bool,
    /// It wants to commit.
    commit: Option<Commit>,
    /// Cycles until it has undone an aborted transaction.
    undoing: Option<u32>,
    /// It did so at the start of this cycle.
    was_undoing: bool,
    is_open: bool,
    /// The line of the access under way is in memory.
    pub cleaned: bool,
    /// The first access of the last transaction.
    first: Option<Request>,
    walker: Fetcher,
}

/// How often what happened.
#[derive(Debug, Default)]
pub struct TransactionCounts {
    pub begun: u64,
    /// By cause.
    pub committed: HashMap<u32, u64>,
    /// By what aborted them.
    pub aborted: HashMap<BusKind, u64>,
    pub cleans: u64,
    /// Transactions that began again where one had aborted.
    pub resumed: u64,
    /// Grants that aborted several.
    pub several: u64,
    /// Looks at lines that a transaction had written, by those that abort nothing.
    pub hidden: HashMap<BusKind, u64>,
    /// A commit was wanted when an abort came.
    pub commit_met_abort: u64,
}

impl TransactionCounts {
    /// Adds what happened in another run.
    pub fn add(&mut self, run: &TransactionCounts) {
        self.begun += run.begun;
        self.cleans += run.cleans;
        self.resumed += run.resumed;
        self.several += run.several;
        self.commit_met_abort += run.commit_met_abort;
        for (cause, count) in &run.committed {
            *self.committed.entry(*cause).or_default() += count;
        }
        for (all, run) in [(&mut self.aborted, &run.aborted), (&mut self.hidden, &run.hidden)] {
            run.iter().for_each(|(kind, count)| *all.entry(*kind).or_default() += count);
        }
    }
}

impl Speculator {
    /// Those of a system's harts; none if it has no transactions.
    pub fn of(parameters: &MemorySystem, seed: u64) -> Vec<Speculator> {
        let harts = if parameters.colored { parameters.harts as u64 } else { 0 };
        let speculator = |hart: u64| Speculator {
            dice: Dice::new(seed ^ (hart + 1) << 32),
            begins: false,
            commit: None,
            undoing: None,
            was_undoing: false,
            is_open: false,
            cleaned: false,
            first: None,
            walker: Fetcher::default(),
        };
        (0..harts).map(speculator).collect()
    }

    /// It undoes an aborted transaction.
    pub fn is_undoing(&self) -> bool {
        self.undoing.is_some()
    }

    /// No transaction is open, or is being undone, and nobody walks.
    pub fn is_closed(&self) -> bool {
        let walks = self.walker.wants.is_some() || self.walker.due.is_some();
        !self.is_open && self.undoing.is_none() && !walks
    }
}

/// Has all accesses in U mode tracked.
pub fn track_everything(memory: &mut Memory, harts: usize) {
    let Some(coloring) = memory.coloring_mut() else { return };
    for hart in 0..harts {
        let colors = coloring.hart_mut(hart).expect("there is such a hart");
        colors.write(Word::ColorControl, Word::TRACK.mask());
        colors.write(Word::ColorRangeHigh, u32::MAX);
        colors.write(Word::TransactionLength, LENGTH);
    }
}

impl Golden {
    fn coloring(&self) -> &Coloring {
        self.memory.coloring().expect("the machine has transactions")
    }

    /// Whether a transaction of this hart may begin at an access, and whether it must.
    fn begins(&self, hart: usize, request: &Request) -> (bool, bool) {
        let colors = self.coloring().hart(hart);
        let is_tracked = colors.registers().covers(request.access().mode, request.pc);
        let attempts = colors.attempts();
        let may = is_tracked && attempts.may_begin();
        (may, may && attempts.resumes(request.pc))
    }

    /// The line of an access is written in M, and others may see it.
    fn is_dirty(&self, hart: usize, address: u32) -> bool {
        let line = self.memory.cache(hart).line_of(address);
        let is_dirty = self.memory.cache(hart).state(address) == State::Modified;
        is_dirty && !self.coloring().is_speculative(hart, line)
    }

    /// An access of a hart has retired. Whether its transaction has its length.
    fn retire(&mut self, hart: usize, mode: Mode) -> bool {
        let coloring = self.memory.coloring_mut().expect("the machine has transactions");
        let colors = coloring.hart_mut(hart).expect("there is such a hart");
        if mode == Mode::User {
            colors.retires();
        }
        colors.attempts_mut().retire()
    }
}

impl Run {
    pub fn drive_transactions(&mut self) {
        let Run { dut, ports, traffic, .. } = self;
        for (hart, speculator) in self.speculators.iter_mut().enumerate() {
            speculator.was_undoing = speculator.is_undoing();
            let agent = &mut self.agents[hart];
            let (may, must) = match &agent.current {
                Some(request) => self.golden.begins(hart, request),
                None => (false, false),
            };
            let is_open = self.golden.memory.in_transaction(hart);
            let dice = &mut speculator.dice;
            speculator.begins = must || (may || is_open) && dice.chance(traffic.begins);
            dut.set(ports.begins[hart], speculator.begins.into());

            if is_open && speculator.commit.is_none() && dice.chance(traffic.commits) {
                speculator.commit = Some(dice.one_of(&Commit::ALL[..6]));
            }
            dut.set(ports.commit[hart], speculator.commit.is_some().into());
            let cause = speculator.commit.unwrap_or(Commit::Length).number();
            dut.set(ports.commit_cause[hart], cause.into());

            let undone = speculator.undoing == Some(0) && agent.current.is_none();
            if undone {
                speculator.undoing = None;
                let again = speculator.first.filter(|_| dice.chance(traffic.resumes));
                agent.offer = again.or(agent.offer);
            }
            if let Some(left) = &mut speculator.undoing {
                *left = left.saturating_sub(1);
            }
            dut.set(ports.undone[hart], undone.into());

            let walker = &mut speculator.walker;
            let free = walker.wants.is_none() && walker.due.is_none();
            if free && dice.chance(traffic.walks) {
                walker.wants = Some(traffic.any_line(dice));
            }
            dut.set(ports.walk_valid[hart], walker.wants.is_some().into());
            dut.set(ports.walk_address[hart], walker.wants.unwrap_or(0).into());
        }
    }

    /// An access is ordered: what the model says, which is told what the hart wanted.
    pub fn order(&mut self, hart: usize, request: &Request, name: &str) -> (Shown, Due) {
        let Some(speculator) = self.speculators.get_mut(hart) else {
            return self.golden.order(hart, request, self.cycle);
        };
        assert!(speculator.undoing.is_none(), "{name}: ordered before all is undone");
        let access = request.access();
        let cause = self.golden.memory.commits_before(hart, &access);
        assert_eq!(cause, None, "{name}: it had to commit before");
        let coloring = self.golden.memory.coloring_mut().expect("there are transactions");
        coloring.start_as_drawn(hart, speculator.begins);
        let starts = coloring.hart(hart).counters().starts;
        let resumes = coloring.hart(hart).attempts().resumes(request.pc);
        let was_dirty = self.golden.is_dirty(hart, request.address);

        let (shown, due) = self.golden.order(hart, request, self.cycle);
        let begun = self.golden.coloring().hart(hart).counters().starts != starts;
        assert_eq!(self.dut.get(self.ports.begun[hart]) == 1, begun, "{name}: begins");
        if begun {
            self.counts.transactions.begun += 1;
            self.counts.transactions.resumed += u64::from(resumes);
            speculator.first = Some(*request);
        }
        let line = self.golden.memory.cache(hart).line_of(request.address);
        let joined = self.golden.coloring().is_speculative(hart, line);
        assert!(!(was_dirty && joined) || speculator.cleaned, "{name}: it had to be cleaned");
        (shown, due)
    }

    /// A line is cleaned: the grant that the model expects.
    pub fn clean(&mut self, hart: usize, name: &str) -> BusGrant {
        let agent = &mut self.agents[hart];
        let request = agent.current.unwrap_or_else(|| panic!("{name}: no access"));
        assert!(agent.due.is_none(), "{name}: it is ordered already");
        agent.overtaken.clear();
        assert!(!self.speculators[hart].cleaned, "{name}: cleaned twice");
        self.speculators[hart].cleaned = true;
        self.counts.transactions.cleans += 1;
        let grant = self.golden.memory.clean(hart, &request.access());
        grant.unwrap_or_else(|| panic!("{name}: there is nothing to clean: {request:x?}"))
    }

    /// A hart reads a line of its tables: the grant that the model expects.
    pub fn walk(&mut self, hart: usize, name: &str) -> BusGrant {
        let walker = &mut self.speculators[hart].walker;
        let address = walker.wants.take().unwrap_or_else(|| panic!("{name}: nobody walks"));
        let line = self.golden.memory.current_line(address).to_vec();
        self.speculators[hart].walker.due = Some(line);
        self.note_hidden(BusKind::Walk, address);
        self.golden.memory.walk(hart, address)
    }

    /// What became of transactions in this cycle, after all that was ordered in it.
    pub fn sample_transactions(&mut self) {
        let Some(coloring) = self.golden.memory.coloring_mut() else { return };
        let aborted = coloring.take_aborted();
        let bus = self.order.bus(&self.dut).map(|grant| grant.kind);
        self.counts.transactions.several += u64::from(aborted.count_ones() > 1);
        for hart in 0..self.harts {
            let name = format!("{}: cycle {}: hart {hart}", self.name, self.cycle);
            let get = |port: &[cosim::PortId]| self.dut.get(port[hart]);
            let speculator = &mut self.speculators[hart];
            let counts = &mut self.counts.transactions;
            assert_eq!(get(&self.ports.open) == 1, speculator.is_open, "{name}: open");
            assert_eq!(get(&self.ports.undoing) == 1, speculator.was_undoing, "{name}: undoing");
            let aborts = aborted >> hart & 1 == 1;
            assert_eq!(get(&self.ports.aborted) == 1, aborts, "{name}: aborts");
            if aborts {
                assert!(self.agents[hart].due.is_none(), "{name}: aborted within an access");
                *counts.aborted.entry(bus.expect("a grant aborts")).or_default() += 1;
                counts.commit_met_abort += u64::from(speculator.commit.is_some());
                speculator.commit = None;
                speculator.undoing = Some(speculator.dice.below(LONGEST_UNDOING));
            }
            if get(&self.ports.committed) == 1 {
                let cause = get(&self.ports.committed_cause) as u32;
                let own = || {
                    let request = self.agents[hart].current?;
                    self.golden.memory.commits_before(hart, &request.access())
                };
                let expected = speculator.commit.take().or_else(own);
                assert_eq!(Some(cause), expected.map(Commit::number), "{name}: commits");
                self.golden.memory.commit(hart, expected.expect("a cause"));
                *counts.committed.entry(cause).or_default() += 1;
                self.agents[hart].overtaken.clear();
            }
            speculator.is_open = self.golden.memory.in_transaction(hart);
            if get(&self.ports.walk_response_valid) == 1 {
                let line = to_bytes(self.dut.get_wide(self.ports.walk_response_line[hart]));
                assert_eq!(Some(line), speculator.walker.due.take(), "{name}: walk");
            }
        }
    }

    /// An access of a hart is complete.
    pub fn retire(&mut self, hart: usize, request: &Request) {
        let Some(speculator) = self.speculators.get_mut(hart) else { return };
        if self.golden.retire(hart, request.access().mode) {
            speculator.commit = speculator.commit.or(Some(Commit::Length));
        }
    }

    /// Somebody looks at a line who aborts nothing.
    pub fn note_hidden(&mut self, kind: BusKind, address: u32) {
        if self.speculators.is_empty() {
            return;
        }
        let line = self.golden.memory.cache(0).line_of(address);
        if (0..self.harts).any(|hart| self.golden.coloring().is_speculative(hart, line)) {
            *self.counts.transactions.hidden.entry(kind).or_default() += 1;
        }
    }
}
