//! The order log's events: what one run did, in the machine's order.

use serde::Serialize;

/// A thread of the program, numbered in the order of creation; 0 is the first, which runs `main`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Thread(pub u32);

/// A call stack, by its number in the log's table of stacks; 0 is the empty stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StackId(pub u32);

/// An instruction that a thread executed, with the stack it executed on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    /// The thread.
    pub thread: Thread,
    /// The instruction, one of the program: where it called the library, if the library did it. 0 if
    /// the library did it before or after the program's own code.
    pub pc: u32,
    /// How execution got there.
    pub stack: StackId,
}

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
    /// How execution got to `site`.
    pub stack: StackId,
    /// The program's instruction: `pc` itself, or the call of the library that the access is part of; 0 if
    /// the library made it before or after the program's own code. `stack` is that instruction's.
    pub site: u32,
}

impl Access {
    /// Whether the library made it, in a call from the program.
    pub fn in_library_call(&self) -> bool {
        self.pc != self.site
    }

    /// Where in the program it was made.
    pub fn place(&self) -> Site {
        Site { thread: self.thread, pc: self.site, stack: self.stack }
    }

    /// Whether it touches a byte that the other touches.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.address < other.address + u32::from(other.size)
            && other.address < self.address + u32::from(self.size)
    }
}

/// A function of the library that synchronizes, starts or ends threads, or manages memory. Forms with a
/// deadline count as the forms that try: neither waits for ever.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub enum Function {
    MutexInit,
    MutexLock,
    MutexTryLock,
    MutexUnlock,
    ReadLock,
    TryReadLock,
    WriteLock,
    TryWriteLock,
    RwUnlock,
    SpinLock,
    SpinTryLock,
    SpinUnlock,
    CondWait,
    CondTimedWait,
    CondSignal,
    CondBroadcast,
    SemInit,
    SemWait,
    SemTryWait,
    SemPost,
    BarrierInit,
    BarrierWait,
    Once,
    Create,
    Join,
    Malloc,
    Calloc,
    AlignedAlloc,
    Realloc,
    Free,
    /// `__assert_fail`, `abort`, `exit`: the run ends here.
    Fail,
}

impl Function {
    /// Whether it allocates or frees memory.
    pub fn manages_memory(self) -> bool {
        use Function::{AlignedAlloc, Calloc, Free, Malloc, Realloc};
        matches!(self, Malloc | Calloc | AlignedAlloc | Realloc | Free)
    }

    /// Whether it can wait for another thread without a deadline.
    pub fn can_block(self) -> bool {
        use Function::{
            BarrierWait, CondWait, Join, MutexLock, Once, ReadLock, SemWait, SpinLock, WriteLock,
        };
        matches!(
            self,
            MutexLock
                | ReadLock
                | WriteLock
                | SpinLock
                | CondWait
                | SemWait
                | BarrierWait
                | Once
                | Join
        )
    }
}

/// A call of the library by the program, or its return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// The thread that called.
    pub thread: Thread,
    /// What it called.
    pub function: Function,
    /// The first four arguments; of a return, the result is the first and the rest are those of the call.
    pub values: [u32; 4],
    /// The instruction that called, in the program.
    pub site: u32,
    /// How execution got there.
    pub stack: StackId,
}

impl Call {
    /// Where in the program it was made.
    pub fn place(&self) -> Site {
        Site { thread: self.thread, pc: self.site, stack: self.stack }
    }
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A data access.
    Access(Access),
    /// A data access of the library while it synchronizes: the words of a mutex, of a condition.
    Inside(Access),
    /// A call of the library began.
    Call(Call),
    /// It came back.
    Return(Call),
    /// A thread woke another that had gone to sleep in a call of the library.
    Wake {
        /// The thread that woke it.
        by: Thread,
        /// The thread that was asleep, or about to be.
        woken: Thread,
    },
    /// A thread created another.
    Create {
        /// The thread that called `pthread_create`.
        by: Thread,
        /// The new thread.
        thread: Thread,
        /// Its `pthread_t`.
        handle: u32,
    },
    /// A thread began to run.
    Start(Thread),
    /// A thread ended.
    End(Thread),
}
