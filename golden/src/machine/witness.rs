//! Whoever looks at the instructions of a machine.

use crate::isa::{Hart, Retired};
use std::fmt;

/// Looks at all that changes registers and memory, in the machine's order. A closure is one that looks at
/// instructions alone.
pub trait Look: Send {
    /// An instruction ended: its hart's number, the hart after it, and what it did.
    fn instruction(&mut self, number: usize, hart: &Hart, retired: &Retired);

    /// The host wrote these bytes of RAM.
    fn host_wrote(&mut self, address: u32, bytes: &[u8]) {
        let _ = (address, bytes);
    }
}

impl<F: FnMut(usize, &Hart, &Retired) + Send> Look for F {
    #[inline]
    fn instruction(&mut self, number: usize, hart: &Hart, retired: &Retired) {
        self(number, hart, retired);
    }
}

/// What a machine shows everything to.
pub type Witness = Box<dyn Look>;

/// A machine's witness, if it has one. A copy of the machine has none: it goes its own way.
#[derive(Default)]
pub(super) struct Shown(Option<Witness>);

impl Shown {
    /// Shows everything to this one from now on.
    pub fn to(witness: Witness) -> Self {
        Self(Some(witness))
    }

    #[inline]
    pub fn see(&mut self, number: usize, hart: &Hart, retired: &Retired) {
        if let Some(witness) = &mut self.0 {
            witness.instruction(number, hart, retired);
        }
    }

    pub fn host_wrote(&mut self, address: u32, bytes: &[u8]) {
        if let Some(witness) = &mut self.0 {
            witness.host_wrote(address, bytes);
        }
    }

    /// The bytes of a line that a mask selects, piece by piece.
    pub fn host_wrote_line(&mut self, line: u32, bytes: &[u8], is_written: impl Fn(usize) -> bool) {
        let mut from = 0;
        while from < bytes.len() {
            let count = (from..bytes.len()).take_while(|at| is_written(*at)).count();
            if count > 0 {
                self.host_wrote(line + from as u32, &bytes[from..from + count]);
            }
            from += count.max(1);
        }
    }
}

impl Clone for Shown {
    fn clone(&self) -> Self {
        Self(None)
    }
}

impl fmt::Debug for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "a witness" } else { "nobody" })
    }
}
