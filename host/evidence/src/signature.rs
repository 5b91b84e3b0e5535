//! How a run ended, in as few words as tell two failures apart.

use crate::log::Stopped;
use border::host_call::SystemCall;
use border::interrupt::Exception;
use golden::Mode;
use golden::isa::{Hart, Retired};
use serde::Serialize;

pub(crate) const A0: u8 = 10;
const A7: u8 = 17;

/// The system call that a hart makes with an ECALL, if there is such a call.
pub(crate) fn system_call(hart: &Hart) -> Option<SystemCall> {
    SystemCall::numbered(hart.register(A7))
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(tag = "how", rename_all = "kebab-case")]
pub enum Signature {
    /// It exited with a code.
    Exit {
        /// The code.
        code: u32,
    },
    /// An assertion failed.
    Assertion {
        /// Where the name of its file is in memory.
        file: u32,
        /// Its line.
        line: u32,
    },
    /// An instruction could not be executed.
    Fault {
        /// The instruction.
        pc: u32,
    },
    /// Every thread waits for another.
    Deadlock,
    /// It was stopped at the limit.
    Limit,
}

/// Looks at the traps of a run for the statement that ends it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Watcher(Option<Signature>);

impl Watcher {
    pub fn see(&mut self, hart: &Hart, retired: &Retired) {
        if self.0.is_some() || retired.mode != Mode::User {
            return;
        }
        if retired.cause != Some(Exception::EcallFromUser.into()) {
            self.0 = Some(Signature::Fault { pc: retired.pc_rdata });
            return;
        }
        let argument = |number: u8| hart.register(A0 + number);
        self.0 = match system_call(hart) {
            Some(SystemCall::Exit) => Some(Signature::Exit { code: argument(0) }),
            Some(SystemCall::Assertion) => {
                Some(Signature::Assertion { file: argument(0), line: argument(1) })
            }
            _ => None,
        };
    }

    /// How the run ended, after the machine stopped.
    pub fn signature(self, stopped: Stopped) -> Signature {
        self.0.unwrap_or(match stopped {
            Stopped::Ended => Signature::Deadlock,
            Stopped::Limit => Signature::Limit,
        })
    }
}
