//! Accesses other than harts' data accesses: instruction lines and the host.

use super::bus::{Memory, bits};
use super::cache::State;
use super::export::{BusGrant, BusKind, NOBODY};
use super::map::Region;
use super::ordered::Ordered;
use crate::Mode;
use crate::isa::{DataAccess, DataKind, Size};

impl Memory {
    /// The current bytes of the line of an address in RAM: the owner's if it is newer than memory, as far as they are
    /// committed.
    /// Nothing changes.
    pub fn current_line(&self, address: u32) -> &[u8] {
        let line = address & !(self.line - 1);
        let mut owners = self.caches.iter().enumerate();
        let owner = owners.find(|(hart, cache)| {
            cache.state(address) == State::Modified && !self.is_speculative(*hart, line)
        });
        let held = owner.and_then(|(_, cache)| Some((cache, cache.find(address)?)));
        match held {
            Some((cache, way)) => cache.bytes(address, way),
            None => self.ram.piece(line, self.line),
        }
    }

    /// The current aligned word of an address in RAM; `None` outside RAM.
    pub fn current_word(&self, address: u32) -> Option<u32> {
        if self.map().region(address) != Region::Ram {
            return None;
        }
        let start = (address & (self.line - 1) & !3) as usize;
        let bytes = self.current_line(address).get(start..start + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    }

    /// Fetches the line of an address into an instruction cache.
    pub fn fetch(&self, hart: usize, address: u32) -> BusGrant {
        BusGrant::plain(BusKind::Fetch, hart as u8, address & !(self.line - 1))
    }

    /// A hart reads the line of an address in its tables of colors; see [`Self::current_line`] for its bytes.
    pub fn walk(&self, hart: usize, address: u32) -> BusGrant {
        BusGrant::plain(BusKind::Walk, hart as u8, address & !(self.line - 1))
    }

    /// The host reads the line of an address in RAM; see [`Self::current_line`] for its bytes.
    pub fn host_read(&self, address: u32) -> BusGrant {
        BusGrant::plain(BusKind::HostRead, NOBODY, address & !(self.line - 1))
    }

    /// The host writes the bytes of a line in RAM selected by `mask`. All copies and their
    /// reservations are invalidated.
    pub fn host_write(
        &mut self,
        address: u32,
        bytes: &[u8],
        mask: impl Fn(usize) -> bool,
    ) -> BusGrant {
        let line = address & !(self.line - 1);
        self.abort_others(None, line, true);
        let mut merged = [0; 256];
        let merged = &mut merged[..self.line as usize];
        merged.copy_from_slice(self.current_line(line));
        for (place, (old, new)) in merged.iter_mut().zip(bytes).enumerate() {
            if mask(place) {
                *old = *new;
            }
        }
        self.ram.piece_mut(line, self.line).copy_from_slice(merged);
        for hart in bits(u32::MAX >> (32 - self.caches.len())) {
            if let Some(way) = self.caches[hart].find(line) {
                self.caches[hart].invalidate(line, way);
            }
        }
        BusGrant::plain(BusKind::HostWrite, NOBODY, line)
    }

    /// Clears bytes of a line in RAM in memory and in all copies; the states stay as they are.
    pub fn clear(&mut self, address: u32, length: u32) {
        let start = (address & (self.line - 1)) as usize;
        self.abort_others(None, address & !(self.line - 1), true);
        self.ram.piece_mut(address, length).fill(0);
        for cache in &mut self.caches {
            if let Some(way) = cache.find(address) {
                cache.bytes_mut(address, way)[start..start + length as usize].fill(0);
            }
        }
    }

    /// The host reads (`data` is `None`) or writes a device register; `None` if no device is there.
    pub fn host_device(&mut self, address: u32, data: Option<u32>, now: u64) -> Option<Ordered> {
        let kind = if data.is_some() { DataKind::Store } else { DataKind::Load };
        let access = DataAccess {
            kind,
            size: Size::Word,
            address,
            data: data.unwrap_or(0),
            pc: 0,
            mode: Mode::Machine,
            rights: Mode::Machine,
        };
        let region = self.map().region(address);
        let is_device = !matches!(region, Region::Ram | Region::Vacant);
        is_device.then(|| self.device(NOBODY, &access, region, now))
    }
}
