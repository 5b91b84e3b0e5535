//! Exact evidence of a hunt: its failing schedules examined on a source that can show every instruction.

use super::opened::Opened;
use super::{Campaign, Collection, Event, FailIf, HuntError, Replay, Schedule, Source};
use ::evidence::account::Account;
use ::evidence::examine::Examination;
use ::evidence::names::Names;
use ::evidence::run::{Order, Trial};
use ::evidence::signature::Signature;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use record::Label;

impl Campaign<'_> {
    /// Accounts of the failures of the first of these collections whose runs can be had again, one with cheap replays
    /// if there is one; none if there is no such collection.
    pub(super) fn examine(
        &self,
        opened: &Opened<'_>,
        collections: &[Collection],
    ) -> Result<Vec<Account>, HuntError> {
        let source = |collection: &Collection| &*opened.of(collection).source;
        let failing = collections.iter().filter(|collection| collection.failing() > 0);
        let mut failing: Vec<&Collection> = failing.collect();
        failing.sort_by_key(|collection| source(collection).replay_limits().is_some());
        for collection in failing {
            (self.watch)(Event::Examining);
            if let Some(accounts) = self.accounts(source(collection), collection)? {
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
        let limits = source.replay_limits();
        let failing = limits.map_or(usize::MAX, |limits| limits.failing);
        let failing = self.replays(source, collection, Label::Failing, failing)?;
        let Some(Replay { lab, .. }) = failing.first() else { return Ok(None) };
        let passing = limits.map_or(usize::MAX, |limits| limits.passing);
        let passing = self.replays(source, collection, Label::Passing, passing)?;
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

    /// Replays of the first runs of a label, of those that end with that label again.
    fn replays(
        &self,
        source: &dyn Source,
        collection: &Collection,
        label: Label,
        most: usize,
    ) -> Result<Vec<Replay>, HuntError> {
        let schedules: Vec<Schedule> = collection.schedules(label).into_iter().take(most).collect();
        let replays = schedules.into_par_iter().filter_map(|schedule| source.replay(schedule));
        let replays: Vec<Replay> = replays.collect::<Result<_, _>>()?;
        let mut repeated = Vec::new();
        for replay in replays {
            if self.repeats(&replay, label)? {
                repeated.push(replay);
            }
        }
        Ok(repeated)
    }

    /// Whether a replay ends with this label. One of a seed is the same run; an order of the hardware can lead elsewhere, where
    /// time decides.
    fn repeats(&self, replay: &Replay, label: Label) -> Result<bool, HuntError> {
        match replay.order {
            Order::Drawn { .. } => Ok(true),
            Order::Script(_) | Order::Whole(..) => {
                let trial = replay.lab.run(&replay.order, false).map_err(|error| wrong(&error))?;
                Ok(fails(self.fail_if, &trial) == (label == Label::Failing))
            }
        }
    }
}

fn wrong(error: &dyn std::error::Error) -> HuntError {
    HuntError::Refused(error.to_string())
}

/// Whether a run fails by the hunt's rule.
fn fails(rule: &FailIf, trial: &Trial) -> bool {
    match rule {
        FailIf::Exit => trial.signature != Signature::Exit { code: 0 },
        FailIf::Output(what) => what.is_match(&String::from_utf8_lossy(&trial.printed)),
    }
}
