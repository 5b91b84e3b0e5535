//! What writes depended on: the loads that a written value was computed from, and the conditions that a thread had tested
//! before it wrote.

use super::ending::Condition;
use super::sources::Sources;
use crate::event::Thread;
use std::collections::HashMap;

/// What the writes of a run depended on.
#[derive(Clone, Debug, Default)]
pub struct Depends {
    stored: HashMap<u64, Sources>,
    /// By thread, in order.
    tested: Vec<Vec<Condition>>,
}

impl Depends {
    /// The loads that the value of a write was computed from, by their events; oldest first.
    pub fn data(&self, write: u64) -> &[u64] {
        self.stored.get(&write).map_or(&[], Sources::loads)
    }

    /// The conditions that a thread had tested before an event, newest first.
    pub fn tested_before(&self, thread: Thread, number: u64) -> impl Iterator<Item = &Condition> {
        let all = self.tested.get(thread.0 as usize).map_or(&[][..], Vec::as_slice);
        let earlier = all.partition_point(|condition| condition.at <= number);
        all[..earlier].iter().rev()
    }

    pub(super) fn stored(&mut self, write: u64, sources: Sources) {
        if !sources.loads().is_empty() {
            self.stored.insert(write, sources);
        }
    }

    pub(super) fn tested(&mut self, thread: Thread, condition: Condition) {
        let index = thread.0 as usize;
        if self.tested.len() <= index {
            self.tested.resize_with(index + 1, Vec::new);
        }
        self.tested[index].push(condition);
    }

    /// Forgets what is older than the oldest event that is kept.
    pub(super) fn forget_before(&mut self, oldest: u64) {
        self.stored.retain(|write, _| *write >= oldest);
        for tested in &mut self.tested {
            tested.retain(|condition| condition.at >= oldest);
        }
    }
}
