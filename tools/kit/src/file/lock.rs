//! File locks, which the system releases when a process is killed.

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use std::fs::File;
use std::io;

/// Waits until no other process or thread has this file locked, then locks it until it is closed. On file systems
/// without locks it returns at once.
///
/// # Errors
/// If the system call fails.
pub fn lock(file: File) -> io::Result<File> {
    lock_telling(file, || ())
}

/// As [`lock`]; calls `waiting` first if the file is locked by another.
///
/// # Errors
/// If the system call fails.
pub fn lock_telling(file: File, waiting: impl FnOnce()) -> io::Result<File> {
    if flock(&file, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK) {
        waiting();
    }
    loop {
        match flock(&file, FlockOperation::LockExclusive) {
            Ok(()) | Err(Errno::NOTSUP | Errno::NOSYS | Errno::NOLCK) => return Ok(file),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn only_who_has_to_wait_is_told_to() {
        let folder = tempfile::tempdir().unwrap();
        let open = || File::create(folder.path().join("lock")).unwrap();
        let told = Cell::new(false);
        let held = Cell::new(Some(lock_telling(open(), || told.set(true)).unwrap()));
        assert!(!told.get());
        // Closing the file unlocks it for the other.
        let _second = lock_telling(open(), || {
            told.set(true);
            drop(held.take());
        });
        assert!(told.get());
    }
}
