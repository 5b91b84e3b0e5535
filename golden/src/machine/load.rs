//! Program segments.

use crate::memory::{Memory, RAM};

/// A segment of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment<'a> {
    /// Address of its first byte.
    pub address: u32,
    /// Its bytes.
    pub bytes: &'a [u8],
}

/// A segment that is not in RAM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a segment of {length} bytes at {address:#x} is not in RAM; \
     allowed: {RAM:#x} to {ram_last:#x}"
)]
pub struct OutsideRam {
    /// Address of its first byte.
    pub address: u32,
    /// Length in bytes.
    pub length: usize,
    /// The address of RAM's last byte.
    pub ram_last: u32,
}

/// Loads a segment into memory before the run.
pub(super) fn load(memory: &mut Memory, segment: Segment) -> Result<(), OutsideRam> {
    let Segment { address, bytes } = segment;
    let ram_last = memory.map().ram_last;
    let refused = OutsideRam { address, length: bytes.len(), ram_last };
    let room = u64::from(ram_last) + 1;
    let end = u64::from(address) + bytes.len() as u64;
    if address < RAM || end > room {
        return Err(refused);
    }
    memory.ram_mut().piece_mut(address, bytes.len() as u32).copy_from_slice(bytes);
    Ok(())
}
