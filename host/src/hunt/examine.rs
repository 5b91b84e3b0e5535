//! Exact evidence of a hunt: its failing schedules examined on a source that can show every instruction.

use super::opened::Opened;
use super::{Campaign, Collection, FailIf, HuntError, Replay, Source};
use ::evidence::account::Account;
use ::evidence::examine::Examination;
use ::evidence::names::Names;
use ::evidence::run::{Order, Trial};
use ::evidence::signature::Signature;
use record::Label;

impl Campaign<'_> {
    /// Accounts of the failures of the first of these collections whose runs can be had again; none if there
    /// is no such collection.
    pub(super) fn examine(
        &self,
        opened: &Opened<'_>,
        collections: &[Collection],
    ) -> Result<Vec<Account>, HuntError> {
        for collection in collections.iter().filter(|collection| collection.failing() > 0) {
            let source = &*opened.of(collection).source;
            if let Some(accounts) = self.accounts(source, collection)? {
                return Ok(accounts);
            }
        }
        Ok(Vec::new())
    }

    fn accounts(
        &self,
        source: &dyn Source,
        collection: &Collection,
    ) -> Result<Option<Vec<Account>>, HuntError> {
        let replays = |label: Label| -> Result<Vec<Replay>, HuntError> {
            let schedules = collection.schedules(label).into_iter();
            schedules.filter_map(|schedule| source.replay(schedule)).collect()
        };
        let (failing, passing) = (replays(Label::Failing)?, replays(Label::Passing)?);
        let Some(Replay { lab, .. }) = failing.first() else { return Ok(None) };
        let wrong = |error: &dyn std::error::Error| HuntError::Refused(error.to_string());
        let names = Names::read(self.subject.elf(), &self.subject.sources);
        let orders = |replays: &[Replay]| -> Vec<Order> {
            replays.iter().map(|replay| replay.order.clone()).collect()
        };
        let examination = Examination {
            lab,
            names: &names.map_err(|error| wrong(&error))?,
            fails: &|trial| fails(self.fail_if, trial),
            failing: orders(&failing),
            passing: orders(&passing),
            schedules: collection.entries.len() as u64,
        };
        examination.accounts().map(Some).map_err(|error| wrong(&error))
    }
}

/// Whether a run fails by the hunt's rule.
fn fails(rule: &FailIf, trial: &Trial) -> bool {
    match rule {
        FailIf::Exit => trial.signature != Signature::Exit { code: 0 },
        FailIf::Output(what) => what.is_match(&String::from_utf8_lossy(&trial.printed)),
    }
}
