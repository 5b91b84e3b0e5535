//! The watched word, which makes `tohost` visible although caches write back.

/// A write to the watched word, at its ordering point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watched {
    /// The hart that wrote.
    pub hart: u8,
    /// The word after the write.
    pub data: u32,
}
