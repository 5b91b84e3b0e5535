//! An index of strings: finds the number of a string by its text.
//!
//! A circuit has up to a million names. The strings stay where their owner keeps them, once and side
//! by side; here is only a table of hashes and numbers, small enough to be looked up in quickly.

/// The table. Its owner numbers the strings and lends them for comparison.
#[derive(Default)]
pub(crate) struct Index {
    /// A power of two of slots, at most three quarters of them in use.
    slots: Vec<Slot>,
    used: usize,
}

#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    number: u32,
}

/// The number of a slot that is not in use.
const FREE: u32 = u32::MAX;

/// The hash of a string that is not in the table yet.
#[derive(Clone, Copy)]
pub(crate) struct Absent(u32);

impl Index {
    /// The number of `text`.
    pub fn find<'s>(&self, text: &str, string: impl Fn(u32) -> &'s str) -> Result<u32, Absent> {
        let hash = hash(text);
        let Some(mask) = self.slots.len().checked_sub(1) else { return Err(Absent(hash)) };
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot.number == FREE {
                return Err(Absent(hash));
            }
            if slot.hash == hash && string(slot.number) == text {
                return Ok(slot.number);
            }
            at = (at + 1) & mask;
        }
    }

    /// Gives a number to the string that was not found.
    pub fn insert(&mut self, absent: Absent, number: u32) {
        if (self.used + 1) * 4 > self.slots.len() * 3 {
            let size = (self.slots.len() * 2).max(64);
            let old =
                std::mem::replace(&mut self.slots, vec![Slot { hash: 0, number: FREE }; size]);
            old.into_iter().filter(|slot| slot.number != FREE).for_each(|slot| self.put(slot));
        }
        self.put(Slot { hash: absent.0, number });
        self.used += 1;
    }

    fn put(&mut self, slot: Slot) {
        let mask = self.slots.len() - 1;
        let mut at = slot.hash as usize & mask;
        while self.slots[at].number != FREE {
            at = (at + 1) & mask;
        }
        self.slots[at] = slot;
    }
}

/// Eight bytes at a time, multiplied; the upper half is the better mixed one.
fn hash(text: &str) -> u32 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = text.len() as u64;
    let mut add = |word: u64| hash = (hash.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    words.iter().for_each(|word| add(u64::from_le_bytes(*word)));
    add(rest.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)));
    (hash >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_string_is_found_again_and_no_other() {
        let strings: Vec<String> = (0..10_000).map(|number| format!("sum_{number}")).collect();
        let mut index = Index::default();
        for (number, text) in strings.iter().enumerate() {
            let absent = index.find(text, |number| &strings[number as usize]);
            let Err(absent) = absent else { panic!("{text} is not in the table yet") };
            index.insert(absent, number as u32);
        }
        for (number, text) in strings.iter().enumerate() {
            let found = index.find(text, |number| &strings[number as usize]).ok();
            assert_eq!(found, Some(number as u32));
        }
        assert!(index.find("sum", |number| &strings[number as usize]).is_err());
    }
}
