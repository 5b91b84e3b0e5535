//! The sources of a hunt, open.

use super::campaign::{Campaign, Open};
use super::{Collection, Goal, HuntError, Source};
use crate::verdict::Note;

/// A source, how to open it in another setup, and what to look for on it.
pub(super) struct One<'a> {
    pub source: Box<dyn Source>,
    pub open: &'a Open<'a>,
    pub goal: Goal,
}

/// All sources of a hunt: one, or the hardware and a faster one.
pub(super) struct Opened<'a> {
    /// In the order of the campaign.
    pub sources: Vec<One<'a>>,
    /// Says that one is missing.
    pub missing: Option<Note>,
}

impl<'a> Opened<'a> {
    /// Opens them. Of two, one that cannot be had, for want of a compiler or a model, is left out.
    pub fn all(campaign: &Campaign<'a>) -> Result<Self, HuntError> {
        let setup = campaign.first_setup();
        let one = |open: &'a Open<'a>, goal| Ok(One { source: open(&setup)?, open, goal });
        let first = one(campaign.open, campaign.goal);
        let Some(beside) = campaign.beside else {
            return Ok(Self { sources: vec![first?], missing: None });
        };
        match (first, one(beside.open, beside.goal)) {
            (Ok(first), Ok(second)) => Ok(Self { sources: vec![first, second], missing: None }),
            (Err(HuntError::Machine(why)), Ok(only)) | (Ok(only), Err(HuntError::Machine(why))) => {
                let on = only.source.name().to_owned();
                let missing = Some(Note::OneSource { on, why: why.to_string() });
                Ok(Self { sources: vec![only], missing })
            }
            (Err(error), _) | (_, Err(error)) => Err(error),
        }
    }

    /// What decides the runs of all of them.
    pub fn identity(&self) -> Result<String, HuntError> {
        let identities: Result<Vec<_>, _> =
            self.sources.iter().map(|one| one.source.identity()).collect();
        Ok(identities?.join(" "))
    }

    /// The one that ran a collection.
    pub fn of(&self, collection: &Collection) -> &One<'a> {
        let ran = |one: &&One<'a>| one.source.name() == collection.source;
        self.sources.iter().find(ran).unwrap_or(&self.sources[0])
    }
}
