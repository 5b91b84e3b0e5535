//! What the failing statement of a hunt had read: of one failing run, beside passing ones.

use super::opened::Opened;
use super::stages::Stage;
use super::{Campaign, Collection, HuntError};
use crate::why::{Comparison, Read};
use ::evidence::names::Names;
use record::Label;

/// Passing runs that a failing one is held against, where replays are cheap.
const PASSING: usize = 25;

impl Campaign<'_> {
    /// The reads of the first failing run that can be had again, of the golden machine if it has one; none if there
    /// is no such run.
    pub(super) fn reads(&self, opened: &Opened<'_>, stage: &Stage) -> Result<Vec<Read>, HuntError> {
        let is_first = stage.scope == self.monitor.scope();
        // Runs of a second stage were made in another setup than the open sources have.
        let own = [&stage.collection].into_iter().filter(|_| is_first);
        let mut collections: Vec<_> = own.chain(&stage.others).collect();
        let limits = |collection: &Collection| opened.of(collection).source.replay_limits();
        collections.sort_by_key(|collection| limits(collection).is_some());
        for collection in collections {
            let source = &*opened.of(collection).source;
            let limits = limits(collection);
            let Some(failing) = collection.schedules(Label::Failing).first().copied() else {
                continue;
            };
            // Where a replay takes long there is one.
            let can_replay = limits.is_some() || source.replay(failing).is_some();
            if source.name() != collection.source || !can_replay {
                continue;
            }
            let names = Names::read(self.subject.elf(), &self.subject.sources);
            let names = names.map_err(|error| HuntError::Refused(error.to_string()))?;
            let mut passing = collection.schedules(Label::Passing);
            passing.truncate(limits.map_or(PASSING, |limits| limits.passing));
            let comparison = Comparison {
                names: &names,
                passing: &passing,
                log: &|schedule| source.log(schedule),
            };
            return comparison.reads(&source.log(failing)?);
        }
        Ok(Vec::new())
    }
}
