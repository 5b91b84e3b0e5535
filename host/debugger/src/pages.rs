//! Memory whose copies share what they have in common.

use evidence::log::Bytes;
use std::ops::Range;
use std::sync::Arc;

const PAGE: usize = 4096;

type Page = [u8; PAGE];

/// A range of memory. A copy costs a pointer a page; a page is copied when one of those who share it writes.
#[derive(Clone, Debug)]
pub struct Pages {
    range: Range<u64>,
    pages: Vec<Arc<Page>>,
    /// What a page is that nobody wrote.
    empty: Arc<Page>,
}

impl Pages {
    /// Zeros at these addresses.
    pub fn new(range: Range<u64>) -> Self {
        let count = (range.end - range.start).div_ceil(PAGE as u64) as usize;
        let empty = Arc::new([0; PAGE]);
        Self { range, pages: vec![empty.clone(); count], empty }
    }

    /// Which addresses there are.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// Copies bytes from an address on; gives how many there are, which is less at the end of memory.
    pub fn read(&self, address: u32, bytes: &mut [u8]) -> usize {
        let mut done = 0;
        while done < bytes.len() {
            let Some((page, offset)) = self.place(u64::from(address) + done as u64) else { break };
            let count = (PAGE - offset).min(bytes.len() - done);
            let left = self.range.end - u64::from(address) - done as u64;
            let count = count.min(usize::try_from(left).unwrap_or(usize::MAX));
            bytes[done..done + count].copy_from_slice(&self.pages[page][offset..offset + count]);
            done += count;
        }
        done
    }

    /// Puts bytes there; what is outside of memory is ignored.
    pub fn write(&mut self, address: u32, bytes: &[u8]) {
        for (at, byte) in bytes.iter().enumerate() {
            if let Some((page, offset)) = self.place(u64::from(address) + at as u64) {
                Arc::make_mut(&mut self.pages[page])[offset] = *byte;
            }
        }
    }

    /// The bytes of a word that a mask selects; a word is in one page.
    #[inline]
    pub fn write_lanes(&mut self, word: u32, lanes: u8, data: u32) {
        if let Some((page, offset)) = self.place(word.into()) {
            let page = Arc::make_mut(&mut self.pages[page]);
            let bytes = data.to_le_bytes();
            for lane in (0..4).filter(|lane| lanes & 1 << lane != 0) {
                page[offset + lane] = bytes[lane];
            }
        }
    }

    /// The pages that are not all zero, with their addresses; the last may reach beyond the range.
    pub fn used(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let written = |page: &Arc<Page>| !Arc::ptr_eq(page, &self.empty) && **page != [0; PAGE];
        let pages = self.pages.iter().enumerate().filter(move |(_, page)| written(page));
        pages.map(|(number, page)| (self.range.start + (number * PAGE) as u64, &page[..]))
    }

    #[inline]
    fn place(&self, address: u64) -> Option<(usize, usize)> {
        if !self.range.contains(&address) {
            return None;
        }
        let offset = (address - self.range.start) as usize;
        Some((offset / PAGE, offset % PAGE))
    }
}

impl Bytes for Pages {
    fn byte(&self, address: u32) -> u8 {
        self.place(address.into()).map_or(0, |(page, offset)| self.pages[page][offset])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_keeps_what_was_there() {
        let mut pages = Pages::new(0x1000..0x4000);
        pages.write(0x1ffe, &[1, 2, 3, 4]);
        let copy = pages.clone();
        pages.write_lanes(0x1ffc, 0b1100, 0xaabb_ccdd);
        let value = |pages: &Pages| {
            let mut bytes = [0; 4];
            assert_eq!(pages.read(0x1ffe, &mut bytes), 4);
            bytes
        };
        assert_eq!((value(&copy), value(&pages)), ([1, 2, 3, 4], [0xbb, 0xaa, 3, 4]));
        assert!(Arc::ptr_eq(&copy.pages[2], &pages.pages[2]), "what nobody wrote is shared");
    }

    #[test]
    fn there_is_nothing_outside() {
        let mut pages = Pages::new(0x1000..0x1ff0);
        let mut bytes = [7; 8];
        assert_eq!(pages.read(0xffc, &mut bytes), 0);
        assert_eq!(pages.read(0x1fec, &mut bytes), 4, "up to the end");
        pages.write(0x1fee, &[1, 2, 3, 4]);
        pages.write_lanes(0x1ff0, 0xf, 5);
        assert_eq!((pages.byte(0x1fef), pages.byte(0x1ff0), pages.byte(0)), (2, 0, 0));
        assert_eq!(pages.read(u32::MAX, &mut bytes), 0);
    }
}
