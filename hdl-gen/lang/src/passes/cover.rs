//! Sets of bits of driven nodes, as a walk through the statements sees them.

use crate::ir::{Module, NodeId};
use crate::ranks::Ranks;

/// Some bits of one node. Whole words are the common case and need no allocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cover {
    /// No bit.
    Empty,
    /// Every bit.
    All,
    /// These, neither none nor all.
    Some(Box<[u64]>),
}

/// The bits `lo..hi` (`lo < hi`) as a mask for each word they touch.
fn masks(lo: u32, hi: u32) -> impl Iterator<Item = (usize, u64)> {
    (lo / 64..=(hi - 1) / 64).map(move |word| {
        let from = lo.max(word * 64) - word * 64;
        let to = hi.min(word * 64 + 64) - word * 64;
        (word as usize, u64::MAX >> (64 - (to - from)) << from)
    })
}

impl Cover {
    /// Whether all of `lo..hi` is in the set.
    pub fn contains(&self, lo: u32, hi: u32) -> bool {
        match self {
            Cover::Empty => false,
            Cover::All => true,
            Cover::Some(words) => masks(lo, hi).all(|(word, mask)| words[word] & mask == mask),
        }
    }

    /// Adds `lo..hi` to a set of `width` bits.
    pub fn insert(&mut self, lo: u32, hi: u32, width: u32) {
        if lo == 0 && hi == width {
            *self = Cover::All;
            return;
        }
        if *self == Cover::Empty {
            *self = Cover::Some(vec![0; width.div_ceil(64) as usize].into());
        }
        if let Cover::Some(words) = self {
            masks(lo, hi).for_each(|(word, mask)| words[word] |= mask);
            if masks(0, width).all(|(word, mask)| words[word] == mask) {
                *self = Cover::All;
            }
        }
    }

    /// The bits of both.
    pub fn intersect(&mut self, other: &Cover) {
        match (&mut *self, other) {
            (_, Cover::All) | (Cover::Empty, _) => {}
            (Cover::All, other) => *self = other.clone(),
            (_, Cover::Empty) => *self = Cover::Empty,
            (Cover::Some(words), Cover::Some(other)) => {
                words.iter_mut().zip(other).for_each(|(word, other)| *word &= other);
                if words.iter().all(|&word| word == 0) {
                    *self = Cover::Empty;
                }
            }
        }
    }

    /// The bits of either.
    pub fn unite(&mut self, other: &Cover, width: u32) {
        match (&mut *self, other) {
            (Cover::All, _) | (_, Cover::Empty) => {}
            (Cover::Empty, other) => *self = other.clone(),
            (_, Cover::All) => *self = Cover::All,
            (Cover::Some(words), Cover::Some(other)) => {
                words.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
                if masks(0, width).all(|(word, mask)| words[word] == mask) {
                    *self = Cover::All;
                }
            }
        }
    }

    /// The bits that are not in a set of `width` bits.
    pub fn complement(&self, width: u32) -> Cover {
        match self {
            Cover::Empty => Cover::All,
            Cover::All => Cover::Empty,
            Cover::Some(words) => {
                let mut words = words.clone();
                masks(0, width).for_each(|(word, mask)| words[word] ^= mask);
                Cover::Some(words)
            }
        }
    }

    /// The bits as half-open ranges, lowest first.
    pub fn ranges(&self, width: u32) -> Vec<(u32, u32)> {
        let words = match self {
            Cover::Empty => return Vec::new(),
            Cover::All => return vec![(0, width)],
            Cover::Some(words) => words,
        };
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for bit in (0..width).filter(|bit| words[*bit as usize / 64] >> (bit % 64) & 1 == 1) {
            match ranges.last_mut() {
                Some((_, hi)) if *hi == bit => *hi += 1,
                _ => ranges.push((bit, bit + 1)),
            }
        }
        ranges
    }
}

/// Numbers the driven nodes of a module, so that what is kept for each is kept for no other.
pub(crate) struct Places {
    driven: Ranks,
    /// The driven nodes, in the order of the module.
    pub nodes: Vec<NodeId>,
}

