//! What `#[hardware]` expands to: each `let` names the hardware it binds, and does nothing for
//! values that are not hardware.

use crate::bundle::Named;

/// A borrowed value on its way to being named.
pub struct Tag<'a, T>(pub &'a T);

/// Chosen by method lookup for values that are hardware.
pub trait TagHardware {
    /// Names the value.
    fn tag(&self, name: &str, doc: &'static str);
}

impl<T: Named> TagHardware for Tag<'_, T> {
    fn tag(&self, name: &str, doc: &'static str) {
        self.0.give_name(name, doc);
    }
}

/// Chosen, one reference further, for all other values.
pub trait TagOther {
    /// Does nothing.
    fn tag(&self, name: &str, doc: &'static str);
}

impl<T> TagOther for &Tag<'_, T> {
    fn tag(&self, _name: &str, _doc: &'static str) {}
}
