//! Event counters of a run, as in Table 5 of the Bugaboo paper.

use border::interrupt::Interrupt;
use std::fmt;
use std::ops::AddAssign;

use golden::isa::Retired;
use golden::memory::BusKind;

use super::export::Observed;
use super::spent::Spent;

/// CSR numbers.
const MTVEC: u32 = 0x305;
const MCAUSE: u32 = 0x342;

/// Counters of one hart, or of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Instructions that retired.
    pub instructions: u64,
    /// Loads, stores, LR, SC and AMO to memory; a failing SC too.
    pub memory_operations: u64,
    /// Load misses.
    pub reads: u64,
    /// Store misses.
    pub read_exclusives: u64,
    /// Stores to shared lines.
    pub upgrades: u64,
    /// Of these three, transactions that found the line in another cache.
    pub communicating: u64,
    /// Of these three, monitored transactions.
    pub monitored: u64,
    /// Edges offered to the hart's table.
    pub edges: u64,
    /// Edges dropped because the table was full.
    pub lost: u64,
    /// Interrupts, of all kinds.
    pub interrupts: u64,
    /// Communication table interrupts, recognized by their vector or by the handler's read of `mcause`.
    pub table_interrupts: u64,
    /// Exceptions.
    pub exceptions: u64,
    /// Accesses to devices.
    pub device_accesses: u64,
    /// Lines fetched into the instruction cache.
    pub fetches: u64,
    /// What its cycles went to.
    pub spent: Spent,
}

impl Counts {
    /// Transactions in which line metadata moves or changes.
    pub fn metadata_updates(&self) -> u64 {
        self.reads + self.read_exclusives + self.upgrades
    }

    /// `count` per `operations` memory operations.
    pub fn rate(&self, count: u64, operations: f64) -> f64 {
        match self.memory_operations {
            0 => 0.0,
            all => count as f64 * operations / all as f64,
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.instructions += other.instructions;
        self.memory_operations += other.memory_operations;
        self.reads += other.reads;
        self.read_exclusives += other.read_exclusives;
        self.upgrades += other.upgrades;
        self.communicating += other.communicating;
        self.monitored += other.monitored;
        self.edges += other.edges;
        self.lost += other.lost;
        self.interrupts += other.interrupts;
        self.table_interrupts += other.table_interrupts;
        self.exceptions += other.exceptions;
        self.device_accesses += other.device_accesses;
        self.fetches += other.fetches;
        self.spent += other.spent;
    }
}

/// Trap state of a hart.
#[derive(Clone, Copy, Debug, Default)]
struct Handler {
    /// The previous record was an exception, which sets the next record's `intr`.
    trapped: bool,
    /// The interrupt handler has not read `mcause` yet.
    undecided: bool,
    /// `mtvec`.
    vector: u32,
}

impl Handler {
    /// Observes an instruction; true if it identifies a table interrupt.
    fn sees_table_interrupt(&mut self, record: &Retired, interrupted: bool) -> bool {
        if interrupted {
            self.undecided = true;
        }
        if interrupted && self.vector & 1 != 0 {
            self.undecided = false;
            return record.pc_rdata
                == (self.vector & !3).wrapping_add(4 * Interrupt::Table.number());
        }
        let csr = record.insn >> 20;
        let is_csr = !record.trap && record.insn & 0x7f == 0x73 && record.insn >> 12 & 3 != 0;
        if is_csr && csr == MTVEC {
            self.vector = written(record, self.vector) & !2;
        }
        if is_csr && csr == MCAUSE && self.undecided && record.rd_addr != 0 {
            self.undecided = false;
            return record.rd_wdata == Interrupt::Table.mcause();
        }
        false
    }
}

/// The value that a CSR instruction writes.
fn written(record: &Retired, old: u32) -> u32 {
    let immediate = record.insn >> 14 & 1 != 0;
    let operand = if immediate { record.insn >> 15 & 31 } else { record.rs1_rdata };
    match record.insn >> 12 & 3 {
        1 => operand,
        2 => old | operand,
        _ => old & !operand,
    }
}

/// Counters of a run.
#[derive(Clone, Debug)]
pub struct Stats {
    harts: Vec<Counts>,
    handlers: Vec<Handler>,
    /// Cycles counted.
    pub cycles: u64,
    /// The machine counts events.
    counted: bool,
}

impl Stats {
    /// All counters zero; `counted` if the machine counts events.
    pub(super) fn new(harts: usize, counted: bool) -> Self {
        let handlers = vec![Handler::default(); harts];
        Self { harts: vec![Counts::default(); harts], handlers, cycles: 0, counted }
    }

    /// Counters by hart.
    pub fn harts(&self) -> &[Counts] {
        &self.harts
    }

