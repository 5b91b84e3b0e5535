//! How a run ended.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::interrupt::Cause;
use crate::record::{Label, OutcomeCode};

/// How a run ended: whatever ran it, and in every record of it. Its form in JSON is that of exported runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "kebab-case", deny_unknown_fields)]
pub enum End {
    /// Not recorded.
    #[default]
    Unknown,
    /// The program exited.
    Exit {
        /// Its exit code.
        code: i32,
    },
    /// An assertion failed.
    Assertion {
        /// Source file of the assertion, as given to the compiler.
        file: String,
        /// Source line of the assertion.
        line: u32,
    },
    /// An access or instruction raised an exception that the program did not expect.
    Fault {
        /// PC of the instruction.
        pc: u64,
        /// The address, or other value of `mtval`.
        address: u64,
        /// Its exception, from `mcause`.
        cause: Cause,
    },
    /// No progress is possible: all threads wait for each other, or no hart can continue.
    Deadlock,
    /// The run was stopped at its limit.
    CycleLimit,
}

impl End {
    /// How it ended, without the details.
    pub fn code(&self) -> OutcomeCode {
        match self {
            Self::Unknown => OutcomeCode::Unknown,
            Self::Exit { .. } => OutcomeCode::Exit,
            Self::Assertion { .. } => OutcomeCode::Assertion,
            Self::Fault { .. } => OutcomeCode::Fault,
            Self::Deadlock => OutcomeCode::Deadlock,
            Self::CycleLimit => OutcomeCode::CycleLimit,
        }
    }
}

impl Label {
    /// The label that an outcome implies. The limit implies none.
    pub fn of(end: &End) -> Self {
        match end {
            End::Unknown | End::CycleLimit => Self::Unknown,
            End::Exit { code: 0 } => Self::Passing,
            End::Exit { .. } | End::Assertion { .. } | End::Fault { .. } | End::Deadlock => {
                Self::Failing
            }
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => write!(f, "ended; the outcome was not recorded"),
            Self::Exit { code } => write!(f, "exited with {code}"),
            Self::Assertion { file, line } => write!(f, "failed an assertion at {file}:{line}"),
            Self::Fault { pc, address, cause } => {
                let number = cause.mcause();
                write!(f, "{cause} (cause {number}) at pc {pc:#x}, address {address:#x}")
            }
            Self::Deadlock => write!(f, "deadlocked"),
            Self::CycleLimit => write!(f, "reached the cycle limit"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_shown_with_the_name_and_the_number_of_its_cause() {
        let shown = |mcause| {
            End::Fault { pc: 0x10, address: 0x20, cause: Cause::of_mcause(mcause) }.to_string()
        };
        assert_eq!(shown(5), "load access fault (cause 5) at pc 0x10, address 0x20");
        assert_eq!(shown(10), "unknown cause 0xa (cause 10) at pc 0x10, address 0x20");
    }
}
