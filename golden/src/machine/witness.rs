//! Whoever looks at the instructions of a machine.

use crate::isa::{Hart, Retired};
use std::fmt;

/// Looks at every instruction that ends, in the machine's order: its hart's number, the hart after it, and
/// what it did.
pub type Witness = Box<dyn FnMut(usize, &Hart, &Retired) + Send>;

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
            witness(number, hart, retired);
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