    /// Sum over all harts.
    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        self.harts.iter().for_each(|hart| total += *hart);
        total
    }

    /// Counts one cycle.
    pub(super) fn count(&mut self, cycle: &Observed<'_>) {
        self.cycles += 1;
        if let Some(grant) = cycle.bus()
            && let Some(hart) = self.harts.get_mut(usize::from(grant.requester))
        {
            match grant.kind {
                BusKind::Read => hart.reads += 1,
                BusKind::ReadX => hart.read_exclusives += 1,
                BusKind::Upgrade => hart.upgrades += 1,
                BusKind::Fetch => hart.fetches += 1,
                BusKind::Device => hart.device_accesses += 1,
                BusKind::HostRead | BusKind::HostWrite | BusKind::Walk | BusKind::Clean => {}
            }
            if grant.kind.is_coherent() {
                hart.memory_operations += 1;
                hart.communicating += u64::from(grant.holders != 0);
                hart.monitored += u64::from(grant.monitored);
            }
            if let Some(tap) = cycle.tap() {
                hart.edges += 1;
                hart.lost += u64::from(tap.lost);
            }
        }
        for (number, hart) in self.harts.iter_mut().enumerate() {
            hart.spent.count(cycle, number);
            if cycle.hit(number).is_some() {
                hart.memory_operations += 1;
            }
            let Some(record) = cycle.retired(number) else { continue };
            let handler = &mut self.handlers[number];
            let interrupted = record.intr && !handler.trapped;
            hart.interrupts += u64::from(interrupted);
            hart.table_interrupts += u64::from(handler.sees_table_interrupt(&record, interrupted));
            handler.trapped = record.trap;
            hart.exceptions += u64::from(record.trap);
            hart.instructions += u64::from(!record.trap);
        }
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = self.total();
        let columns: Vec<(String, Counts)> = (self.harts.iter().enumerate())
            .map(|(hart, counts)| (format!("hart {hart}"), *counts))
            .chain([("all".to_owned(), total)])
            .collect();
        writeln!(f, "{} cycles", self.cycles)?;
        write!(f, "{:26}", "")?;
        columns.iter().try_for_each(|(name, _)| write!(f, " {name:>10}"))?;
        writeln!(f)?;
        type Row = (&'static str, fn(&Counts) -> u64);
        let rows: [Row; 15] = [
            ("instructions", |c| c.instructions),
            ("memory operations", |c| c.memory_operations),
            ("reads", |c| c.reads),
            ("readx", |c| c.read_exclusives),
            ("upgrades", |c| c.upgrades),
            ("metadata updates", Counts::metadata_updates),
            ("communicating", |c| c.communicating),
            ("monitored", |c| c.monitored),
            ("edges", |c| c.edges),
            ("lost", |c| c.lost),
            ("table interrupts", |c| c.table_interrupts),
            ("interrupts", |c| c.interrupts),
            ("exceptions", |c| c.exceptions),
            ("device accesses", |c| c.device_accesses),
            ("instruction lines", |c| c.fetches),
        ];
        for (name, value) in rows {
            write!(f, "{name:26}")?;
            columns.iter().try_for_each(|(_, counts)| write!(f, " {:>10}", value(counts)))?;
            writeln!(f)?;
        }
        type Rate = (&'static str, f64, fn(&Counts) -> u64);
        let rates: [Rate; 6] = [
            ("reads / 10k", 1e4, |c| c.reads),
            ("readx / 10k", 1e4, |c| c.read_exclusives),
            ("upgrades / 10k", 1e4, |c| c.upgrades),
            ("metadata updates / 10k", 1e4, Counts::metadata_updates),
            ("edges / 10k", 1e4, |c| c.edges),
            ("table interrupts / 10M", 1e7, |c| c.table_interrupts),
        ];
        writeln!(f, "per number of memory operations:")?;
        for (name, operations, value) in rates {
            write!(f, "{name:26}")?;
            columns.iter().try_for_each(|(_, counts)| {
                write!(f, " {:>10.2}", counts.rate(value(counts), operations))
            })?;
            writeln!(f)?;
        }
        writeln!(f, "where cycles go:")?;
        let spent: Vec<_> = columns.iter().map(|(_, c)| c.spent.rows(self.counted)).collect();
        for (row, (name, _)) in spent[0].iter().enumerate() {
            write!(f, "{name:26}")?;
            spent.iter().try_for_each(|column| write!(f, " {:>10}", column[row].1))?;
            writeln!(f)?;
        }
        write!(f, "{:26}", "instructions / cycle")?;
        columns.iter().try_for_each(|(_, counts)| {
            write!(f, " {:>10.2}", counts.instructions as f64 / self.cycles.max(1) as f64)
        })?;
        writeln!(f)
    }
}
