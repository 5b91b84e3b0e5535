//! The RTL machine as a target: the model, its memory, the host on its bus, and instruments.

use border::clint;
use border::monitor::{self, Word};
use border::{Place, Stop, Target, Whereabouts};
use golden::memory::Watched;
use std::collections::VecDeque;
use std::ops::Range;

use super::export::Wait;
use super::instruments::{Instruments, mismatch};
use super::soc::{HostAccess, LINE_WORDS, Tick};
use super::traps::Traps;
use super::{MachineError, Soc};

/// Cycles without a retired instruction before a hang is suspected.
const QUIET: u64 = 1 << 16;
/// Timeout for a host access, in cycles.
const LONGEST_ANSWER: u64 = 1 << 20;
/// Cycles between checks of the limit and of progress.
const BLOCK: u64 = 1 << 10;
/// Trap loops are looked for in one block out of this many cycles.
const LOOK_FOR_TRAPS: u64 = 1 << 16;
/// Instructions after which a hart is assumed not to write the other half of `tohost`.
const PATIENCE: u32 = 8;
/// Cycles after which the same is assumed.
const LONGEST_WORD: u64 = 4096;

/// A running machine.
pub struct Simulation {
    /// The model and its memory.
    pub soc: Soc,
    pub(super) instruments: Instruments,
    /// No instrument is on.
    idle: bool,
    watched: Option<Place>,
    /// The last write to the watched word that was not handled yet, and its cycle.
    tohost_write: Option<(u64, Watched)>,
    serial: Vec<u8>,
    /// Bytes for the serial port that were not offered to it yet.
    to_send: VecDeque<u8>,
    traps: Traps,
    /// The last cycle in which progress was seen, and the number of instructions retired by then.
    moved: (u64, u64),
}

impl Simulation {
    pub(super) fn new(soc: Soc, instruments: Instruments) -> Self {
        Self {
            idle: instruments.is_idle(),
            traps: Traps::new(soc.harts()),
            moved: (soc.cycle(), soc.ended()),
            soc,
            instruments,
            watched: None,
            tohost_write: None,
            serial: Vec::new(),
            to_send: VecDeque::new(),
        }
    }

    /// Releases the harts.
    pub(super) fn start(&mut self) {
        self.soc.run(true);
        self.moved = (self.soc.cycle(), self.soc.ended());
    }

    /// Runs one cycle with all instruments.
    #[inline]
    fn step(&mut self) -> Result<(), MachineError> {
        if !self.to_send.is_empty() {
            self.feed();
        }
        let Tick { watched, sent } = self.soc.tick()?;
        if !self.idle {
            self.instruments.cycle(&self.soc, watched)?;
        }
        // A low half of 0 can be part of a command.
        if let Some(watched) = watched.filter(|watched| watched.data != 0 || self.has_high_half()) {
            self.tohost_write = Some((self.soc.cycle() - 1, watched));
        }
        self.serial.extend(sent);
        Ok(())
    }

    /// Offers the next byte to the serial port once the one before was accepted.
    #[cold]
    fn feed(&mut self) {
        if self.soc.sending().is_none()
            && let Some(byte) = self.to_send.pop_front()
        {
            self.soc.send(byte);
        }
    }

    /// Runs one cycle and looks for trap loops.
    fn step_looking(&mut self) -> Result<(), MachineError> {
        self.step()?;
        let observed = self.soc.observe();
        for hart in 0..observed.harts() {
            if let Some(record) = observed.retired(hart) {
                self.traps.ended(hart, &record);
            }
        }
        Ok(())
    }

    /// Runs to cycle `next`, or until the program writes `tohost`.
    fn block(&mut self, cycle: u64, next: u64, looking: bool) -> Result<(), MachineError> {
        let mut cycle = cycle;
        if looking {
            self.traps.clear();
        }
        while cycle < next && self.tohost_write.is_none() {
            if looking {
                self.step_looking()?
            } else {
                self.step()?
            }
            cycle += 1;
        }
        Ok(())
    }

    /// Whether `tohost` has 64 bits.
    fn has_high_half(&self) -> bool {
        self.watched.is_some_and(|place| place.size != 4)
    }

