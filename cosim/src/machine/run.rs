//! Running a program to its end: the loop around the machine.

use border::clint;
use border::monitor::{self, Word};
use std::io::Write;
use std::ops::Range;

use config::Config;
use golden::machine::Disagreement;
use golden::memory::{Tap, Watched};

use super::accesses::Accesses;
use super::export::Observed;
use super::lockstep::Lockstep;
use super::soc::{HostAccess, LINE_WORDS, Tick};
use super::stats::Stats;
use super::trace::Trace;
use super::{End, Hang, MachineError, Outcome, Program, Ram, Sent, Soc};
use crate::Library;

/// Cycles in which no hart ends an instruction before that is looked into.
const QUIET: u64 = 1 << 16;
/// Cycles within which the bus must answer the host.
const LONGEST_ANSWER: u64 = 1 << 20;

/// Looks at a cycle, with its number.
pub type Observer = Box<dyn FnMut(u64, &Observed<'_>) + Send>;

/// What to do beside running.
#[derive(Default)]
pub struct Options {
    /// The cycle in which the run is stopped; none: only the program or a hang ends it.
    pub limit: Option<u64>,
    /// Count.
    pub stats: bool,
    /// Write down every instruction and transaction.
    pub trace: Option<Trace>,
    /// Compare with the golden machine.
    pub lockstep: bool,
    /// Keep the edges that the tap shows.
    pub collect: bool,
    /// Keep every data access to memory, in order.
    pub accesses: bool,
    /// Show every cycle to this.
    pub observer: Option<Observer>,
    /// Set every hart's monitor to this range of code, in both modes, before the harts start. A machine
    /// without monitors ignores it, in the same number of cycles.
    pub monitor: Option<Range<u32>>,
    /// Words of memory to change before the start: address and value.
    pub patches: Vec<(u32, u32)>,
}

/// What looks on, if anything does.
#[derive(Default)]
struct Instruments {
    stats: Option<Stats>,
    trace: Option<Trace>,
    lockstep: Option<Lockstep>,
    edges: Option<Vec<Tap>>,
    accesses: Option<Accesses>,
    observer: Option<Observer>,
}

impl Instruments {
    fn is_idle(&self) -> bool {
        self.stats.is_none()
            && self.trace.is_none()
            && self.lockstep.is_none()
            && self.edges.is_none()
            && self.accesses.is_none()
            && self.observer.is_none()
    }

    fn cycle(&mut self, soc: &Soc, watched: Option<Watched>) -> Result<(), MachineError> {
        let (cycle, observed) = (soc.cycle() - 1, soc.observe());
        if let Some(trace) = &mut self.trace {
            trace.cycle(cycle, &observed).map_err(MachineError::Output)?;
        }
        if let Some(stats) = &mut self.stats {
            stats.count(&observed);
        }
        if let Some(edges) = &mut self.edges {
            edges.extend(observed.tap());
        }
        if let Some(accesses) = &mut self.accesses {
            accesses.cycle(&observed);
        }
        if let Some(observer) = &mut self.observer {
            observer(cycle, &observed);
        }
        if let Some(lockstep) = &mut self.lockstep {
            lockstep.cycle(cycle - 1, &observed, watched).map_err(|d| mismatch(&d))?;
        }
        Ok(())
    }
}

/// The golden machine counts cycles from the first after reset, the model from reset.
fn mismatch(disagreement: &Disagreement) -> MachineError {
    let disagreement = Disagreement { cycle: disagreement.cycle + 1, ..*disagreement };
    MachineError::Mismatch { cycle: disagreement.cycle, report: disagreement.to_string() }
}

/// A program on a machine.
pub struct Run<'a> {
    pub(super) soc: Soc,
    pub(super) program: &'a Program,
    pub(super) console: &'a mut dyn Write,
    pub(super) sent: Sent,
    instruments: Instruments,
    idle: bool,
    limit: u64,
    /// The last nonzero word written to `tohost` that was not looked at yet, and in which cycle.
    pub(super) told: Option<(u64, Watched)>,
}

