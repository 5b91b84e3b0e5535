//! How a run ended.

use std::fmt;

use crate::record::Label;

/// How a run ended, on any target and in every record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
        /// `mcause`.
        cause: u32,
    },
    /// No progress is possible: all threads wait for each other, or no hart can continue.
    Deadlock,
    /// The run was stopped at its limit.
    CycleLimit,
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
                write!(f, "fault {cause} at pc {pc:#x}, address {address:#x}")
            }
            Self::Deadlock => write!(f, "deadlocked"),
            Self::CycleLimit => write!(f, "reached the cycle limit"),
        }
    }
}