    /// The 64-bit word that a hart wrote to `tohost`. The high half, which distinguishes a character from
    /// an exit code, may be written before or after the low half: this waits until the hart has had time
    /// to write it. It is 0 if the program only cleared the word.
    fn word(&mut self, write: Watched) -> Result<u64, MachineError> {
        let Some(place) = self.watched.filter(|_| self.has_high_half()) else {
            return Ok(write.data.into());
        };
        let high = self.high_half(place, write)?;
        Ok(u64::from(high) << 32 | u64::from(write.data))
    }

    fn high_half(&mut self, place: Place, write: Watched) -> Result<u32, MachineError> {
        let high = place.address + 4;
        let (mut ended, start) = (0, self.soc.cycle());
        // The low half has yet to retire.
        while ended <= PATIENCE && self.soc.cycle() - start < LONGEST_WORD {
            self.step()?;
            let is_other = |(_, next): (u64, Watched)| write.data == 0 && next.data != 0;
            if self.tohost_write.is_some_and(is_other) {
                // It was cleared, and the next word came at once.
                return Ok(0);
            }
            let Some(record) = self.soc.observe().retired(usize::from(write.hart)) else {
                continue;
            };
            if record.mem_wmask != 0 && record.mem_addr == high {
                self.tohost_write = None;
                return Ok(record.mem_wdata);
            }
            ended += 1;
        }
        // The high half was written before, if at all. A write seen meanwhile belongs to the same word.
        self.tohost_write = None;
        Ok((self.host_read(place.address)? >> 32) as u32)
    }

    /// Performs one host access and returns the answer.
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
    fn host_read(&mut self, address: u32) -> Result<u64, MachineError> {
        let mask = self.soc.line_bytes() - 1;
        let (mask_bits, data) = ([0; LINE_WORDS / 8], [0; LINE_WORDS]);
        let access = HostAccess { write: false, address: address & !mask, mask: mask_bits, data };
        Ok(self.host(&access)?[((address & mask) / 8) as usize])
    }

    /// Writes a 64-bit word.
    fn host_write(&mut self, address: u32, value: u64) -> Result<(), MachineError> {
        let mask = self.soc.line_bytes() - 1;
        let word = ((address & mask) / 8) as usize;
        let (mut mask_bits, mut data) = ([0; LINE_WORDS / 8], [0; LINE_WORDS]);
        mask_bits[word / 8] = 0xff << (word % 8 * 8);
        data[word] = value;
        let address = address & !mask;
        self.host(&HostAccess { write: true, address, mask: mask_bits, data })?;
        Ok(())
    }

    /// Reads a 32-bit device register, or writes `value` to it.
    fn host_device(&mut self, address: u32, value: Option<u32>) -> Result<u32, MachineError> {
        let (mut mask, mut data) = ([0; LINE_WORDS / 8], [0; LINE_WORDS]);
        if let Some(value) = value {
            mask[0] = 0xf;
            data[0] = u64::from(value);
        }
        let access = HostAccess { write: value.is_some(), address, mask, data };
        Ok(self.host(&access)?[0] as u32)
    }

    /// Sets the filter of every hart's monitor: this range of code, in both modes (docs/units.md, `comm_monitor`).
    pub(super) fn preset_monitors(&mut self, range: Range<u32>) -> Result<(), MachineError> {
        let fields = [Word::ENABLE, Word::SELECT_USER, Word::SELECT_MACHINE];
        let control = fields.iter().fold(0, |control, field| control | field.mask());
        for hart in 0..self.soc.harts() as u32 {
            for (word, value) in [
                (Word::RangeLow, range.start),
                (Word::RangeHigh, range.end),
                (Word::Control, control),
            ] {
                self.set_device(monitor::address(hart, word), value)?;
            }
        }
        Ok(())
    }

    /// Writes registers of devices.
    pub(super) fn preset_devices(&mut self, writes: &[(u32, u32)]) -> Result<(), MachineError> {
        writes.iter().try_for_each(|&(address, value)| self.set_device(address, value))
    }

