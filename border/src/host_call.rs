//! Calls from the machine to the host through `tohost`, in the protocol of riscv-tests (HTIF).

numbered! {
    /// A call whose block lies at the address in `tohost`, numbered as in Linux.
    pub enum HostCall {
        /// reads standard input: descriptor 0, address, count; gives the count, 0 at its end, or a negative error number
        Read = 63,
        /// writes bytes: descriptor, address, count; gives the count or a negative error number
        Write = 64,
        /// ends the run: exit code
        Exit = 93,
        /// the same, as programs with threads call it
        ExitGroup = 94,
    }
}

/// The descriptor that [`HostCall::Read`] reads from.
pub const STANDARD_INPUT: u64 = 0;
/// In the answer to [`DeviceCommand::ReadCharacter`]: there is a character.
pub const HAS_CHARACTER: u64 = 0x100;

numbered! {
    /// Where [`HostCall::Write`] writes.
    pub enum Descriptor {
        /// console
        Console = 1,
        /// errors
        Errors = 2,
        /// record stream: consecutive bytes of it, whole frames at a time
        Records = 3,
        /// bare edges, 28 bytes each
        BareEdges = 4,
    }
}

numbered! {
    /// Why a call failed, numbered as in Linux.
    pub enum ErrorNumber {
        /// `EBADF`: the descriptor does not exist
        BadDescriptor = 9,
        /// `ENOSYS`: the call does not exist
        UnsupportedCall = 38,
    }
}

impl ErrorNumber {
    /// The answer to a call that failed: the number, negated.
    pub const fn answer(self) -> i64 {
        -(self.number() as i64)
    }
}

numbered! {
    /// A command to a device of HTIF: device in the top byte of the 64-bit word, command in the next.
    pub enum DeviceCommand {
        /// console (device 1), read (command 0): the answer in `fromhost` has the character and 0x100; without 0x100 it is the end
        ReadCharacter = 0x0100,
        /// console (device 1), write (command 1): the low byte is a character
        WriteCharacter = 0x0101,
    }
}

impl DeviceCommand {
    /// The high half of the word in `tohost`.
    pub const fn high_half(self) -> u32 {
        self.number() << 16
    }
}

numbered! {
    /// A system call from a program in U mode to the firmware.
    pub enum SystemCall {
        /// code: ends the run
        Exit = 0,
        /// descriptor (1, 2), address, count: gives the count
        Write = 1,
        /// entry, argument, thread pointer: gives the hart; −1 if none is idle
        Start = 2,
        /// the calling thread ends, its hart becomes idle
        Finish = 3,
        /// time, low and high half (all ones: none): waits; gives 0 when woken, 1 when late
        Park = 4,
        /// hart: ends its wait, or the next one it begins; gives 0
        Unpark = 5,
        /// file, line: ends the run
        Assertion = 6,
    }
}

/// The most harts that the firmware supports.
pub const MAX_HARTS: u32 = 16;
