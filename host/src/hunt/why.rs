//! What the failing statement of a hunt had read: of one failing run, beside passing ones.

use super::opened::Opened;
use super::stages::Stage;
use super::{Campaign, HuntError};
use crate::why::{Comparison, Read};
use ::evidence::names::Names;
use record::Label;

/// Passing runs that a failing one is held against.
const PASSING: usize = 25;

impl Campaign<'_> {
    /// The reads of the first failing run that can cheaply be had again; none if there is no such run.
    pub(super) fn reads(&self, opened: &Opened<'_>, stage: &Stage) -> Result<Vec<Read>, HuntError> {
        let is_first = stage.scope == self.monitor.scope();
        // Runs of a second stage were made in another setup than the open sources have.
        let own = [&stage.collection].into_iter().filter(|_| is_first);
        for collection in own.chain(&stage.others) {
            let source = &*opened.of(collection).source;
            let Some(failing) = collection.schedules(Label::Failing).first().copied() else {
                continue;
            };
            if source.name() != collection.source || source.replay(failing).is_none() {
                continue;
            }
            let names = Names::read(self.subject.elf(), &self.subject.sources);
            let names = names.map_err(|error| HuntError::Refused(error.to_string()))?;
            let mut passing = collection.schedules(Label::Passing);
            passing.truncate(PASSING);
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
