//! Lists of parts that a module is built with, each behind a trait.

use std::fmt::{self, Debug};
use std::rc::Rc;

/// Parts in a fixed order. Two lists are equal if their parts have the same parameters: the text of
/// the parameters is all that a trait object shows of them.
pub struct Parts<T: ?Sized>(Vec<Rc<T>>);

impl<T: ?Sized> Parts<T> {
    /// No parts.
    pub fn none() -> Parts<T> {
        Parts(Vec::new())
    }

    /// These and one more.
    pub fn with(mut self, part: Rc<T>) -> Parts<T> {
        self.0.push(part);
        self
    }

    /// Each part.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter().map(|part| &**part)
    }

    /// There are no parts.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T: ?Sized> Clone for Parts<T> {
    fn clone(&self) -> Parts<T> {
        Parts(self.0.clone())
    }
}

impl<T: ?Sized + Debug> Debug for Parts<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.0).finish()
    }
}

impl<T: ?Sized + Debug> PartialEq for Parts<T> {
    fn eq(&self, other: &Parts<T>) -> bool {
        format!("{self:?}") == format!("{other:?}")
    }
}
