//! The suspected order forced both ways: a few seconds, where a run takes milliseconds.

use super::opened::Opened;
use super::stages::Stage;
use super::{Campaign, HuntError, Scope};
use crate::repro::{Hunted, confirm};
use crate::verdict::Note;
use ::evidence::account::Cause;

impl Campaign<'_> {
    /// What a reader should know of the cause: that it was confirmed, if it was. Only of runs that the first stage made on a source
    /// with cheap runs.
    pub(super) fn confirmed(
        &self,
        opened: &Opened<'_>,
        stage: &Stage,
    ) -> Result<Option<Note>, HuntError> {
        let first = stage.analysis.accounts.first();
        let has_cause =
            first.is_some_and(|one| !matches!(one.cause, Cause::AnyOrder { .. } | Cause::Unknown));
        if !self.confirm || !has_cause || stage.scope != Scope::Program {
            return Ok(None);
        }
        let collections = [&stage.collection].into_iter().chain(&stage.others);
        let quick = collections
            .filter(|collection| collection.failing() > 0)
            .map(|collection| (collection, &*opened.of(collection).source))
            .find(|(_, source)| source.replay_limits().is_none());
        let Some((collection, source)) = quick else { return Ok(None) };
        (self.watch)(super::Event::Confirming);
        let hunted = Hunted::of(source, self.fail_if, self.subject, &collection.entries)?;
        let hardware = opened.sources.iter().find(|one| one.source.replay_limits().is_some());
        let hardware = hardware.map(|one| {
            let all = [&stage.collection].into_iter().chain(&stage.others);
            let mut ran = all.filter(|collection| collection.source == one.source.name());
            let entries = ran.next().map_or(&[][..], |collection| &collection.entries);
            (&*one.source, entries)
        });
        Ok(confirm(&hunted, hardware)?.map(Note::Confirmed))
    }
}
