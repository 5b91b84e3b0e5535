//! A connection, byte by byte.

use gdbstub::conn::Connection;
use std::io::{self, BufReader, BufWriter, Read, Write};

pub struct Wire<R: Read, W: Write> {
    from: BufReader<R>,
    to: BufWriter<W>,
}

impl<R: Read, W: Write> Wire<R, W> {
    pub fn new(from: R, to: W) -> Self {
        Self { from: BufReader::new(from), to: BufWriter::new(to) }
    }

    /// The next byte, once there is one; none if the client is gone.
    pub fn next(&mut self) -> io::Result<Option<u8>> {
        let mut byte = [0];
        loop {
            match self.from.read(&mut byte) {
                Ok(0) => return Ok(None),
                Ok(_) => return Ok(Some(byte[0])),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::ConnectionReset => return Ok(None),
                Err(error) => return Err(error),
            }
        }
    }
}

impl<R: Read, W: Write> Connection for Wire<R, W> {
    type Error = io::Error;

    fn write(&mut self, byte: u8) -> io::Result<()> {
        self.to.write_all(&[byte])
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.to.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
