//! The order log: what one run did, event by event, in the machine's order.

use serde::Serialize;

/// A thread of the program, numbered in the order in which threads started; 0 is the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Thread(pub u32);

/// A call stack, by its number in the log's table of stacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StackId(pub u32);

/// What an access does to its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub enum AccessKind {
    /// A load, or LR.
    Read,
    /// A store, or an SC that succeeded.
    Write,
    /// An AMO: both, in one step.
    Update,
}

impl AccessKind {
    /// Whether it changes memory.
    pub fn writes(self) -> bool {
        self != Self::Read
    }

    /// Whether it reads memory.
    pub fn reads(self) -> bool {
        self != Self::Write
    }
}

/// One data access of the program or its library in U mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The thread that made it.
    pub thread: Thread,
    /// Its instruction.
    pub pc: u32,
    /// Its first byte.
    pub address: u32,
    /// How many bytes: 1, 2 or 4.
    pub size: u8,
    /// What it does.
    pub kind: AccessKind,
    /// The bytes before it, in the low bits; none if nothing is known of them.
    pub before: Option<u32>,
    /// The bytes after it, in the low bits.
    pub after: u32,
    /// How execution got there.
    pub stack: StackId,
}

/// A function of the library that synchronizes, starts or ends threads, or manages memory.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub enum Function {
    MutexLock,
    MutexTryLock,
    MutexUnlock,
    ReadLock,
    WriteLock,
    RwUnlock,
    SpinLock,
    SpinUnlock,
    CondWait,
    CondSignal,
    CondBroadcast,
    SemWait,
    SemPost,
    BarrierWait,
    Create,
    Join,
    Malloc,
    Free,
}

/// A call of the library by the program, or its return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// The thread that called.
    pub thread: Thread,
    /// What it called.
    pub function: Function,
    /// The first four arguments; of a return, the result is the first.
    pub values: [u32; 4],
    /// The instruction that called, in the program.
    pub site: u32,
    /// How execution got there.
    pub stack: StackId,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A data access.
    Access(Access),
    /// A call of the library began.
    Call(Call),
    /// It came back.
    Return(Call),
    /// A thread began to run.
    Start(Thread),
    /// A thread ended.
    End(Thread),
}
