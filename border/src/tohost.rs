//! The host's side of `tohost`, in the protocol of riscv-tests (HTIF), over any [`Target`].
//!
//! A program ends, calls and prints through a 64-bit word; `docs/firmware.md` is the contract.

use std::io::{self, Write};

use crate::host_call::{Descriptor, DeviceCommand, ErrorNumber, HostCall};
use crate::{End, Place, Program, Stop, Target};

/// The longest text of one call.
const LONGEST_TEXT: u64 = 1 << 20;

/// Where a program's output goes.
pub struct Output<'a> {
    /// Descriptor 1, the console device and the serial port.
    pub console: &'a mut dyn Write,
    /// Descriptor 2, as soon as it is written.
    pub errors: &'a mut dyn Write,
    /// Descriptor 3: the record stream.
    pub records: Vec<u8>,
    /// Descriptor 4: edges without frames.
    pub bare_edges: Vec<u8>,
}

impl<'a> Output<'a> {
    /// Console and errors go here; nothing was recorded yet.
    pub fn new(console: &'a mut dyn Write, errors: &'a mut dyn Write) -> Self {
        Self { console, errors, records: Vec::new(), bare_edges: Vec::new() }
    }
}

/// How a program's run ended, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// How.
    pub end: End,
    /// The target's time when the program said so, or when it was stopped.
    pub time: u64,
}

/// Why a run has no end.
#[derive(Debug, thiserror::Error)]
pub enum ServeError<E> {
    /// The target is at fault.
    #[error(transparent)]
    Target(E),
    /// The program wrote something to `tohost` that has no meaning.
    #[error("time {time}: the program wrote {word:#x} to `tohost`: {what}")]
    Request {
        /// When.
        time: u64,
        /// The word.
        word: u64,
        /// What is wrong with it.
        what: &'static str,
    },
    /// The program's output cannot be passed on.
    #[error("the program's output cannot be written: {0}")]
    Output(#[from] io::Error),
}

/// Runs a program that is loaded, and does what it asks of the host, until it ends or is stopped: at `limit`, or
/// when nothing moves any more.
///
/// # Errors
/// If the target is at fault, the program asks for something that has no meaning, or output cannot be written.
/// What was written before that has been passed on.
pub fn serve<T: Target>(
    target: &mut T,
    program: &Program,
    limit: u64,
    output: &mut Output<'_>,
) -> Result<Ended, ServeError<T::Error>> {
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

/// Writes text, and passes whole lines on at once.
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
    /// Does what the word asks for; gives the exit code if that ends the program.
    fn act(&mut self) -> Result<Option<i32>, ServeError<T::Error>> {
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
            _ => self.refuse("no device has this command"),
        }
    }

    fn refuse<O>(&self, what: &'static str) -> Result<O, ServeError<T::Error>> {
        Err(ServeError::Request { time: self.time, word: self.word, what })
    }

    /// The call whose block lies at this address.
    fn call(&mut self, block: u32) -> Result<Option<i32>, ServeError<T::Error>> {
        let ram = self.target.ram();
        if !block.is_multiple_of(8) || !ram.contains(&u64::from(block)) {
            return self.refuse("neither an exit code nor the address of a system call");
        }
        if !ram.contains(&(u64::from(block) + 31)) {
            return self.refuse("the system call does not lie in RAM");
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
            Some(HostCall::Exit) => return Ok(Some(file as i32)),
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

    /// Writes text to a descriptor; gives the answer.
    fn write(&mut self, file: u64, text: u64, length: u64) -> Result<u64, ServeError<T::Error>> {
        let Some(to) = u32::try_from(file).ok().and_then(Descriptor::numbered) else {
            return Ok(ErrorNumber::BadDescriptor.answer() as u64);
        };
        if length > LONGEST_TEXT {
            return self.refuse("it writes more than a mebibyte at once");
        }
        let (ram, end) = (self.target.ram(), text.checked_add(length));
        if length > 0 && !end.is_some_and(|end| ram.contains(&text) && end <= ram.end) {
            return self.refuse("the text to be written does not lie in RAM");
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