impl<'a> Run<'a> {
    /// A machine with the program in its memory, at the start.
    ///
    /// # Errors
    /// If the model is no machine of this configuration, or there is no golden machine for it.
    pub fn new(
        library: &Library,
        config: &Config,
        program: &'a Program,
        options: Options,
        console: &'a mut dyn Write,
    ) -> Result<Self, MachineError> {
        let mut ram = Ram::new(config.simulation.ram_bytes);
        ram.load(program);
        ram.enter(program, config.reset_vector)?;
        for (address, word) in options.patches {
            ram.patch(address, word);
        }
        let mut lockstep =
            options.lockstep.then(|| Lockstep::new(config, program, &ram)).transpose()?;
        if let Some(lockstep) = lockstep.as_mut().filter(|_| options.accesses) {
            lockstep.keep_accesses();
        }
        let mut soc = Soc::new(library, config, ram)?;
        if let Some(tohost) = program.tohost {
            soc.watch(tohost.address);
        }
        let instruments = Instruments {
            stats: options.stats.then(|| Stats::new(soc.harts())),
            trace: options.trace,
            lockstep,
            edges: options.collect.then(Vec::new),
            accesses: options.accesses.then(|| Accesses::new(soc.harts())),
            observer: options.observer,
        };
        let mut run = Self {
            idle: instruments.is_idle(),
            soc,
            program,
            console,
            sent: Sent::default(),
            instruments,
            limit: options.limit.unwrap_or(u64::MAX),
            told: None,
        };
        if let Some(range) = options.monitor {
            run.preset_monitors(range)?;
        }
        run.soc.run(true);
        Ok(run)
    }

    /// The machine, for waveforms.
    pub fn soc_mut(&mut self) -> &mut Soc {
        &mut self.soc
    }

    /// Runs to the end.
    ///
    /// # Errors
    /// If hardware and model differ, the design complains, or output cannot be passed on.
    pub fn finish(mut self) -> Result<Outcome, MachineError> {
        let end = self.until_the_end()?;
        let cycles = self.soc.cycle();
        let Instruments { stats, trace, lockstep, edges, accesses, .. } = self.instruments;
        if let Some(mut trace) = trace {
            trace.finish().map_err(MachineError::Output)?;
        }
        let (compared, followed) = match lockstep {
            Some(lockstep) => {
                let end = lockstep.finish().map_err(|d| mismatch(&d))?;
                (end.instructions, end.accesses)
            }
            None => (0, Vec::new()),
        };
        self.console.flush().map_err(MachineError::Output)?;
        Ok(Outcome {
            end,
            cycles,
            compared,
            stats,
            edges: edges.unwrap_or_default(),
            accesses: accesses.map(Accesses::finish).unwrap_or_default(),
            followed,
            sent: self.sent,
            soc: self.soc,
        })
    }

    fn until_the_end(&mut self) -> Result<End, MachineError> {
        let (mut moved, mut ended) = (self.soc.cycle(), self.soc.ended());
        loop {
            let mut cycle = self.soc.cycle();
            // As many cycles as possible between looks at the clock.
            let next = self.limit.min(cycle + 1024);
            while cycle < next && self.told.is_none() {
                self.step()?;
                cycle += 1;
            }
            if ended != self.soc.ended() {
                (moved, ended) = (cycle, self.soc.ended());
            }
            if let Some((cycle, told)) = self.told.take()
                && let Some(code) = self.listen(cycle, told)?
            {
                return Ok(End::Exit { code, cycle });
            }
            if self.soc.cycle() >= self.limit {
                return Ok(End::Limit);
            }
            if self.soc.cycle() - moved > QUIET {
                if !self.a_timer_is_set()? {
                    return Ok(End::Hang(Hang::of(&self.soc, self.program)));
                }
                moved = self.soc.cycle();
            }
        }
    }

    /// One cycle, with everything that looks on.
    #[inline]
    pub(super) fn step(&mut self) -> Result<(), MachineError> {
        let Tick { watched, sent } = self.soc.tick()?;
        if !self.idle {
            self.instruments.cycle(&self.soc, watched)?;
        }
        if let Some(watched) = watched.filter(|watched| watched.data != 0) {
            self.told = Some((self.soc.cycle() - 1, watched));
        }
        if let Some(byte) = sent {
            self.print(&[byte])?;
        }
        Ok(())
    }

