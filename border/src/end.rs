//! How a run ended.

use std::fmt;

use crate::record::Label;

/// How a run ended: whatever ran it, and in every record of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// Not recorded.
    #[default]
    Unknown,
    /// The program ended by itself.
    Exit {
        /// Its exit code.
        code: i32,
    },
    /// An assertion failed.
    Assertion {
        /// The file it stands in, as the compiler was told.
        file: String,
        /// Its line.
        line: u32,
    },
    /// The hardware refused an access or an instruction.
    Fault {
        /// The instruction.
        pc: u64,
        /// The address, or whatever `mtval` held.
        address: u64,
        /// `mcause`.
        cause: u32,
    },
    /// Nothing moves any more: all threads wait for each other, or no hart can go on.
    Deadlock,
    /// The run was stopped because it took too long.
    CycleLimit,
}

impl Label {
    /// What an end says about a run without a label. A run that took too long says nothing.
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
            Self::Unknown => write!(f, "ended in a way nobody recorded"),
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
