//! Blocks of the heap: where each was allocated and freed.

use crate::event::Site;
use std::collections::{BTreeMap, VecDeque};

/// Freed blocks that are remembered, also after their memory was given out again.
const FREED: usize = 4096;

/// A block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its first byte.
    pub address: u32,
    /// The bytes that were asked for.
    pub bytes: u32,
    /// Where it was allocated.
    pub allocated: Site,
    /// The number of the event with which it was.
    pub since: u64,
    /// Where it was freed, and the number of that event.
    pub freed: Option<(Site, u64)>,
}

impl Block {
    /// Whether an address is in it.
    pub fn holds(&self, address: u32) -> bool {
        address.checked_sub(self.address).is_some_and(|offset| offset < self.bytes.max(1))
    }
}

/// The heap.
#[derive(Clone, Debug, Default)]
pub struct Heap {
    live: BTreeMap<u32, Block>,
    freed: VecDeque<Block>,
}

impl Heap {
    /// The block in use that an address is in.
    pub fn live(&self, address: u32) -> Option<&Block> {
        let (_, block) = self.live.range(..=address).next_back()?;
        block.holds(address).then_some(block)
    }

    /// The block that an address was in and that was freed last.
    pub fn freed_at(&self, address: u32) -> Option<&Block> {
        self.freed.iter().rev().find(|block| block.holds(address))
    }

    /// The block that an address is in, or else was in.
    pub fn block(&self, address: u32) -> Option<&Block> {
        self.live(address).or_else(|| self.freed_at(address))
    }

    /// The block that was freed with an event.
    pub fn freed_in(&self, number: u64) -> Option<&Block> {
        self.freed.iter().rev().find(|block| block.freed.is_some_and(|(_, at)| at == number))
    }

    pub(super) fn allocated(&mut self, address: u32, bytes: u32, allocated: Site, since: u64) {
        if address != 0 {
            let block = Block { address, bytes, allocated, since, freed: None };
            self.live.insert(address, block);
        }
    }

    pub(super) fn freed(&mut self, address: u32, place: Site, at: u64) {
        let Some(mut block) = self.live.remove(&address) else { return };
        block.freed = Some((place, at));
        if self.freed.len() == FREED {
            self.freed.pop_front();
        }
        self.freed.push_back(block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{StackId, Thread};

    fn site(pc: u32) -> Site {
        Site { thread: Thread(0), pc, stack: StackId(0) }
    }

    #[test]
    fn a_freed_block_is_known_after_its_memory_is_used_again() {
        let mut heap = Heap::default();
        heap.allocated(0x100, 16, site(1), 1);
        assert_eq!(heap.live(0x10f).map(|block| block.allocated.pc), Some(1));
        assert_eq!(heap.live(0x110), None);
        heap.freed(0x100, site(2), 2);
        assert_eq!(heap.live(0x100), None);
        heap.allocated(0x100, 8, site(3), 3);
        assert_eq!(heap.block(0x104).map(|block| block.allocated.pc), Some(3));
        let freed = heap.freed_at(0x104).and_then(|block| block.freed);
        assert_eq!(freed, Some((site(2), 2)));
        assert_eq!(heap.block(0x10c).map(|block| block.allocated.pc), Some(1));
    }
}
