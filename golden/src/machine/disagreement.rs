//! Disagreements between hardware and model.

use std::fmt;

/// The agent that a disagreement belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// A hart.
    Hart(usize),
    /// The host.
    Host,
    /// No agent in particular.
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

/// Kind of disagreement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A field has the wrong value.
    #[error("{field}: expected {expected:#x}, got {actual:#x}")]
    Field {
        /// The field's name in the contract.
        field: &'static str,
        /// The model's value.
        expected: u64,
        /// The hardware's value.
        actual: u64,
    },
    /// Execution from a line that was not fetched.
    #[error("executed the instruction at {pc:#x}, although its line was not fetched")]
    NotFetched {
        /// PC of the instruction.
        pc: u32,
    },
    /// A retired access that was never ordered.
    #[error("retired an access to {address:#x} that was never ordered")]
    NotOrdered {
        /// Address of the access.
        address: u32,
    },
    /// An ordered access that did not retire.
    #[error("the access ordered in cycle {ordered} did not retire in time")]
    NotEnded {
        /// Cycle in which it was ordered.
        ordered: u64,
    },
    /// What happened at breakpoints in a cycle, without the instructions or the write that it depends on.
    #[error(
        "the breakpoint unit acted in cycle {cycle}, but the instructions or the write that could cause this were not exported in time"
    )]
    NotExplained {
        /// Cycle in which it happened.
        cycle: u64,
    },
    /// An interrupt taken that cannot have been pending.
    #[error(
        "took an interrupt that cannot have been pending: mie was {enabled:#x}, and mip could have had only the bits {pending:#x}"
    )]
    NotPending {
        /// Bits of `mie` in effect.
        enabled: u32,
        /// Bits that may have been pending since the previous instruction.
        pending: u32,
    },
    /// A pending interrupt that was not taken.
    #[error(
        "took none of the pending and enabled interrupts (mip bits {pending:#x}) for {instructions} instructions"
    )]
    NotInterrupted {
        /// Number of instructions retired meanwhile.
        instructions: u32,
        /// Bits as in `mip`.
        pending: u32,
    },
    /// WFI ended without a pending interrupt.
    #[error(
        "WFI ended, although none of the interrupts enabled in mie ({enabled:#x}) could have been pending"
    )]
    NotAwake {
        /// `mie`.
        enabled: u32,
    },
    /// An instruction went on where a breakpoint stops it.
    #[error("did not stop at {pc:#x}, where entry {entry} of the breakpoint table stops the hart")]
    NotStopped {
        /// PC of the instruction.
        pc: u32,
        /// The entry.
        entry: usize,
    },
    /// An access of the host, or a fetch, was granted or answered that cannot be.
    #[error(
        "the bus granted or answered an access that nobody requested, or that is impossible at its address"
    )]
    NotAsked,
    /// The exports have the wrong number of harts.
    #[error("expected the exports of {expected} harts, got those of {actual}")]
    Harts {
        /// Number of harts in the configuration.
        expected: usize,
        /// Number of harts in the exports.
        actual: usize,
    },
}

/// Hardware and model do not agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Disagreement {
    /// Cycle of the export that differs.
    pub cycle: u64,
    /// The hart or agent that differs.
    pub who: Who,
    /// Address and encoding of the instruction, if known.
    pub instruction: Option<(u32, u32)>,
    /// What differs.
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
