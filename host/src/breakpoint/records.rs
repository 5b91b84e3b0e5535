//! Breakpoints that a program has in its source: records of `<crosstalk/breakpoint.h>` in its ELF file.

use super::set::{Entry, Local, Party, Set};
use border::breakpoint::{self, MAX_WAIT, PARTIES, Value, Word};
use object::read::elf::ElfFile32;
use object::{Endianness, Object, ObjectSection};
use std::collections::BTreeMap;

/// The section, which is not loaded.
const SECTION: &str = ".crosstalk_breakpoints";
/// Words of a record before its name.
const WORDS: usize = 8;

/// What a record is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Arrives,
    ArrivesUntil,
    Passed,
}

struct Record {
    pc: u32,
    what: What,
    party: u32,
    meet: u32,
    wait: u32,
    skip: u32,
    bound: u32,
    name: String,
}

/// The set that a program's own records say; none if it has none.
///
/// # Errors
/// A sentence that names the breakpoint, if its records do not fit together.
pub fn own_set(elf: &[u8]) -> Result<Option<Set>, String> {
    let Ok(elf) = ElfFile32::<Endianness>::parse(elf) else { return Ok(None) };
    let Some(section) = elf.section_by_name(SECTION) else { return Ok(None) };
    let bytes =
        section.data().map_err(|error| format!("the section {SECTION} cannot be read: {error}"))?;
    let records = records(bytes).ok_or_else(|| format!("the section {SECTION} is damaged"))?;
    let mut named = BTreeMap::<&str, Vec<&Record>>::new();
    for record in &records {
        named.entry(&record.name).or_default().push(record);
    }
    let entries = named.iter().map(|(name, records)| {
        entry(records).map_err(|what| format!("breakpoint `{name}`: {what}"))
    });
    let entries: Vec<Entry> = entries.collect::<Result<_, _>>()?;
    if entries.len() > Set::MOST {
        let (most, found) = (Set::MOST, entries.len());
        return Err(format!("expected at most {most} breakpoints in the program, got {found}"));
    }
    Ok((!entries.is_empty()).then_some(Set { entries }))
}

fn records(bytes: &[u8]) -> Option<Vec<Record>> {
    let mut rest = bytes;
    let mut found = Vec::new();
    while !rest.is_empty() {
        let word = |index: usize| {
            let bytes = rest.get(4 * index..4 * index + 4)?;
            Some(u32::from_le_bytes(bytes.try_into().ok()?))
        };
        let length = word(0)? as usize;
        let name = rest.get(4 * WORDS..length)?;
        let name = name.split(|byte| *byte == 0).next()?;
        found.push(Record {
            pc: word(1)?,
            what: match word(2)? {
                0 => What::Arrives,
                1 => What::ArrivesUntil,
                2 => What::Passed,
                _ => return None,
            },
            party: word(3)?,
            meet: word(4)?,
            wait: word(5)?,
            skip: word(6)?,
            bound: word(7)?,
            name: String::from_utf8(name.to_vec()).ok()?,
        });
        rest = &rest[length..];
    }
    Some(found)
}

