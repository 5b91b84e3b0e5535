//! The host's side of `tohost`, in the protocol of riscv-tests (HTIF), over any [`Target`].
//!
//! A program exits, calls and prints through a 64-bit word; `docs/firmware.md` is the contract.

use std::collections::VecDeque;
use std::io::{self, Write};

use crate::host_call::{
    Descriptor, DeviceCommand, ErrorNumber, HAS_CHARACTER, HostCall, STANDARD_INPUT,
};
use crate::{End, Place, Program, Stop, Target};

/// Size limit of one call that reads or writes, in bytes.
const LONGEST_TEXT: u64 = 1 << 20;

/// Destinations of a program's output, and where its input comes from.
pub struct Output<'a> {
    /// Descriptor 1, the console device and the serial port.
    pub console: &'a mut dyn Write,
    /// Descriptor 2, written immediately.
    pub errors: &'a mut dyn Write,
    /// Descriptor 3: the record stream.
    pub records: Vec<u8>,
    /// Descriptor 4: unframed edges.
    pub bare_edges: Vec<u8>,
    /// What is left of standard input.
    pub input: VecDeque<u8>,
}

impl<'a> Output<'a> {
    /// Writes console and errors to these; no records yet.
    pub fn new(console: &'a mut dyn Write, errors: &'a mut dyn Write) -> Self {
        let (records, bare_edges, input) = Default::default();
        Self { console, errors, records, bare_edges, input }
    }

    /// The same with this as standard input.
    #[must_use]
    pub fn with_input(self, input: &[u8]) -> Self {
        Self { input: input.iter().copied().collect(), ..self }
    }
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// How the run ended.
    pub end: End,
    /// The target's time at the exit, or at the stop.
    pub time: u64,
}

/// Why a run did not reach an end.
#[derive(Debug, thiserror::Error)]
pub enum ServeError<E> {
    /// The target failed.
    #[error(transparent)]
    Target(E),
    /// The program wrote an invalid word to `tohost`.
    #[error("{unit} {time}: the program wrote the invalid word {word:#x} to `tohost`: {what}")]
    Request {
        /// The target's time of the write.
        time: u64,
        /// The unit of that time: [`Target::TIME_UNIT`].
        unit: &'static str,
        /// The word written.
        word: u64,
        /// Why the word is not valid.
        what: &'static str,
    },
    /// The program's output cannot be written.
    #[error("cannot write the program's output: {0}")]
    Output(#[from] io::Error),
}

/// Runs a loaded program and serves its requests to the host, until it exits or is stopped: at `limit`, or
/// when no progress is possible.
///
/// # Errors
/// If the target fails, a request is not valid, or output cannot be written.
/// Output before that was written.
pub fn serve<T: Target>(
    target: &mut T,
    program: &Program,
    limit: u64,
    output: &mut Output<'_>,
) -> Result<Ended, ServeError<T::Error>> {
    if !output.input.is_empty() {
        // Standard input and what arrives at the serial port are the same bytes: programs use one of them.
        target.feed_serial(output.input.make_contiguous());
    }
    loop {
        let stop = target.run(limit).map_err(ServeError::Target)?;
        let sent = target.take_serial();
        print(output.console, &sent)?;
        let end = match stop {
            Stop::Serial => continue,
            Stop::Stuck => End::Deadlock,
            Stop::Limit => End::CycleLimit,
            Stop::Told { word, time, .. } => {
                let mut request = Request { target, program, word, time, output };
                match request.act()? {
                    Some(code) => return Ok(Ended { end: End::Exit { code }, time }),
                    None => continue,
                }
            }
        };
        return Ok(Ended { end, time: target.time() });
    }
}

/// Writes text, and flushes whole lines at once.
fn print(to: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    to.write_all(bytes)?;
    if bytes.contains(&b'\n') { to.flush() } else { Ok(()) }
}

/// A word that the program wrote to `tohost`.
struct Request<'a, 'b, T> {
    target: &'a mut T,
    program: &'a Program,
    word: u64,
    time: u64,
    output: &'a mut Output<'b>,
}

impl<T: Target> Request<'_, '_, T> {
    /// Performs the request; returns the exit code if it ends the program.
    fn act(&mut self) -> Result<Option<i32>, ServeError<T::Error>> {
        const READ_CHARACTER: u32 = DeviceCommand::ReadCharacter.high_half();
        const WRITE_CHARACTER: u32 = DeviceCommand::WriteCharacter.high_half();
        let (low, high) = (self.word as u32, (self.word >> 32) as u32);
        match high {
            0 if low & 1 != 0 => Ok(Some((low >> 1) as i32)),
            0 => self.call(low),
            WRITE_CHARACTER => {
                print(self.output.console, &[low as u8])?;
                self.target.acknowledge().map_err(ServeError::Target)?;
                Ok(None)
            }
            READ_CHARACTER => self.read_character(),
            _ => {
                self.refuse("expected a command to read or write a character, or a zero high half")
            }
        }
    }

