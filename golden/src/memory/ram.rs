//! The memory behind the caches.

use super::map::RAM;

/// Memory, starting at [`RAM`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ram {
    bytes: Vec<u8>,
}

impl Ram {
    /// Zeros up to `last`, the address of the last byte.
    pub fn new(last: u32) -> Self {
        assert!(last >= RAM, "RAM ends at {last:#x}, before it starts; allowed: from {RAM:#x} on");
        Self { bytes: vec![0; (last - RAM) as usize + 1] }
    }

    /// All bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes of an aligned piece that lies in RAM.
    pub fn piece(&self, address: u32, length: u32) -> &[u8] {
        let start = (address - RAM) as usize;
        &self.bytes[start..start + length as usize]
    }

    /// The same, mutable.
    pub fn piece_mut(&mut self, address: u32, length: u32) -> &mut [u8] {
        let start = (address - RAM) as usize;
        &mut self.bytes[start..start + length as usize]
    }
}
