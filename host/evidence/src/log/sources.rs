//! Where the values in registers came from: the loads that they were computed from.
//!
//! This is how the inputs of a failed condition, or of a bad pointer, are found: not by looking at the
//! source, but by following what the instructions did.

use std::collections::HashMap;

/// How many loads a value remembers; the newest are kept.
const MOST: usize = 8;

/// The loads that a value was computed from: numbers of events, ascending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    loads: [u64; MOST],
    count: u8,
}

impl Sources {
    /// A value that comes from one load.
    pub fn of(load: u64) -> Self {
        let mut loads = [0; MOST];
        loads[0] = load;
        Self { loads, count: 1 }
    }

    /// The loads, oldest first.
    pub fn loads(&self) -> &[u64] {
        &self.loads[..usize::from(self.count)]
    }

    /// Those of a value computed from two.
    pub fn and(self, other: Self) -> Self {
        if other.count == 0 || self == other {
            return self;
        }
        if self.count == 0 {
            return other;
        }
        let mut all: Vec<u64> = self.loads().iter().chain(other.loads()).copied().collect();
        all.sort_unstable();
        all.dedup();
        let newest = &all[all.len().saturating_sub(MOST)..];
        let mut loads = [0; MOST];
        loads[..newest.len()].copy_from_slice(newest);
        Self { loads, count: newest.len() as u8 }
    }
}

/// The sources of what a thread has in its registers, and in its own part of memory (values that the
/// compiler put aside on the stack).
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    registers: [Sources; 32],
    kept: HashMap<u32, Sources>,
}

impl Values {
    pub fn register(&self, number: u8) -> Sources {
        self.registers[usize::from(number & 31)]
    }

    pub fn set(&mut self, register: u8, sources: Sources) {
        if register != 0 {
            self.registers[usize::from(register & 31)] = sources;
        }
    }

    /// A value went to the thread's own stack.
    pub fn keep(&mut self, address: u32, sources: Sources) {
        if sources.count == 0 {
            self.kept.remove(&address);
        } else {
            self.kept.insert(address, sources);
        }
    }

    /// The sources of what the thread kept there.
    pub fn kept(&self, address: u32) -> Sources {
        self.kept.get(&address).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_computed_value_has_the_newest_loads_of_both() {
        let two = Sources::of(3).and(Sources::of(1));
        assert_eq!(two.loads(), [1, 3]);
        assert_eq!(two.and(two).loads(), [1, 3]);
        let more = [4, 2, 9, 8, 7, 6, 5];
        let many = more.into_iter().fold(two, |all, load| all.and(Sources::of(load)));
        assert_eq!(many.loads(), [2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(Sources::default().and(two), two);
    }

    #[test]
    fn a_constant_on_the_stack_forgets_what_was_there() {
        let mut values = Values::default();
        values.keep(0x40, Sources::of(7));
        assert_eq!(values.kept(0x40).loads(), [7]);
        values.keep(0x40, Sources::default());
        assert!(values.kept(0x40).loads().is_empty());
    }
}
