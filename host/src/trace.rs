//! A run, instruction by instruction, in the form that Spike prints (`-l --log-commits`), so that what reads
//! Spike's logs reads these.

mod disassembly;
mod signature;

pub use disassembly::Disassembled;
pub use signature::Signature;

use border::interrupt::Cause;
use debuginfo::LineMap;
use disassembly::csr_name;
use golden::Mode;
use golden::isa::{CsrAction, Hart, Op, Retired, decode};
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

/// What of a run is written.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Only these harts; all, if there are none.
    pub harts: Vec<u32>,
    /// Only instructions at these addresses; all, if there are none.
    pub addresses: Vec<Range<u64>>,
    /// Only what U mode does.
    pub user: bool,
    /// Commits alone: no disassembly and no symbols.
    pub bare: bool,
}

impl Filter {
    fn takes(&self, hart: usize, retired: &Retired) -> bool {
        let pc = u64::from(retired.pc_rdata);
        (self.harts.is_empty() || self.harts.contains(&(hart as u32)))
            && (self.addresses.is_empty() || self.addresses.iter().any(|range| range.contains(&pc)))
            && (!self.user || retired.mode == Mode::User)
    }
}

/// Writes the commit log.
pub struct CommitLog<W> {
    to: W,
    filter: Filter,
    lines: Arc<LineMap>,
    /// What could not be written.
    wrong: Option<io::Error>,
    written: u64,
}

impl<W: Write> CommitLog<W> {
    /// Nothing yet.
    pub fn new(to: W, filter: Filter, lines: Arc<LineMap>) -> Self {
        Self { to, filter, lines, wrong: None, written: 0 }
    }

    /// An instruction ended: its hart's number, the hart after it, what it did.
    pub fn see(&mut self, number: usize, hart: &Hart, retired: &Retired) {
        if self.wrong.is_some() || !self.filter.takes(number, retired) {
            return;
        }
        self.written += 1;
        self.wrong = self.line(number, hart, retired).err();
    }

    /// Everything was seen: how many instructions were written.
    ///
    /// # Errors
    /// If something could not be written.
    pub fn finish(mut self) -> io::Result<u64> {
        match self.wrong.take() {
            Some(error) => Err(error),
            None => self.to.flush().map(|()| self.written),
        }
    }

    fn line(&mut self, number: usize, hart: &Hart, retired: &Retired) -> io::Result<()> {
        let Retired { pc_rdata: pc, insn, .. } = *retired;
        let to = &mut self.to;
        if !self.filter.bare {
            if let Some((name, 0)) = self.lines.symbols().at(pc.into()) {
                writeln!(to, "core{number:4}: >>>>  {name}")?;
            }
            writeln!(to, "core{number:4}: {pc:#010x} ({insn:#010x}) {}", Disassembled(insn))?;
        }
        if retired.trap {
            let cause = exception(retired.cause);
            writeln!(to, "core{number:4}: exception trap_{cause}, epc {pc:#010x}")?;
            return writeln!(to, "core{number:4}:           tval {:#010x}", hart.csrs().trap_value);
        }
        let mode = match retired.mode {
            Mode::User => 0,
            Mode::Machine => 3,
        };
        write!(to, "core{number:4}: {mode} {pc:#010x} ({insn:#010x})")?;
        if retired.rd_addr != 0 {
            write!(to, " x{:<2} {:#010x}", retired.rd_addr, retired.rd_wdata)?;
        }
        if let Some((csr, value)) = csr_written(hart, retired) {
            write!(to, " c{csr}_{} {value:#010x}", csr_name(csr))?;
        }
        if let Some((address, _)) = lanes(retired, retired.mem_rmask) {
            write!(to, " mem {address:#010x}")?;
        }
        if let Some((address, bytes)) = lanes(retired, retired.mem_wmask) {
            let lane = 8 * (address & 3);
            let value = u64::from(retired.mem_wdata >> lane) & ((1u64 << (8 * bytes)) - 1);
            write!(to, " mem {address:#010x} {value:#0width$x}", width = 2 + 2 * bytes)?;
        }
        writeln!(to)
    }
}

/// What Spike calls an exception.
fn exception(cause: Option<Cause>) -> &'static str {
    const NAMES: [&str; 12] = [
        "instruction_address_misaligned",
        "instruction_access_fault",
        "illegal_instruction",
        "breakpoint",
        "load_address_misaligned",
        "load_access_fault",
        "store_address_misaligned",
        "store_access_fault",
        "user_ecall",
        "supervisor_ecall",
        "virtual_supervisor_ecall",
        "machine_ecall",
    ];
    cause.and_then(|cause| NAMES.get(cause.mcause() as usize)).unwrap_or(&"unknown")
}

/// The CSR that an instruction wrote, and what it holds then.
fn csr_written(hart: &Hart, retired: &Retired) -> Option<(u32, u32)> {
    const MSTATUS: u32 = 0x300;
    let decoded = decode(retired.insn);
    let csr = match decoded.op {
        Op::Mret => MSTATUS,
        Op::Csr(CsrAction::Write { .. }) => decoded.imm,
        // Setting and clearing nothing does not write.
        Op::Csr(_) if decoded.rs1_bits() != 0 => decoded.imm,
        _ => return None,
    };
    Some((csr, hart.csrs().numbered(csr)?))
}

/// The first byte that an instruction accessed, and how many.
fn lanes(retired: &Retired, mask: u8) -> Option<(u32, usize)> {
    (mask != 0).then(|| (retired.mem_addr + mask.trailing_zeros(), mask.count_ones() as usize))
}
