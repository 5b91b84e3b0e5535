//! Which entry and parties an instruction matches, with which value: rules 3 and 4.

use super::table::Table;
use border::breakpoint::{Local, Value};

/// The instruction that a hart executes next, in U mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Next {
    /// Its pc.
    pub pc: u32,
    /// Its first operand, if it reads one.
    pub first: u32,
    /// Its second operand, if it reads one.
    pub second: u32,
    /// The address of its access, if it makes one.
    pub address: u32,
}

/// Where a hart stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct At {
    /// The entry.
    pub entry: usize,
    /// The parties that it can be, a bit each; not 0.
    pub parties: u32,
    /// Its value: both words.
    pub value: (u32, u32),
}

impl Next {
    /// Where a hart with this instruction stands, if anywhere. `regions` are the entries in whose region it is; a line
    /// has `line` bytes.
    pub fn at(&self, table: &Table, regions: u32, line: u32) -> Option<At> {
        self.at_any(table, table.armed(), regions, line)
    }

    /// The same among these entries, a bit each.
    pub fn at_any(&self, table: &Table, entries: u32, regions: u32, line: u32) -> Option<At> {
        let mut among = (0..table.len()).filter(|entry| entries >> entry & 1 != 0);
        among.find_map(|entry| self.at_entry(table, entry, regions, line))
    }

    fn at_entry(&self, table: &Table, index: usize, regions: u32, line: u32) -> Option<At> {
        let entry = table.entry(index);
        let in_region = entry.region().is_none() || regions >> index & 1 != 0;
        let matches = |party: &usize| {
            let party = entry.party(*party);
            let about = match party.local() {
                Local::Nothing => party.local_match,
                Local::First => self.first,
                Local::Second => self.second,
                Local::Address => self.address,
            };
            party.location & !3 == self.pc & !3
                && (about ^ party.local_match) & party.local_mask == 0
                && (in_region || !party.in_region())
        };
        let parties: u32 =
            (0..entry.parties()).filter(matches).fold(0, |set, party| set | 1 << party);
        if parties == 0 {
            return None;
        }
        let lowest = entry.party(parties.trailing_zeros() as usize);
        let (first, second) = match lowest.value() {
            Value::Nothing => (0, 0),
            Value::AddressWord => (self.address & !3, 0),
            Value::AddressLine => (self.address & !(line - 1), 0),
            Value::First => (self.first, 0),
            Value::Second => (self.second, 0),
            Value::Both => (self.first, self.second),
        };
        let mask = entry.value_mask();
        Some(At { entry: index, parties, value: (first & mask, second & mask) })
    }
}