    /// Whether any hart can make progress: it is running, waits for an interrupt with its timer set, or is held at a
    /// breakpoint, which ends by itself.
    fn can_go_on(&mut self, a_hart_runs: bool) -> Result<bool, MachineError> {
        for hart in 0..self.soc.harts() {
            let Wait { reason, .. } = self.soc.wait(hart);
            if reason == Wait::HELD {
                return Ok(true);
            }
            let waits = reason == Wait::WFI;
            if waits && self.a_timer_is_set(hart as u32)? {
                return Ok(true);
            }
            if a_hart_runs && !waits && self.traps.of(hart).is_none() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn a_timer_is_set(&mut self, hart: u32) -> Result<bool, MachineError> {
        let low = self.device(clint::Word::Mtimecmp.address(hart))?;
        let high = self.device(clint::Word::MtimecmpHigh.address(hart))?;
        Ok((low, high) != (u32::MAX, u32::MAX))
    }
}

impl Target for Simulation {
    type Error = MachineError;

    const TIME_UNIT: &'static str = "cycle";

    fn harts(&self) -> usize {
        self.soc.harts()
    }

    fn ram(&self) -> Range<u64> {
        self.soc.ram_range()
    }

    fn time(&self) -> u64 {
        self.soc.cycle()
    }

    fn watch(&mut self, place: Place) -> Result<(), MachineError> {
        self.soc.watch(place.address);
        self.watched = Some(place);
        Ok(())
    }

    fn run(&mut self, limit: u64) -> Result<Stop, MachineError> {
        loop {
            let cycle = self.soc.cycle();
            let next = limit.min(cycle + BLOCK);
            let looking = cycle % LOOK_FOR_TRAPS < BLOCK || next == limit;
            self.block(cycle, next, looking)?;
            if self.moved.1 != self.soc.ended() {
                self.moved = (self.soc.cycle(), self.soc.ended());
            }
            if let Some((time, write)) = self.tohost_write.take() {
                match self.word(write)? {
                    0 => continue,
                    word => return Ok(Stop::Told { hart: write.hart.into(), word, time }),
                }
            }
            if self.soc.cycle() >= limit {
                return Ok(Stop::Limit);
            }
            let traps_only = looking && (0..self.harts()).any(|hart| self.traps.of(hart).is_some());
            let quiet = self.soc.cycle() - self.moved.0 > QUIET;
            if (quiet || traps_only) && !self.can_go_on(!quiet)? {
                return Ok(Stop::Stuck);
            }
            if quiet {
                self.moved.0 = self.soc.cycle();
            }
            if !self.serial.is_empty() {
                return Ok(Stop::Serial);
            }
        }
    }

    fn acknowledge(&mut self) -> Result<(), MachineError> {
        self.tohost_write = None;
        match self.watched {
            Some(place) => self.host_write(place.address, 0),
            None => Ok(()),
        }
    }

    fn take_serial(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.serial)
    }

    fn feed_serial(&mut self, bytes: &[u8]) {
        self.to_send.extend(bytes);
    }

    /// With the bytes beside them left out of the access.
    fn store(&mut self, address: u32, bytes: &[u8]) -> Result<(), MachineError> {
        let line = self.soc.line_bytes() as usize;
        let mut done = 0;
        while done < bytes.len() {
            let at = address.wrapping_add(done as u32);
            let first = at as usize & (line - 1);
            let count = (line - first).min(bytes.len() - done);
            let (mut mask, mut data) = ([0; LINE_WORDS / 8], [0; LINE_WORDS]);
            for (place, byte) in (first..).zip(&bytes[done..done + count]) {
                mask[place / 64] |= 1 << (place % 64);
                data[place / 8] |= u64::from(*byte) << (8 * (place % 8));
            }
            let address = at & !(line as u32 - 1);
            self.host(&HostAccess { write: true, address, mask, data })?;
            done += count;
        }
        Ok(())
    }

    fn read(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), MachineError> {
        let first = address & !7;
        let start = (address - first) as usize;
        let mut words = Vec::with_capacity(start + bytes.len() + 8);
        let mut address = first;
        while words.len() < start + bytes.len() {
            words.extend(self.host_read(address)?.to_le_bytes());
            address += 8;
        }
        bytes.copy_from_slice(&words[start..start + bytes.len()]);
        Ok(())
    }

    fn write(&mut self, address: u32, value: u64) -> Result<(), MachineError> {
        self.host_write(address, value)
    }

    fn device(&mut self, address: u32) -> Result<u32, MachineError> {
        self.host_device(address, None)
    }

    fn set_device(&mut self, address: u32, value: u32) -> Result<(), MachineError> {
        self.host_device(address, Some(value)).map(drop)
    }

    fn whereabouts(&self, hart: usize) -> Result<Whereabouts, MachineError> {
        let Wait { pc, .. } = self.soc.wait(hart);
        let (pc, doing) = self.traps.of(hart).unwrap_or((pc, self.soc.wait(hart).doing()));
        Ok(Whereabouts { pc, doing })
    }
}
