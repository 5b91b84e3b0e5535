//! Why control goes to the trap handler: interrupt and exception numbers of `mcause`, `mie` and `mip`.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The bit of `mcause` that marks interrupts.
pub const INTERRUPT_BIT: u32 = 1 << 31;

numbered! {
    /// An interrupt.
    pub enum Interrupt {
        /// software interrupt: `msip` of this hart is set
        Software = 3,
        /// timer interrupt: `mtime` has reached `mtimecmp`
        Timer = 7,
        /// communication table: it holds at least as many edges as its watermark
        Table = 16,
    }
}

impl Interrupt {
    /// All bits of `mie` and `mip` that exist.
    pub const MASK: u32 = Self::Software.bit() | Self::Timer.bit() | Self::Table.bit();

    /// Its bit in `mie` and `mip`.
    #[inline]
    pub const fn bit(self) -> u32 {
        1 << self.number()
    }

    /// What `mcause` becomes when it is taken.
    #[inline]
    pub const fn mcause(self) -> u32 {
        INTERRUPT_BIT | self.number()
    }
}

numbered! {
    /// An exception.
    pub enum Exception {
        /// misaligned fetch
        MisalignedFetch = 0,
        /// fetch access fault
        FetchAccess = 1,
        /// illegal instruction
        IllegalInstruction = 2,
        /// breakpoint
        Breakpoint = 3,
        /// misaligned load
        MisalignedLoad = 4,
        /// load access fault
        LoadAccess = 5,
        /// misaligned store
        MisalignedStore = 6,
        /// store access fault
        StoreAccess = 7,
        /// ecall from U mode
        EcallFromUser = 8,
        /// ecall from M mode
        EcallFromMachine = 11,
    }
}

impl Exception {
    /// What `mcause` becomes when it is taken.
    #[inline]
    pub const fn mcause(self) -> u32 {
        self.number()
    }
}

/// What a value of `mcause` means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// An interrupt.
    Interrupt(Interrupt),
    /// An exception.
    Exception(Exception),
    /// No cause of this machine, which software may write nevertheless.
    Unknown(u32),
}

impl Cause {
    /// What a value of `mcause` means.
    pub const fn of_mcause(mcause: u32) -> Self {
        let number = mcause & !INTERRUPT_BIT;
        let known = if mcause & INTERRUPT_BIT != 0 {
            (Interrupt::numbered(number), None)
        } else {
            (None, Exception::numbered(number))
        };
        match known {
            (Some(interrupt), _) => Self::Interrupt(interrupt),
            (_, Some(exception)) => Self::Exception(exception),
            _ => Self::Unknown(mcause),
        }
    }

    /// The value of `mcause`.
    #[inline]
    pub const fn mcause(self) -> u32 {
        match self {
            Self::Interrupt(interrupt) => interrupt.mcause(),
            Self::Exception(exception) => exception.mcause(),
            Self::Unknown(mcause) => mcause,
        }
    }
}

impl From<Exception> for Cause {
    fn from(exception: Exception) -> Self {
        Self::Exception(exception)
    }
}

/// A cause in JSON: its value of `mcause` with its name. The value alone is read too; the name is for people.
#[derive(Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Written {
    Named { number: u32, name: String },
    Number(u32),
}

impl Serialize for Cause {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Written::Named { number: self.mcause(), name: self.to_string() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Cause {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (Written::Named { number, .. } | Written::Number(number)) =
            Written::deserialize(deserializer)?;
        Ok(Self::of_mcause(number))
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interrupt(Interrupt::Software) => f.write_str("software interrupt"),
            Self::Interrupt(Interrupt::Timer) => f.write_str("timer interrupt"),
            Self::Interrupt(Interrupt::Table) => f.write_str("communication table interrupt"),
            Self::Exception(exception) => f.write_str(exception.doc()),
            Self::Unknown(mcause) => write!(f, "unknown cause {mcause:#x}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_says_what_mcause_means() {
        let words = [2, 7, INTERRUPT_BIT | 7, INTERRUPT_BIT | 16, 10, INTERRUPT_BIT]
            .map(|mcause| Cause::of_mcause(mcause).to_string());
        assert_eq!(
            words,
            [
                "illegal instruction",
                "store access fault",
                "timer interrupt",
                "communication table interrupt",
                "unknown cause 0xa",
                "unknown cause 0x80000000",
            ]
        );
    }

    #[test]
    fn every_value_of_mcause_comes_back() {
        for low in (0..32).chain([!INTERRUPT_BIT]) {
            for mcause in [low, INTERRUPT_BIT | low] {
                assert_eq!(Cause::of_mcause(mcause).mcause(), mcause);
            }
        }
    }

    #[test]
    fn the_mask_has_a_bit_for_every_interrupt() {
        let all = Interrupt::ALL.iter().fold(0, |all, interrupt| all | interrupt.bit());
        assert_eq!((all, all.count_ones()), (Interrupt::MASK, 3));
    }
}
