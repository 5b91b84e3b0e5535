//! Standard output, which may be a closed pipe or a file on a full disk.

use crate::failure::Failure;
use std::fmt::Display;
use std::io::{ErrorKind, Write, stdout};

/// Prints a line.
pub fn line(text: impl Display) -> Result<(), Failure> {
    line_to(&mut stdout().lock(), text)
}

fn line_to(out: &mut impl Write, text: impl Display) -> Result<(), Failure> {
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        // The reader has closed the pipe, as `head` does: not an error.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::failed(format!("cannot write to standard output: {error}"))),
        Ok(()) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    /// Fails every write with this error.
    struct Closed(ErrorKind);

    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_that_leaves_is_no_failure() {
        assert_eq!(line_to(&mut Closed(ErrorKind::BrokenPipe), "text"), Ok(()));
    }

    #[test]
    fn a_full_disk_is_one_sentence() {
        let failure = line_to(&mut Closed(ErrorKind::StorageFull), "text").unwrap_err();
        assert!(failure.to_string().starts_with("cannot write to standard output: "));
    }
}
