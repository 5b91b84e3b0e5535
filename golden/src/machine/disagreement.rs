//! How hardware and model came apart.

use std::fmt;

/// Whose doing it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// A hart.
    Hart(usize),
    /// The host.
    Host,
    /// Nobody in particular.
    Machine,
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hart(hart) => write!(f, "hart {hart}"),
            Self::Host => f.write_str("the host"),
            Self::Machine => f.write_str("the machine"),
        }
    }
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A value.
    #[error("{field} is {actual:#x}, expected {expected:#x}")]
    Field {
        /// Its name in the contract.
        field: &'static str,
        /// What the model says.
        expected: u64,
        /// What the hardware says.
        actual: u64,
    },
    /// Bytes executed that no instruction cache fetched.
    #[error("it executes at {pc:#x}, from a line that was not fetched")]
    NotFetched {
        /// Where.
        pc: u32,
    },
    /// A record without an ordered access.
    #[error("it ended an access to {address:#x} that was never ordered")]
    NotOrdered {
        /// Of the access.
        address: u32,
    },
    /// An ordered access without a record.
    #[error("its access ordered in cycle {ordered} has not ended by now")]
    NotEnded {
        /// When it was ordered.
        ordered: u64,
    },
    /// An interrupt that could not be.
    #[error(
        "it took an interrupt, but of those enabled ({enabled:#x}) only {pending:#x} can be pending"
    )]
    NotPending {
        /// Bits of `mie` that counted.
        enabled: u32,
        /// Bits that were set at some time since the instruction before.
        pending: u32,
    },
    /// An interrupt that did not come.
    #[error(
        "it went on for {instructions} instructions while {pending:#x} was pending and enabled"
    )]
    NotInterrupted {
        /// How long.
        instructions: u32,
        /// Bits as in `mip`.
        pending: u32,
    },
    /// WFI ended for no reason.
    #[error("its WFI ended, but of the interrupts in mie ({enabled:#x}) none can be pending")]
    NotAwake {
        /// `mie`.
        enabled: u32,
    },
    /// A host access that nobody asked for.
    #[error("it was granted an access that it did not ask for")]
    NotAsked,
    /// The exports have the wrong shape.
    #[error("the exports show {actual} harts, expected {expected}")]
    Harts {
        /// How many there should be.
        expected: usize,
        /// How many there are.
        actual: usize,
    },
}

/// Hardware and model do not agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Disagreement {
    /// The cycle of the export in question.
    pub cycle: u64,
    /// Whose.
    pub who: Who,
    /// Address and bits of the instruction, if one is known.
    pub instruction: Option<(u32, u32)>,
    /// What is wrong.
    pub problem: Problem,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cycle, who, instruction, problem } = self;
        write!(f, "cycle {cycle}, {who}")?;
        if let Some((pc, insn)) = instruction {
            write!(f, ", instruction {insn:#010x} at {pc:#x}")?;
        }
        write!(f, ": {problem}")
    }
}