    fn refuse<O>(&self, what: &'static str) -> Result<O, ServeError<T::Error>> {
        Err(ServeError::Request { time: self.time, unit: T::TIME_UNIT, word: self.word, what })
    }

    /// Performs the call whose block is at this address.
    fn call(&mut self, block: u32) -> Result<Option<i32>, ServeError<T::Error>> {
        let ram = self.target.ram();
        if !block.is_multiple_of(8) || !ram.contains(&u64::from(block)) {
            return self.refuse(
                "expected an exit code (lowest bit 1), or the address of a system call's block (a multiple of 8, in RAM)",
            );
        }
        if !ram.contains(&(u64::from(block) + 31)) {
            return self.refuse("the 32-byte block of the system call extends beyond RAM");
        }
        let mut words = [0; 4];
        for (word, address) in words.iter_mut().zip((block..).step_by(8)) {
            let mut bytes = [0; 8];
            self.target.read(address, &mut bytes).map_err(ServeError::Target)?;
            *word = u64::from_le_bytes(bytes);
        }
        let [call, file, text, length] = words;
        let call = u32::try_from(call).ok().and_then(HostCall::numbered);
        let answer = match call {
            Some(HostCall::Exit | HostCall::ExitGroup) => return Ok(Some(file as i32)),
            Some(HostCall::Read) => self.read(file, text, length)?,
            Some(HostCall::Write) => self.write(file, text, length)?,
            None => ErrorNumber::UnsupportedCall.answer() as u64,
        };
        self.target.write(block, answer).map_err(ServeError::Target)?;
        self.target.acknowledge().map_err(ServeError::Target)?;
        if let Some(Place { address, .. }) = self.program.fromhost() {
            self.target.write(address, 1).map_err(ServeError::Target)?;
        }
        Ok(None)
    }

    /// Answers with the next character of standard input.
    fn read_character(&mut self) -> Result<Option<i32>, ServeError<T::Error>> {
        let Some(Place { address, .. }) = self.program.fromhost() else {
            return self
                .refuse("it asks for a character, but the program defines no symbol `fromhost`");
        };
        let character = self.output.input.pop_front();
        let payload = character.map_or(0, |character| HAS_CHARACTER | u64::from(character));
        let device = u64::from(DeviceCommand::ReadCharacter.high_half()) << 32;
        self.target.acknowledge().map_err(ServeError::Target)?;
        self.target.write(address, device | payload).map_err(ServeError::Target)?;
        Ok(None)
    }

    /// Reads standard input into memory; returns the answer.
    fn read(&mut self, file: u64, to: u64, length: u64) -> Result<u64, ServeError<T::Error>> {
        if file != STANDARD_INPUT {
            return Ok(ErrorNumber::BadDescriptor.answer() as u64);
        }
        let (ram, end) = (self.target.ram(), to.checked_add(length));
        if length > 0 && !end.is_some_and(|end| ram.contains(&to) && end <= ram.end) {
            return self.refuse("the buffer of the `read` call is not in RAM");
        }
        let left = self.output.input.len() as u64;
        let count = length.min(LONGEST_TEXT).min(left) as usize;
        let bytes: Vec<u8> = self.output.input.drain(..count).collect();
        if !bytes.is_empty() {
            self.target.store(to as u32, &bytes).map_err(ServeError::Target)?;
        }
        Ok(count as u64)
    }

    /// Writes text to a descriptor; returns the answer.
    fn write(&mut self, file: u64, text: u64, length: u64) -> Result<u64, ServeError<T::Error>> {
        let Some(to) = u32::try_from(file).ok().and_then(Descriptor::numbered) else {
            return Ok(ErrorNumber::BadDescriptor.answer() as u64);
        };
        if length > LONGEST_TEXT {
            return self
                .refuse("the `write` call has more than 1 MiB of text; expected at most 1 MiB");
        }
        let (ram, end) = (self.target.ram(), text.checked_add(length));
        if length > 0 && !end.is_some_and(|end| ram.contains(&text) && end <= ram.end) {
            return self.refuse("the text of the `write` call is not in RAM");
        }
        let mut bytes = vec![0; length as usize];
        if length > 0 {
            self.target.read(text as u32, &mut bytes).map_err(ServeError::Target)?;
        }
        match to {
            Descriptor::Console => print(self.output.console, &bytes)?,
            Descriptor::Errors => print(self.output.errors, &bytes)?,
            Descriptor::Records => self.output.records.extend(bytes),
            Descriptor::BareEdges => self.output.bare_edges.extend(bytes),
        }
        Ok(length)
    }
}