fn entry(records: &[&Record]) -> Result<Entry, String> {
    let arrives: Vec<&&Record> = records.iter().filter(|one| one.what != What::Passed).collect();
    let parties =
        arrives.iter().map(|one| one.party).max().map_or(0, |most| most.saturating_add(1));
    if !(2..=PARTIES).contains(&parties) {
        return Err(format!("expected 2 to {PARTIES} parties, got {parties}"));
    }
    let mut by_party = Vec::new();
    for party in 0..parties {
        let mut of_party = arrives.iter().filter(|one| one.party == party);
        let Some(one) = of_party.next() else {
            return Err(format!("no place is for party {party}"));
        };
        if of_party.next().is_some() {
            return Err(format!(
                "expected one place for party {party}, got several; the compiler may have copied it"
            ));
        }
        by_party.push(**one);
    }
    let first = by_party[0];
    if by_party
        .iter()
        .any(|one| (one.wait, one.meet, one.bound) != (first.wait, first.meet, first.bound))
    {
        return Err("its places differ in meet, wait or bound; expected the same at all".into());
    }
    if !(1..=MAX_WAIT).contains(&first.wait) {
        return Err(format!("wait = {}: expected 1 to {MAX_WAIT}", first.wait));
    }
    let (most_skip, most_bound) = (Word::SKIP.of(u32::MAX), Word::MOST_HITS.mask());
    if by_party.iter().any(|one| one.skip > most_skip) || first.bound > most_bound {
        return Err(format!(
            "expected a skip of at most {most_skip} and a bound of at most {most_bound}"
        ));
    }
    let waits = by_party.iter().any(|one| one.what == What::ArrivesUntil);
    let mut passed = records.iter().filter(|one| one.what == What::Passed).map(|one| one.pc);
    let until = match (waits, passed.next(), passed.next()) {
        (true, Some(pc), None) => Some(pc),
        (false, None, None) => None,
        (true, ..) => {
            return Err("CROSSTALK_BREAKPOINT_UNTIL needs exactly one CROSSTALK_PASSED".into());
        }
        (false, ..) => {
            return Err("CROSSTALK_PASSED needs a CROSSTALK_BREAKPOINT_UNTIL".into());
        }
    };
    let only_true = Local { of: breakpoint::Local::Second, mask: u32::MAX, expected: 1 };
    let (value, local) = match first.meet {
        0 => (Value::Nothing, None),
        1 => (Value::First, None),
        2 if parties == 2 => (Value::Both, None),
        3 => (Value::First, Some(only_true)),
        _ => return Err(format!("CROSSTALK_MEET_CROSSED needs exactly 2 parties, got {parties}")),
    };
    let party = |one: &&Record| Party { value, local, skip: one.skip, ..Party::at(one.pc) };
    Ok(Entry {
        crossed: first.meet == 2,
        bound: first.bound,
        until,
        ..Entry::of(by_party.iter().map(party).collect(), first.wait)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(what: What, party: u32, meet: u32, pc: u32) -> Record {
        let (wait, skip, bound, name) = (9, 0, 0, "x".to_owned());
        Record { pc, what, party, meet, wait, skip, bound, name }
    }

    fn said(records: &[Record]) -> Result<Entry, String> {
        entry(&records.iter().collect::<Vec<_>>())
    }

    #[test]
    fn records_of_one_name_are_an_entry() {
        let both = [record(What::Arrives, 1, 2, 8), record(What::Arrives, 0, 2, 4)];
        let entry = said(&both).unwrap();
        assert_eq!(entry.parties.iter().map(|party| party.pc).collect::<Vec<_>>(), [4, 8]);
        assert!(entry.crossed && entry.parties[0].value == Value::Both);
        let until = [
            record(What::ArrivesUntil, 0, 1, 4),
            record(What::Arrives, 1, 1, 8),
            record(What::Passed, 0, 0, 12),
        ];
        assert_eq!(said(&until).unwrap().until, Some(12));
    }

    #[test]
    fn records_that_do_not_fit_together_are_refused() {
        let place = |party| record(What::Arrives, party, 0, 4 * party);
        assert!(said(&[place(0)]).unwrap_err().contains("got 1"));
        assert!(said(&[place(0), place(2)]).unwrap_err().contains("no place is for party 1"));
        assert!(
            said(&[place(0), place(1), place(1)]).unwrap_err().contains("party 1, got several")
        );
        let other = Record { wait: 10, ..place(1) };
        assert!(said(&[place(0), other]).unwrap_err().contains("differ"));
        let late = |party| Record { wait: MAX_WAIT + 1, ..place(party) };
        assert!(said(&[late(0), late(1)]).unwrap_err().contains("wait = 1048577"));
        let passed = record(What::Passed, 0, 0, 12);
        assert!(said(&[place(0), place(1), passed]).unwrap_err().contains("needs a CROSSTALK_B"));
        let crossed = |party| Record { meet: 2, ..place(party) };
        assert!(said(&[crossed(0), crossed(1), crossed(2)]).unwrap_err().contains("exactly 2"));
    }
}
