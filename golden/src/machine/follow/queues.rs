//! Validates exports and queues them.

use super::{Event, Follower, OrderedAccess};
use crate::machine::disagreement::{Disagreement, Problem, Who};
use crate::machine::exports::CycleExports;
use crate::memory::{BusKind, NOBODY};

impl Follower {
    /// Queues the exports of one cycle.
    pub(super) fn queue(&mut self, exports: &CycleExports) -> Result<(), Disagreement> {
        let cycle = exports.cycle;
        let refuse = |who, problem| Err(Disagreement { cycle, who, instruction: None, problem });
        let harts = self.harts.len();
        for actual in [exports.hits.len(), exports.retired.len()] {
            if actual != harts {
                return refuse(Who::Machine, Problem::Harts { expected: harts, actual });
            }
        }
        if let Some(grant) = exports.bus {
            let who = usize::from(grant.requester);
            let is_host = matches!(grant.kind, BusKind::HostRead | BusKind::HostWrite);
            let of_host = grant.requester == NOBODY;
            let known = if of_host { is_host || grant.kind == BusKind::Device } else { !is_host };
            if !known || !of_host && who >= harts {
                let (expected, actual) = (NOBODY.into(), grant.requester.into());
                let field = "bus_requester";
                return refuse(Who::Machine, Problem::Field { field, expected, actual });
            }
            let requester = self.harts.get_mut(who);
            let records = requester.as_ref().map_or(0, |followed| followed.received);
            if let Some(followed) = requester
                && grant.kind == BusKind::Fetch
            {
                followed.fetches.push_back(cycle);
            }
            self.push(Event {
                cycle,
                access: OrderedAccess::Bus { grant, tap: exports.tap, records },
            });
        } else if exports.tap.is_some() {
            let problem = Problem::Field { field: "tap_valid", expected: 0, actual: 1 };
            return refuse(Who::Machine, problem);
        }
        for (hart, hit) in exports.hits.iter().enumerate() {
            if let Some(hit) = *hit {
                self.push(Event { cycle, access: OrderedAccess::Hit { hart, hit } });
            }
        }
        for (followed, record) in self.harts.iter_mut().zip(exports.retired) {
            if let Some(record) = record {
                followed.records.push_back((cycle, *record));
                followed.received += 1;
            }
        }
        if let Some(unit) = &mut self.breakpoints {
            unit.queue(exports, self.harts.iter().map(|followed| followed.received));
        }
        if let Some(watched) = exports.watched {
            self.actual_watched.push_back((cycle, watched));
        }
        Ok(())
    }

    fn push(&mut self, event: Event) {
        if let Some(hart) = event.hart() {
            self.harts[hart].ordered += 1;
        }
        self.order.push_back(event);
    }
}
