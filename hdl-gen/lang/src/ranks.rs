//! A set of numbers that also gives the rank of each of its members.
//!
//! What only some nodes of a module have is kept in a list without gaps; this finds the place of a
//! node in it. Two bits for each number: a list of places for a million nodes would be fetched from
//! memory page by page.

/// The set, filled in ascending order.
#[derive(Default)]
pub(crate) struct Ranks {
    words: Vec<Word>,
    len: usize,
}

#[derive(Clone, Copy, Default)]
struct Word {
    /// The members among 64 numbers.
    members: u64,
    /// How many members there are below these.
    before: u32,
}

impl Ranks {
    /// An empty set, with room for all numbers below `count`.
    pub fn with_room_for(count: usize) -> Ranks {
        Ranks { words: Vec::with_capacity(count.div_ceil(64)), len: 0 }
    }

    /// The numbers from 0 up for which `members` says so.
    pub fn of(members: impl ExactSizeIterator<Item = bool>) -> Ranks {
        let mut ranks = Ranks::with_room_for(members.len());
        members.for_each(|member| ranks.push(member));
        ranks
    }

    /// The numbers listed, in any order, all below `count`.
    pub fn of_listed(count: usize, listed: impl Iterator<Item = usize>) -> Ranks {
        let mut words = vec![Word::default(); count.div_ceil(64)];
        for number in listed {
            words[number / 64].members |= 1 << (number % 64);
        }
        let mut before = 0;
        for word in &mut words {
            word.before = before;
            before += word.members.count_ones();
        }
        Ranks { words, len: count }
    }

    /// Says whether the next number is a member.
    pub fn push(&mut self, member: bool) {
        if self.len.is_multiple_of(64) {
            let before = self.count() as u32;
            self.words.push(Word { members: 0, before });
        }
        if let Some(word) = self.words.last_mut() {
            word.members |= u64::from(member) << (self.len % 64);
        }
        self.len += 1;
    }

    /// How many members there are below a member; none for what is no member.
    pub fn get(&self, number: usize) -> Option<usize> {
        let word = self.words.get(number / 64)?;
        let below = word.members & ((1 << (number % 64)) - 1);
        let member = word.members >> (number % 64) & 1 == 1;
        member.then(|| (word.before + below.count_ones()) as usize)
    }

    /// How many members there are.
    pub fn count(&self) -> usize {
        self.words.last().map_or(0, |word| (word.before + word.members.count_ones()) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_counted_across_words_and_others_are_not_found() {
        let is_member = |number: usize| number % 3 == 1 || (64..130).contains(&number);
        let members: Vec<usize> = (0..200).filter(|&number| is_member(number)).collect();
        let pushed = Ranks::of((0..200).map(is_member));
        let listed = Ranks::of_listed(200, members.iter().rev().copied());
        for ranks in [pushed, listed] {
            assert_eq!(ranks.count(), members.len());
            for number in 0..300 {
                assert_eq!(ranks.get(number), members.binary_search(&number).ok(), "{number}");
            }
        }
    }

    #[test]
    fn an_empty_set_has_no_members() {
        assert_eq!(Ranks::default().count(), 0);
        assert_eq!(Ranks::default().get(0), None);
    }
}
