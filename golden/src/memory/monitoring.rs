//! What transactions mean to the monitors: the requester's is asked, the holders' hear of it.

use super::bus::{Memory, bits};
use crate::isa::DataAccess;
use crate::{Access, AccessKind, LineMeta, MonitorInputs, MonitorOutputs, Pc, Snoop, Time};

impl Memory {
    /// What a hart's monitor says of an access. `request`: of a transaction, whether others hold the
    /// line, its metadata, and the number. Only if it is `valid` the monitor changes.
    pub(super) fn ask(
        &mut self,
        hart: usize,
        access: &DataAccess,
        kind: AccessKind,
        request: Option<(bool, LineMeta, u64)>,
        valid: bool,
    ) -> MonitorOutputs {
        let from_bus = request.is_some();
        let (communicating, meta, time) = request.unwrap_or((false, LineMeta::NULL, self.time()));
        let access = Access {
            valid,
            kind,
            pc: Pc(access.pc.into()),
            mode: access.mode,
            communicating,
            from_memory: from_bus && kind == AccessKind::Read && !communicating,
            meta,
            time: Time(time),
        };
        self.monitors[hart].step(&MonitorInputs { access, snoop: None, register: None })
    }

    /// The monitors of all holders hear of a monitored transaction.
    pub(super) fn snoop(&mut self, holders: u32, kind: AccessKind) {
        let snoop = match kind {
            AccessKind::Read => Snoop::Read,
            AccessKind::ReadX | AccessKind::Upgrade => Snoop::Write,
        };
        for other in bits(holders) {
            let inputs = MonitorInputs { snoop: Some(snoop), ..MonitorInputs::default() };
            self.monitors[other].step(&inputs);
        }
    }
}