    pub(super) fn print(&mut self, bytes: &[u8]) -> Result<(), MachineError> {
        self.console.write_all(bytes).map_err(MachineError::Output)?;
        if bytes.contains(&b'\n') {
            self.console.flush().map_err(MachineError::Output)?;
        }
        Ok(())
    }

    /// One access of the host, to its answer.
    fn host(&mut self, access: &HostAccess) -> Result<[u64; LINE_WORDS], MachineError> {
        let line_bytes = self.soc.line_bytes() as usize;
        if let Some(lockstep) = &mut self.instruments.lockstep {
            lockstep.request(access, line_bytes);
        }
        self.soc.offer(access);
        let start = self.soc.cycle();
        let mut answer = [0; LINE_WORDS];
        loop {
            self.step()?;
            if let Some(words) = self.soc.answer() {
                answer[..words.len()].copy_from_slice(words);
                if let Some(lockstep) = &mut self.instruments.lockstep {
                    lockstep.answer(words).map_err(|d| mismatch(&d))?;
                }
                return Ok(answer);
            }
            let waited = self.soc.cycle() - start;
            if waited > LONGEST_ANSWER {
                return Err(MachineError::NoAnswer { cycle: self.soc.cycle(), waited });
            }
        }
    }

    /// The current 64-bit word at an address in RAM.
    pub(super) fn host_read(&mut self, address: u32) -> Result<u64, MachineError> {
        let mask = self.soc.line_bytes() - 1;
        let (mask_bits, data) = ([0; LINE_WORDS / 8], [0; LINE_WORDS]);
        let access = HostAccess { write: false, address: address & !mask, mask: mask_bits, data };
        Ok(self.host(&access)?[((address & mask) / 8) as usize])
    }

    /// Writes a 64-bit word.
    pub(super) fn host_write(&mut self, address: u32, value: u64) -> Result<(), MachineError> {
        let mask = self.soc.line_bytes() - 1;
        let word = ((address & mask) / 8) as usize;
        let (mut mask_bits, mut data) = ([0; LINE_WORDS / 8], [0; LINE_WORDS]);
        mask_bits[word / 8] = 0xff << (word % 8 * 8);
        data[word] = value;
        let address = address & !mask;
        self.host(&HostAccess { write: true, address, mask: mask_bits, data })?;
        Ok(())
    }

    /// A 32-bit word of a device; written if there is a value.
    fn host_device(&mut self, address: u32, value: Option<u32>) -> Result<u32, MachineError> {
        let (mut mask, mut data) = ([0; LINE_WORDS / 8], [0; LINE_WORDS]);
        if let Some(value) = value {
            mask[0] = 0xf;
            data[0] = u64::from(value);
        }
        let access = HostAccess { write: value.is_some(), address, mask, data };
        Ok(self.host(&access)?[0] as u32)
    }

    /// Sets the filter of every hart's monitor (docs/units.md, `comm_monitor`).
    fn preset_monitors(&mut self, range: Range<u32>) -> Result<(), MachineError> {
        let all = Word::ENABLE.mask() | Word::SELECT_USER.mask() | Word::SELECT_MACHINE.mask();
        for hart in 0..self.soc.harts() as u32 {
            self.host_device(monitor::address(hart, Word::RangeLow), Some(range.start))?;
            self.host_device(monitor::address(hart, Word::RangeHigh), Some(range.end))?;
            self.host_device(monitor::address(hart, Word::Control), Some(all))?;
        }
        Ok(())
    }

    /// Whether some hart that waits for an interrupt has a timer that will come.
    fn a_timer_is_set(&mut self) -> Result<bool, MachineError> {
        for hart in 0..self.soc.harts() {
            if self.soc.wait(hart).reason == super::Wait::WFI {
                let compare = |word: clint::Word| word.address(hart as u32);
                let low = self.host_device(compare(clint::Word::Mtimecmp), None)?;
                let high = self.host_device(compare(clint::Word::MtimecmpHigh), None)?;
                if (low, high) != (u32::MAX, u32::MAX) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}
