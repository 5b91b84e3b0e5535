//! Tree pseudo-LRU replacement.

/// The tree of one set: node 0 is the root, children of i are 2i+1 (lower ways) and 2i+2 (higher
/// ways). A bit points to the half in which the victim is; 0 is the lower one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plru {
    bits: u16,
}

impl Plru {
    /// The victim among `ways` ways (a power of two).
    pub fn victim(self, ways: u32) -> u32 {
        let (mut node, mut low, mut count) = (0, 0, ways);
        while count > 1 {
            count /= 2;
            let higher = u32::from(self.bits >> node & 1);
            low += higher * count;
            node = 2 * node + 1 + higher;
        }
        low
    }

    /// Marks a way as used: every node on its path points away from it.
    #[inline]
    pub fn touch(&mut self, way: u32, ways: u32) {
        let (mut node, mut count) = (0, ways);
        while count > 1 {
            count /= 2;
            let higher = u32::from(way & count != 0);
            self.bits = self.bits & !(1 << node) | (1 - higher as u16) << node;
            node = 2 * node + 1 + higher;
        }
    }

    /// The bits, node 0 in the lowest.
    pub fn bits(self) -> u16 {
        self.bits
    }
}
