//! A target: something that runs a program and can be looked at.
//!
//! The RTL machine in simulation, the golden machine and a board are targets. The host's side of `tohost`
//! ([`crate::tohost`]) is written once, over this trait; so will a debugger be. What a target cannot do it
//! refuses by name, in its own error.
//!
//! Hot loops stay inside [`Target::run`]: it is called once for each word that the program tells the host.

use std::fmt;
use std::ops::Range;

use crate::Place;
use crate::interrupt::Cause;

/// Why a target stopped running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The program wrote a word other than 0 to the watched place.
    Told {
        /// The hart that wrote it.
        hart: usize,
        /// The word. Where the place has 64 bits, both halves, in whichever order they were written.
        word: u64,
        /// When the low half was written.
        time: u64,
    },
    /// The serial port has sent bytes: [`Target::take_serial`].
    Serial,
    /// Nothing moves any more: no hart can go on, and nothing will wake one.
    Stuck,
    /// The time is up.
    Limit,
}

/// What a hart is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// It executes instructions.
    Running,
    /// It waits for this.
    Waiting(&'static str),
    /// It traps at the first instruction of its own trap handler, and so for ever.
    Trapping {
        /// Why it traps.
        cause: Cause,
        /// `mtval`, where it is known.
        value: Option<u32>,
    },
}

/// Where a hart is, and what it does there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whereabouts {
    /// The address of its instruction.
    pub pc: u32,
    /// What it does there.
    pub doing: Doing,
}

impl fmt::Display for Doing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Running => f.write_str("running"),
            Self::Waiting(what) => f.write_str(what),
            Self::Trapping { cause, value } => {
                write!(f, "trapping at the start of its trap handler, again and again: {cause}")?;
                match value {
                    Some(value) => write!(f, " (mtval {value:#x})"),
                    None => Ok(()),
                }
            }
        }
    }
}

/// Something that runs a program and can be looked at. The program is loaded already.
///
/// Addresses are the machine's. Memory is as the program sees it, wherever the current copy is; looking at it
/// may take the target's time, as the host's accesses take cycles on the RTL machine's bus.
pub trait Target {
    /// Why it cannot go on, or does not do what it was asked.
    type Error: std::error::Error + Send + Sync + 'static;

    /// How many harts it has.
    fn harts(&self) -> usize;

    /// The addresses of its memory.
    fn ram(&self) -> Range<u64>;

    /// How far it has run: cycles of the RTL machine, instructions of all harts on the golden machine,
    /// microseconds on a board.
    fn time(&self) -> u64;

    /// Watches a place in memory: the program's `tohost`.
    ///
    /// # Errors
    /// If it cannot.
    fn watch(&mut self, place: Place) -> Result<(), Self::Error>;

    /// Runs until something stops it, at the latest when [`Target::time`] is `limit`.
    ///
    /// # Errors
    /// If the machine itself is at fault.
    fn run(&mut self, limit: u64) -> Result<Stop, Self::Error>;

    /// Sets the watched place to 0: the word was taken, and the program may write the next one.
    ///
    /// # Errors
    /// If the machine does not let it.
    fn acknowledge(&mut self) -> Result<(), Self::Error>;

    /// What the serial port has sent since the last call.
    fn take_serial(&mut self) -> Vec<u8>;

    /// Reads memory; all of it must lie in [`Target::ram`].
    ///
    /// # Errors
    /// If the machine does not let it.
    fn read(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), Self::Error>;

    /// Writes aligned 64-bit words to memory; all of it must lie in [`Target::ram`].
    ///
    /// # Errors
    /// If the machine does not let it.
    fn write(&mut self, address: u32, value: u64) -> Result<(), Self::Error>;

    /// Reads a word of a device, with the same effect as a hart's load.
    ///
    /// # Errors
    /// If the machine does not let it.
    fn device(&mut self, address: u32) -> Result<u32, Self::Error>;

    /// Writes a word of a device.
    ///
    /// # Errors
    /// If the machine does not let it.
    fn set_device(&mut self, address: u32, value: u32) -> Result<(), Self::Error>;

    /// Where a hart is.
    ///
    /// # Errors
    /// If it cannot tell.
    fn whereabouts(&self, hart: usize) -> Result<Whereabouts, Self::Error>;
}
