//! The word that the host watches: how `tohost` is seen although caches write back.

/// A write to the watched word, at its ordering point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watched {
    /// Who wrote.
    pub hart: u8,
    /// The word as it became.
    pub data: u32,
}
