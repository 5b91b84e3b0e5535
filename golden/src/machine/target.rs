//! The golden machine, running alone, as a target: time is the number of instructions of all harts.

use super::alone::{Limits, Machine, Stop};
use super::waiting::Waits;
use border::interrupt::Cause;
use border::map::RAM;
use border::{Doing, Place, Target, Whereabouts};
use std::ops::Range;

/// Instructions after which a hart is assumed not to write the other half of `tohost`.
const PATIENCE: u64 = 8;
/// Instructions of all harts after which the same is assumed.
const LONGEST_WORD: u64 = 4096;
/// Largest character of the console device; a larger word is the address of a call.
const LARGEST_CHARACTER: u32 = 0xff;

/// A host access that the machine cannot perform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// No memory or device at the address.
    #[error("no memory or device at {address:#x}")]
    Vacant {
        /// Address of the access.
        address: u32,
    },
}

impl Machine {
    /// Whether `tohost` has 64 bits: then a low half of 0 can be part of a command.
    pub(super) fn has_high_half(&self) -> bool {
        self.told_at.is_some_and(|place| place.size != 4)
    }

    /// The 64-bit word that a hart is writing to `tohost`, and the hart. Of a low half of 0, which is also how a program
    /// clears the word, it is the next word if that comes before the high half does.
    fn word(&mut self, hart: usize, low: u32) -> (usize, u64) {
        let Some(place) = self.told_at.filter(|_| self.has_high_half()) else {
            return (hart, low.into());
        };
        let high = |machine: &Self| machine.host_word(place.address + 4).unwrap_or(0);
        let (mine, all) = (self.hart(hart).ended(), self.instructions());
        // A call's address has an empty high half and is answered at once.
        while low <= LARGEST_CHARACTER
            && high(self) == 0
            && self.hart(hart).ended() - mine < PATIENCE
            && self.instructions() - all < LONGEST_WORD
        {
            let next = Limits { instructions: self.instructions() + 1 };
            match self.until_told(next) {
                Stop::Deadlock => break,
                Stop::Host { hart, value } if low == 0 && value != 0 => {
                    return self.word(hart, value);
                }
                _ => {}
            }
        }
        (hart, u64::from(high(self)) << 32 | u64::from(low))
    }
}

impl Target for Machine {
    type Error = Refused;

    const TIME_UNIT: &'static str = "instruction";

    fn harts(&self) -> usize {
        Self::harts(self)
    }

    fn ram(&self) -> Range<u64> {
        u64::from(RAM.base)..u64::from(self.memory().map().ram_last) + 1
    }

    fn time(&self) -> u64 {
        self.instructions()
    }

    fn watch(&mut self, place: Place) -> Result<(), Refused> {
        self.told_at = Some(place);
        Self::watch(self, place.address);
        Ok(())
    }

    fn run(&mut self, limit: u64) -> Result<border::Stop, Refused> {
        Ok(loop {
            match self.until_told(Limits { instructions: limit }) {
                Stop::Host { hart, value } => {
                    let time = self.instructions();
                    let (hart, word) = self.word(hart, value);
                    // The program cleared it.
                    if word != 0 {
                        break border::Stop::Told { hart, word, time };
                    }
                }
                // The host decides whether a word is an exit code.
                Stop::Exit { .. } | Stop::Deadlock => break border::Stop::Stuck,
                Stop::Limit => break border::Stop::Limit,
            }
        })
    }

    fn acknowledge(&mut self) -> Result<(), Refused> {
        if let Some(place) = self.told_at {
            self.clear(place.address, if place.size == 4 { 4 } else { 8 });
        }
        Ok(())
    }

    fn take_serial(&mut self) -> Vec<u8> {
        let new = self.console()[self.serial_taken..].to_vec();
        self.serial_taken += new.len();
        new
    }

    fn feed_serial(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.send(*byte));
    }

    fn read(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), Refused> {
        let mut done = 0;
        while done < bytes.len() {
            let address = address.wrapping_add(done as u32);
            if !self.ram().contains(&u64::from(address)) {
                return Err(Refused::Vacant { address });
            }
            let line = self.memory().current_line(address);
            let line = &line[address as usize & (line.len() - 1)..];
            let count = line.len().min(bytes.len() - done);
            bytes[done..done + count].copy_from_slice(&line[..count]);
            done += count;
        }
        Ok(())
    }

    fn write(&mut self, address: u32, value: u64) -> Result<(), Refused> {
        self.set_device(address, value as u32)?;
        self.set_device(address + 4, (value >> 32) as u32)
    }

    fn device(&mut self, address: u32) -> Result<u32, Refused> {
        self.host_device(address).ok_or(Refused::Vacant { address })
    }

    fn set_device(&mut self, address: u32, value: u32) -> Result<(), Refused> {
        if self.host_write(address, value) { Ok(()) } else { Err(Refused::Vacant { address }) }
    }

    fn whereabouts(&self, hart: usize) -> Result<Whereabouts, Refused> {
        let core = self.hart(hart);
        let csrs = core.csrs();
        let doing = match self.waits(hart) {
            _ if core.traps_for_ever() => Doing::Trapping {
                cause: Cause::of_mcause(csrs.cause),
                value: Some(csrs.trap_value),
            },
            Some(Waits::Interrupt) => Doing::Waiting("waiting for an interrupt (wfi)"),
            Some(Waits::Table) => Doing::Waiting("waiting for room in the communication table"),
            None => Doing::Running,
        };
        Ok(Whereabouts { pc: core.pc(), doing })
    }
}
