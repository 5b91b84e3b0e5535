//! A run as text: one line per instruction and per transaction.

use std::fmt::Write as _;
use std::io::{self, Write};

use golden::Mode;
use golden::isa::Retired;
use golden::memory::{BusGrant, BusKind, NOBODY, Tap};

use super::export::Observed;

/// Writes a line per event.
pub struct Trace {
    out: Box<dyn Write + Send>,
    line: String,
}

impl Trace {
    /// Writes to `out`.
    pub fn to(out: Box<dyn Write + Send>) -> Self {
        Self { out, line: String::new() }
    }

    /// Writes the events of one cycle.
    pub(super) fn cycle(&mut self, number: u64, cycle: &Observed<'_>) -> io::Result<()> {
        self.line.clear();
        if let Some(grant) = cycle.bus() {
            let _ = write!(self.line, "{number:>8}  bus ");
            describe_grant(&mut self.line, &grant, cycle.tap());
        }
        for hart in 0..cycle.harts() {
            if let Some(record) = cycle.retired(hart) {
                let _ = write!(self.line, "{number:>8}  h{hart:<3}");
                describe_record(&mut self.line, &record);
            }
        }
        if self.line.is_empty() { Ok(()) } else { self.out.write_all(self.line.as_bytes()) }
    }

    /// Flushes the output.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn describe_grant(line: &mut String, grant: &BusGrant, tap: Option<Tap>) {
    let kind = match grant.kind {
        BusKind::Read => "Read",
        BusKind::ReadX => "ReadX",
        BusKind::Upgrade => "Upgrade",
        BusKind::Fetch => "Fetch",
        BusKind::Device => "Device",
        BusKind::HostRead => "HostRead",
        BusKind::HostWrite => "HostWrite",
        BusKind::Walk => "Walk",
        BusKind::Clean => "Clean",
    };
    let who = match grant.requester {
        NOBODY => "host".to_owned(),
        hart => format!("h{hart}"),
    };
    let _ = write!(line, "{kind:9} {who:4} {:08x}", grant.address);
    if grant.kind.is_coherent() {
        let _ = write!(line, " #{} way {}", grant.time, grant.way);
        if grant.holders != 0 {
            let _ = write!(line, " holders {:b}", grant.holders);
        }
        if grant.supplier != NOBODY {
            let _ = write!(line, " from h{}", grant.supplier);
        }
        if grant.victim {
            let dirty = if grant.victim_dirty { " dirty" } else { "" };
            let _ = write!(line, " evicts {:08x}{dirty}", grant.victim_address);
        }
        if grant.monitored {
            line.push_str(" monitored");
        }
    }
    if let Some(Tap { edge, lost }) = tap {
        let (source, sink) = (edge.source, edge.sink);
        let _ = write!(
            line,
            " edge {:?} h{} {:x}/{:x} -> h{} {:x}/{:x}{}",
            edge.kind,
            source.hart.0,
            source.pc.0,
            source.ctx.0,
            sink.hart.0,
            sink.pc.0,
            sink.ctx.0,
            if lost { " lost" } else { "" }
        );
    }
    line.push('\n');
}

fn describe_record(line: &mut String, record: &Retired) {
    let mode = if record.mode == Mode::Machine { 'M' } else { 'U' };
    let _ = write!(line, " {mode} {:08x} {:08x}", record.pc_rdata, record.insn);
    if record.intr {
        line.push_str(" handler");
    }
    if let Some(cause) = record.cause {
        let _ = write!(line, " trap {:#x}", cause.mcause());
    }
    if record.rd_addr != 0 {
        let _ = write!(line, " x{}={:08x}", record.rd_addr, record.rd_wdata);
    }
    if record.mem_rmask != 0 {
        let _ = write!(line, " read {:08x}={:08x}", record.mem_addr, record.mem_rdata);
    }
    if record.mem_wmask != 0 {
        let _ = write!(line, " wrote {:08x}={:08x}", record.mem_addr, record.mem_wdata);
    }
    if record.pc_wdata != record.pc_rdata.wrapping_add(4) {
        let _ = write!(line, " to {:08x}", record.pc_wdata);
    }
    line.push('\n');
}
