//! A target: a machine that runs a program and can be inspected.
//!
//! The RTL machine in simulation, the golden machine and a board are targets. The host's side of `tohost`
//! ([`crate::tohost`]) is written once, over this trait; so will a debugger be. A target reports what it
//! does not support in its own error type.
//!
//! Hot loops stay inside [`Target::run`]: it is called once per word that the program writes to `tohost`.

use std::fmt;
use std::ops::Range;

use crate::Place;
use crate::interrupt::Cause;

/// Why a target stopped running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The program wrote a nonzero word to the watched address.
    Told {
        /// The hart that wrote it.
        hart: usize,
        /// The word. If the symbol has 64 bits, both halves, in whichever order they were written.
        word: u64,
        /// Time at which the low half was written.
        time: u64,
    },
    /// The serial port has sent bytes; see [`Target::take_serial`].
    Serial,
    /// No hart can make progress, and nothing will wake one.
    Stuck,
    /// The limit was reached.
    Limit,
}

/// Activity of a hart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Executes instructions.
    Running,
    /// Waits for this.
    Waiting(&'static str),
    /// In a trap loop: it traps at the first instruction of its own trap handler.
    Trapping {
        /// Cause of the trap.
        cause: Cause,
        /// `mtval`, if known.
        value: Option<u32>,
    },
}

/// PC and activity of a hart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whereabouts {
    /// Address of the current instruction.
    pub pc: u32,
    /// What the hart does there.
    pub doing: Doing,
}

impl fmt::Display for Doing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Running => f.write_str("running"),
            Self::Waiting(what) => f.write_str(what),
            Self::Trapping { cause, value } => {
                write!(f, "in a trap loop at the start of its trap handler: {cause}")?;
                match value {
                    Some(value) => write!(f, " (mtval {value:#x})"),
                    None => Ok(()),
                }
            }
        }
    }
}

/// A machine that runs a program and can be inspected. The program is already loaded.
///
/// Addresses are the machine's. Reads and writes are coherent; they may take the target's time, as
/// the host's accesses take cycles on the RTL machine's bus.
pub trait Target {
    /// Why it cannot continue, or does not support an operation.
    type Error: std::error::Error + Send + Sync + 'static;

    /// The unit of [`Target::time`], as messages name it.
    const TIME_UNIT: &'static str;

    /// Number of harts.
    fn harts(&self) -> usize;

    /// Address range of its memory.
    fn ram(&self) -> Range<u64>;

    /// Progress of the run: cycles of the RTL machine, instructions of all harts on the golden machine,
    /// microseconds on a board.
    fn time(&self) -> u64;

    /// Watches an address in memory: the program's `tohost`.
    ///
    /// # Errors
    /// If the target does not support it.
    fn watch(&mut self, place: Place) -> Result<(), Self::Error>;

    /// Runs until a [`Stop`], at the latest when [`Target::time`] is `limit`.
    ///
    /// # Errors
    /// If the machine fails.
    fn run(&mut self, limit: u64) -> Result<Stop, Self::Error>;

    /// Sets the watched word to 0: the word was handled, and the program may write the next one.
    ///
    /// # Errors
    /// If the access fails.
    fn acknowledge(&mut self) -> Result<(), Self::Error>;

    /// Takes the bytes that the serial port has sent since the last call.
    fn take_serial(&mut self) -> Vec<u8>;

    /// Bytes for the program to receive at its serial port, in this order, as it takes them. A target whose line
    /// is not the host's to write ignores them.
    fn feed_serial(&mut self, _bytes: &[u8]) {}

    /// Reads memory in [`Target::ram`].
    ///
    /// # Errors
    /// If the access fails.
    fn read(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), Self::Error>;

    /// Writes an aligned 64-bit word to memory in [`Target::ram`].
    ///
    /// # Errors
    /// If the access fails.
    fn write(&mut self, address: u32, value: u64) -> Result<(), Self::Error>;

    /// Writes bytes anywhere in [`Target::ram`]. Where harts go on meanwhile, a target must leave the bytes beside them
    /// alone; this is for those where they do not.
    ///
    /// # Errors
    /// If the access fails.
    fn store(&mut self, address: u32, bytes: &[u8]) -> Result<(), Self::Error> {
        let mut done = 0;
        while done < bytes.len() {
            let at = address.wrapping_add(done as u32);
            let (word, place) = (at & !7, (at & 7) as usize);
            let count = (8 - place).min(bytes.len() - done);
            let mut known = [0; 8];
            self.read(word, &mut known)?;
            known[place..place + count].copy_from_slice(&bytes[done..done + count]);
            self.write(word, u64::from_le_bytes(known))?;
            done += count;
        }
        Ok(())
    }

    /// Reads a device register, with the same effect as a hart's load.
    ///
    /// # Errors
    /// If the access fails.
    fn device(&mut self, address: u32) -> Result<u32, Self::Error>;

    /// Writes a device register.
    ///
    /// # Errors
    /// If the access fails.
    fn set_device(&mut self, address: u32, value: u32) -> Result<(), Self::Error>;

    /// PC and activity of a hart.
    ///
    /// # Errors
    /// If the target cannot read them.
    fn whereabouts(&self, hart: usize) -> Result<Whereabouts, Self::Error>;
}
