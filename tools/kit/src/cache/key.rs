//! Names of cache entries: hashes of everything that decides what is in them.

use crate::numbers::hex;
use sha2::{Digest as _, Sha256};

/// A SHA-256 over unambiguously separated parts: each is preceded by its length.
#[derive(Clone, Debug, Default)]
pub struct Key(Sha256);

impl Key {
    /// A key without parts.
    pub fn new() -> Self {
        Self::default()
    }

    /// A key of these parts.
    pub fn of<P: AsRef<[u8]>>(parts: impl IntoIterator<Item = P>) -> Self {
        let mut key = Self::new();
        parts.into_iter().for_each(|part| key.add(part));
        key
    }

    /// Adds a part.
    pub fn add(&mut self, part: impl AsRef<[u8]>) {
        let bytes = part.as_ref();
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    /// Adds a list as one unit: its length is part of the key.
    pub fn add_list<P: AsRef<[u8]>>(&mut self, parts: impl IntoIterator<Item = P>) {
        let parts: Vec<_> = parts.into_iter().collect();
        self.add(parts.len().to_string());
        parts.iter().for_each(|part| self.add(part));
    }

    /// All 64 hexadecimal digits.
    pub fn hex(self) -> String {
        hex(&self.0.finalize())
    }

    /// 24 hexadecimal digits: short enough for file names, and without collisions in practice.
    pub fn name(self) -> String {
        hex(&self.0.finalize()[..12])
    }
}

/// SHA-256 of some bytes.
pub fn sha256(bytes: impl AsRef<[u8]>) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_lists_do_not_run_into_each_other() {
        assert_ne!(Key::of(["a", "b"]).hex(), Key::of(["ab"]).hex());
        assert_ne!(Key::of(["a", "b"]).hex(), Key::of(["b", "a"]).hex());
        let lists = |lists: &[&[&str]]| {
            let mut key = Key::new();
            lists.iter().for_each(|list| key.add_list(*list));
            key.hex()
        };
        assert_ne!(lists(&[&["a", "b"], &[]]), lists(&[&["a"], &["b"]]));
        assert_ne!(lists(&[&[]]), lists(&[]));
    }

    #[test]
    fn a_key_is_the_hash_of_lengths_and_parts() {
        let bytes = b"\x02\0\0\0\0\0\0\0ab\x01\0\0\0\0\0\0\0c";
        let hash = hex(&sha256(bytes));
        assert_eq!(Key::of(["ab", "c"]).hex(), hash);
        assert_eq!(Key::of(["ab", "c"]).name(), hash[..24]);
    }
}
