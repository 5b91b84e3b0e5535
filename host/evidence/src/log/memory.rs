//! Memory as the program has written it, with the last writer of every byte.

use crate::event::Site;
use std::collections::HashMap;

const PAGE: usize = 4096;

/// Memory that can be read: of the end of a run, or of another moment.
pub trait Bytes {
    /// A byte; zero where there is none.
    fn byte(&self, address: u32) -> u8;

    /// Up to four bytes, the first in the low bits.
    fn value(&self, address: u32, size: u8) -> u32 {
        let byte = |at: u8| u32::from(self.byte(address.wrapping_add(at.into()))) << (8 * at);
        (0..size.min(4)).map(byte).fold(0, |all, byte| all | byte)
    }
}

/// A write, as what it wrote remembers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// Where in the program, and by whom.
    pub place: Site,
    /// The number of its event.
    pub at: u64,
}

#[derive(Clone, Debug)]
struct Page {
    bytes: Vec<u8>,
    /// Of each byte, from 1: an entry of `sites`; 0: the program did not write it.
    writers: Vec<u32>,
    times: Vec<u64>,
}

impl Page {
    fn new() -> Self {
        Self { bytes: vec![0; PAGE], writers: vec![0; PAGE], times: vec![0; PAGE] }
    }
}

/// Memory, byte by byte. What nobody wrote is zero.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    pages: HashMap<u32, Page>,
    sites: Vec<Site>,
    known: HashMap<Site, u32>,
}

impl Bytes for Memory {
    fn byte(&self, address: u32) -> u8 {
        let (page, offset) = place(address);
        self.pages.get(&page).map_or(0, |page| page.bytes[offset])
    }
}

impl Memory {
    /// Text up to a zero byte, if it ends within `most` bytes.
    pub fn text(&self, address: u32, most: u32) -> Option<String> {
        let bytes = (0..most).map(|at| self.byte(address.wrapping_add(at)));
        let text: Vec<u8> = bytes.take_while(|byte| *byte != 0).collect();
        (text.len() < most as usize).then(|| String::from_utf8_lossy(&text).into_owned())
    }

    /// The last write of a byte by the program or the library; none if they never wrote it.
    pub fn writer(&self, address: u32) -> Option<Write> {
        let (page, offset) = place(address);
        let page = self.pages.get(&page)?;
        let site = page.writers[offset].checked_sub(1)?;
        Some(Write { place: self.sites[site as usize], at: page.times[offset] })
    }

    /// The last write of any of these bytes.
    pub fn last_writer(&self, address: u32, size: u8) -> Option<Write> {
        let bytes = (0..u32::from(size)).map(|at| address.wrapping_add(at));
        bytes.filter_map(|byte| self.writer(byte)).max_by_key(|write| write.at)
    }

    /// Puts bytes there, which then have no writer: what the program is loaded with, and what the firmware writes.
    pub fn fill(&mut self, address: u32, bytes: &[u8]) {
        for (at, byte) in bytes.iter().enumerate() {
            let (page, offset) = place(address.wrapping_add(at as u32));
            let page = self.pages.entry(page).or_insert_with(Page::new);
            (page.bytes[offset], page.writers[offset]) = (*byte, 0);
        }
    }

    /// A write of the program or the library.
    pub fn write(&mut self, address: u32, size: u8, value: u32, write: Write) {
        let next = self.sites.len() as u32 + 1;
        let writer = *self.known.entry(write.place).or_insert(next);
        if writer == next {
            self.sites.push(write.place);
        }
        let bytes = value.to_le_bytes();
        for (at, byte) in bytes.iter().take(size.into()).enumerate() {
            let (page, offset) = place(address.wrapping_add(at as u32));
            let page = self.pages.entry(page).or_insert_with(Page::new);
            page.bytes[offset] = *byte;
            page.writers[offset] = writer;
            page.times[offset] = write.at;
        }
    }
}

fn place(address: u32) -> (u32, usize) {
    (address / PAGE as u32, address as usize % PAGE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{StackId, Thread};

    fn by(thread: u32, at: u64) -> Write {
        Write { place: Site { thread: Thread(thread), pc: 0x100, stack: StackId(0) }, at }
    }

    #[test]
    fn every_byte_has_its_own_last_writer() {
        let mut memory = Memory::default();
        memory.fill(0x1ffe, &[1, 2, 3, 4]);
        assert_eq!((memory.value(0x1ffe, 4), memory.writer(0x1ffe)), (0x0403_0201, None));
        memory.write(0x1ffe, 4, 0xaabb_ccdd, by(1, 5));
        memory.write(0x1fff, 1, 0x11, by(2, 6));
        assert_eq!(memory.value(0x1ffe, 4), 0xaabb_11dd);
        let writers: Vec<_> = (0x1ffe..0x2002).map(|at| memory.writer(at)).collect();
        assert_eq!(writers, [Some(by(1, 5)), Some(by(2, 6)), Some(by(1, 5)), Some(by(1, 5))]);
        assert_eq!(memory.last_writer(0x1ffe, 4), Some(by(2, 6)));
        assert_eq!(memory.last_writer(0x2000, 2), Some(by(1, 5)));
        // What the firmware writes is not what the program wrote before.
        memory.fill(0x2000, &[7]);
        assert_eq!((memory.writer(0x2000), memory.writer(0x2001)), (None, Some(by(1, 5))));
    }

    #[test]
    fn text_ends_at_a_zero_byte() {
        let mut memory = Memory::default();
        memory.fill(0x10, b"name\0rest");
        assert_eq!(memory.text(0x10, 16).as_deref(), Some("name"));
        assert_eq!(memory.text(0x10, 4), None);
    }
}
