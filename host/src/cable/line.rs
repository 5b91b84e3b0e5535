//! The serial line itself.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

/// Bytes to and from a device that may not answer.
pub trait Line {
    /// Waits for bytes, at most so long; 0: silence.
    ///
    /// # Errors
    /// What the system says; `UnexpectedEof` when the other end is gone.
    fn read_within(&mut self, buffer: &mut [u8], patience: Duration) -> io::Result<usize>;

    /// Sends all of it.
    ///
    /// # Errors
    /// What the system says.
    fn send(&mut self, bytes: &[u8]) -> io::Result<()>;
}

/// A serial device of this computer.
#[derive(Debug)]
pub struct Serial {
    file: File,
}

impl Serial {
    /// Opens a device and sets it up: raw bytes at this speed, eight data bits, no parity, one stop bit.
    ///
    /// # Errors
    /// One sentence.
    pub fn open(path: &Path, baud: u32) -> Result<Self, String> {
        let shown = path.display();
        // A modem's missing carrier must not hold up the opening; nor must this become our terminal.
        const QUIETLY: i32 =
            (rustix::fs::OFlags::NONBLOCK.bits() | rustix::fs::OFlags::NOCTTY.bits()) as i32;
        let file = OpenOptions::new().read(true).write(true).custom_flags(QUIETLY).open(path);
        let file = file.map_err(|error| format!("`{shown}` cannot be opened: {error}"))?;
        let mut settings =
            tcgetattr(&file).map_err(|_| format!("`{shown}` is not a serial device"))?;
        settings.make_raw();
        settings
            .set_speed(baud)
            .and_then(|()| tcsetattr(&file, OptionalActions::Now, &settings))
            .map_err(|error| format!("`{shown}` does not support {baud} baud: {error}"))?;
        Ok(Self { file })
    }

    /// Whether something happens within this time.
    fn waits(&self, what: PollFlags, patience: Duration) -> io::Result<bool> {
        let limit = Timespec {
            tv_sec: i64::try_from(patience.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: patience.subsec_nanos().into(),
        };
        let ready =
            rustix::io::retry_on_intr(|| poll(&mut [PollFd::new(&self.file, what)], Some(&limit)));
        Ok(ready? > 0)
    }
}

/// Long enough for any line that is not stuck.
const SENDING: Duration = Duration::from_secs(60);

impl Line for Serial {
    fn read_within(&mut self, buffer: &mut [u8], patience: Duration) -> io::Result<usize> {
        if !self.waits(PollFlags::IN, patience)? {
            return Ok(0);
        }
        match self.file.read(buffer) {
            Ok(0) => Err(ErrorKind::UnexpectedEof.into()),
            // A pseudo-terminal reports a closed other end this way.
            Err(error) if error.raw_os_error() == Some(rustix::io::Errno::IO.raw_os_error()) => {
                Err(ErrorKind::UnexpectedEof.into())
            }
            read => read,
        }
    }

    fn send(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            if !self.waits(PollFlags::OUT, SENDING)? {
                return Err(ErrorKind::TimedOut.into());
            }
            match self.file.write(bytes) {
                Ok(sent) => bytes = &bytes[sent..],
                Err(error)
                    if [ErrorKind::WouldBlock, ErrorKind::Interrupted].contains(&error.kind()) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
