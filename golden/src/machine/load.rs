//! Programs as bytes at addresses.

use crate::memory::{Memory, RAM};

/// A piece of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment<'a> {
    /// Where its first byte goes.
    pub address: u32,
    /// Its bytes.
    pub bytes: &'a [u8],
}

/// A segment that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a segment of {length} bytes at {address:#x} does not lie in RAM; \
     allowed: {RAM:#x} to {ram_last:#x}"
)]
pub struct OutsideRam {
    /// Where it should go.
    pub address: u32,
    /// How long it is.
    pub length: usize,
    /// The address of RAM's last byte.
    pub ram_last: u32,
}

/// Puts a segment into memory, before anything runs.
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