impl Places {
    pub fn of(module: &Module) -> Places {
        let driven = Ranks::of(module.nodes.iter().map(|node| node.op.is_driven()));
        let mut nodes = Vec::with_capacity(driven.count());
        nodes.extend(
            (0..module.nodes.len() as u32).map(NodeId).filter(|&id| module.node(id).op.is_driven()),
        );
        Places { driven, nodes }
    }

    /// The number of a driven node.
    pub fn of_node(&self, id: NodeId) -> usize {
        self.driven.get(id.index()).expect("a driven node")
    }
}

/// One set for each driven node, with blocks that can be left again: what a block added is then
/// undone and handed back.
pub(crate) struct Scopes {
    covers: Vec<Cover>,
    /// The block in which the place was last saved, to save it once a block.
    saved_in: Vec<u32>,
    trail: Vec<Saved>,
    /// Where the open blocks begin in `trail`, and their numbers.
    open: Vec<(usize, u32)>,
    next: u32,
}

struct Saved {
    place: u32,
    cover: Cover,
    saved_in: u32,
}

impl Scopes {
    pub fn new(places: usize) -> Scopes {
        Scopes {
            covers: vec![Cover::Empty; places],
            saved_in: vec![0; places],
            trail: Vec::new(),
            open: Vec::new(),
            next: 1,
        }
    }

    pub fn get(&self, place: usize) -> &Cover {
        &self.covers[place]
    }

    /// The set, to be changed.
    pub fn change(&mut self, place: usize) -> &mut Cover {
        if let Some(&(_, block)) = self.open.last()
            && self.saved_in[place] != block
        {
            self.trail.push(Saved {
                place: place as u32,
                cover: self.covers[place].clone(),
                saved_in: self.saved_in[place],
            });
            self.saved_in[place] = block;
        }
        &mut self.covers[place]
    }

    pub fn enter(&mut self) {
        self.open.push((self.trail.len(), self.next));
        self.next += 1;
    }

    /// Undoes what the innermost block changed and gives the sets it had, each place once.
    pub fn leave(&mut self) -> Vec<(usize, Cover)> {
        let (start, _) = self.open.pop().expect("a block that was entered");
        let mut changed = Vec::with_capacity(self.trail.len() - start);
        while self.trail.len() > start {
            let Some(saved) = self.trail.pop() else { break };
            let place = saved.place as usize;
            let cover = std::mem::replace(&mut self.covers[place], saved.cover);
            self.saved_in[place] = saved.saved_in;
            changed.push((place, cover));
        }
        changed.reverse();
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_grow_together_to_the_whole() {
        let mut cover = Cover::Empty;
        cover.insert(64, 130, 130);
        assert!(cover.contains(70, 129) && !cover.contains(63, 65));
        assert_eq!(cover.complement(130).ranges(130), [(0, 64)]);
        cover.insert(0, 64, 130);
        assert_eq!(cover, Cover::All);
    }

    #[test]
    fn sets_combine_bit_by_bit() {
        let mut low = Cover::Empty;
        low.insert(0, 6, 8);
        let mut high = Cover::Empty;
        high.insert(4, 8, 8);
        let mut both = low.clone();
        both.intersect(&high);
        assert_eq!(both.ranges(8), [(4, 6)]);
        low.unite(&high, 8);
        assert_eq!(low, Cover::All);
    }

    #[test]
    fn leaving_a_block_restores_what_was_before() {
        let mut scopes = Scopes::new(2);
        scopes.change(0).insert(0, 2, 8);
        scopes.enter();
        scopes.change(0).insert(2, 4, 8);
        scopes.enter();
        scopes.change(0).insert(4, 6, 8);
        assert_eq!(scopes.leave().len(), 1);
        scopes.change(0).insert(6, 8, 8);
        let changed = scopes.leave();
        assert_eq!(changed.len(), 1);
        assert_eq!(changed[0].1.ranges(8), [(0, 4), (6, 8)]);
        assert_eq!(scopes.get(0).ranges(8), [(0, 2)]);
    }
}
