//! How a run ended, and what its failing statement looked at.

use super::sources::Sources;
use crate::event::Site;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It exited with a code.
    Exit {
        /// The code.
        code: u32,
    },
    /// An assertion failed.
    Assertion {
        /// The file, as the program names it.
        file: String,
        /// The line.
        line: u32,
    },
    /// An instruction could not be executed.
    Fault {
        /// The instruction itself, which may be the library's.
        pc: u32,
        /// The address it used, or jumped to.
        address: u32,
        /// The exception's code in `mcause`.
        cause: u32,
        /// The loads that the pointer was computed from.
        pointer: Sources,
    },
    /// Every thread waits for another.
    Deadlock,
    /// It was stopped at the limit of instructions.
    Limit,
}

/// A conditional branch, and the loads that its condition was computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The branch.
    pub pc: u32,
    /// What it compared.
    pub sources: Sources,
    /// The number of the next event.
    pub at: u64,
    /// The function's call: the number of the next event when it began.
    pub since: u64,
}

/// The statement that ended the run: `exit`, a failed assertion, a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Where in the program.
    pub place: Site,
    /// The number of the next event: what has it or a greater number came after the failure.
    pub at: u64,
    /// The number of the next event when the failing function was called.
    pub since: u64,
    /// The last conditions that the failing thread's own code tested on loaded values, newest first.
    pub conditions: Vec<Condition>,
    /// The loads that the exit code was computed from.
    pub code: Sources,
}
