//! The entries of a breakpoint file as they are written, and what they become in a program.

use super::location::{Location, Lost};
use super::places::Places;
use super::set::{Entry, Local, Party};
use border::breakpoint::{self, MAX_WAIT, Value, Word};
use serde::{Deserialize, Serialize};

/// An entry.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct EntryForm {
    wait: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<u32>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    crossed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    mask: Option<u32>,
    party: Vec<PartyForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<Spot>,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Region {
    begin: Spot,
    end: Spot,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Spot {
    at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pc: Option<u32>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct PartyForm {
    at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pc: Option<u32>,
    #[serde(default, skip_serializing_if = "ValueName::is_nothing")]
    value: ValueName,
    #[serde(default, skip_serializing_if = "is_zero")]
    skip: u32,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    in_region: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    local: Option<LocalForm>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this signature")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ValueName {
    #[default]
    Nothing,
    Word,
    Line,
    First,
    Second,
    Both,
}

impl ValueName {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this signature")]
    fn is_nothing(&self) -> bool {
        *self == Self::Nothing
    }

    const ALL: [(Self, Value); 6] = [
        (Self::Nothing, Value::Nothing),
        (Self::Word, Value::AddressWord),
        (Self::Line, Value::AddressLine),
        (Self::First, Value::First),
        (Self::Second, Value::Second),
        (Self::Both, Value::Both),
    ];
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct LocalForm {
    of: LocalName,
    #[serde(default = "all_ones")]
    mask: u32,
    #[serde(rename = "match")]
    expected: u32,
}

fn all_ones() -> u32 {
    u32::MAX
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum LocalName {
    First,
    Second,
    Address,
}

impl LocalName {
    const ALL: [(Self, breakpoint::Local); 3] = [
        (Self::First, breakpoint::Local::First),
        (Self::Second, breakpoint::Local::Second),
        (Self::Address, breakpoint::Local::Address),
    ];
}

impl EntryForm {
    /// Refuses what no machine can have; `number` is its own, of so many.
    pub fn check(&self, number: usize, all: usize) -> Result<(), String> {
        let wrong = |what: String| Err(format!("entry {number}: {what}"));
        let parties = self.party.len();
        if !(2..=breakpoint::PARTIES as usize).contains(&parties) {
            return wrong(format!("expected 2 to {} parties, got {parties}", breakpoint::PARTIES));
        }
        if !(1..=MAX_WAIT).contains(&self.wait) {
            return wrong(format!("wait = {}: expected 1 to {MAX_WAIT}", self.wait));
        }
        let most = Word::MOST_HITS.mask();
        if let Some(bound) = self.bound.filter(|bound| *bound > most) {
            return wrong(format!("bound = {bound}: expected at most {most}"));
        }
        let most = Word::SKIP.of(u32::MAX);
        if let Some(party) = self.party.iter().position(|party| party.skip > most) {
            return wrong(format!("party {party}: expected a skip of at most {most}"));
        }
        if self.crossed && parties != 2 {
            return wrong(format!("crossed needs exactly 2 parties, got {parties}"));
        }
        if let Some(after) = self.after
            && (after as usize >= all || after as usize == number)
        {
            return wrong(format!("after = {after}: expected the number of another entry, from 0"));
        }
        if self.region.is_none()
            && let Some(party) = self.party.iter().position(|party| party.in_region)
        {
            return wrong(format!("party {party} has in-region, but the entry has no region"));
        }
        Ok(())
    }

    /// The entry in a program, whose hash may be the file's.
    pub fn found(&self, number: usize, places: &Places, same: bool) -> Result<Entry, String> {
        let here = |what: &str, error: String| format!("entry {number}, {what}: {error}");
        let find = |what: &str, spot: &Spot| {
            let location = spot.location().map_err(|error| here(what, error))?;
            location.find(places, same).map_err(|lost: Lost| here(what, lost.to_string()))
        };
        let parties = self.party.iter().enumerate().map(|(party, form)| {
            let pc = find(&format!("party {party}"), &form.spot())?;
            Ok(form.party(pc))
        });
        let region = self.region.as_ref().map(|region| {
            Ok::<_, String>((find("region", &region.begin)?, find("region", &region.end)?))
        });
        Ok(Entry {
            parties: parties.collect::<Result<_, String>>()?,
            crossed: self.crossed,
            wait: self.wait,
            bound: self.bound.unwrap_or(0),
            until: self.until.as_ref().map(|until| find("until", until)).transpose()?,
            after: self.after,
            mask: self.mask.unwrap_or(u32::MAX),
            region: region.transpose()?,
        })
    }

    /// As it is written for a program.
    pub fn of(entry: &Entry, places: &Places) -> Result<Self, String> {
        let spot = |pc: u32| Spot::of(pc, places, false);
        let after = |pc: u32| Spot::of(pc, places, true).or_else(|_| spot(pc));
        let party = entry.parties.iter().map(|party| {
            let Spot { at, function, text, pc } = spot(party.pc)?;
            let value = ValueName::ALL.iter().find(|(_, value)| *value == party.value);
            let local = party.local.and_then(|local| {
                let (of, _) = LocalName::ALL.iter().find(|(_, of)| *of == local.of)?;
                Some(LocalForm { of: *of, mask: local.mask, expected: local.expected })
            });
            Ok::<_, String>(PartyForm {
                at,
                function,
                text,
                pc,
                value: value.map_or(ValueName::Nothing, |(name, _)| *name),
                skip: party.skip,
                in_region: party.in_region,
                local,
            })
        });
        let region = entry
            .region
            .map(|(begin, end)| Ok::<_, String>(Region { begin: after(begin)?, end: after(end)? }));
        Ok(Self {
            wait: entry.wait,
            bound: (entry.bound > 0).then_some(entry.bound),
            after: entry.after,
            crossed: entry.crossed,
            mask: (entry.mask != u32::MAX).then_some(entry.mask),
            party: party.collect::<Result<_, _>>()?,
            until: entry.until.map(after).transpose()?,
            region: region.transpose()?,
        })
    }
}

impl PartyForm {
    fn spot(&self) -> Spot {
        let Self { at, function, text, pc, .. } = self.clone();
        Spot { at, function, text, pc }
    }

    fn party(&self, pc: u32) -> Party {
        let value = ValueName::ALL.iter().find(|(name, _)| *name == self.value);
        let local = self.local.and_then(|form| {
            let (_, of) = LocalName::ALL.iter().find(|(name, _)| *name == form.of)?;
            Some(Local { of: *of, mask: form.mask, expected: form.expected })
        });
        Party {
            pc,
            value: value.map_or(Value::Nothing, |(_, value)| *value),
            skip: self.skip,
            local,
            in_region: self.in_region,
        }
    }
}

impl Spot {
    fn of(pc: u32, places: &Places, returns: bool) -> Result<Self, String> {
        let place = places.at(pc, returns);
        let place = place.ok_or_else(|| {
            format!("the instruction at {pc:#x} has no line in the program's own source")
        })?;
        let location = Location::of(place, places);
        let at = location.to_string();
        Ok(Self { at, function: location.function, text: location.text, pc: Some(pc) })
    }

    fn location(&self) -> Result<Location, String> {
        let (function, text, pc) = (self.function.clone(), self.text.clone(), self.pc);
        Ok(Location { function, text, pc, ..self.at.parse()? })
    }
}
