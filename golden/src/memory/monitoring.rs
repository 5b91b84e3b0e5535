//! The monitors of the harts, as the bus drives them: a hart's own accesses and snooped ones.

use super::bus::{Memory, bits};
use crate::isa::DataAccess;
use crate::{Access, AccessKind, LineMeta, MonitorInputs, MonitorOutputs, Pc, Snoop, Time};

impl Memory {
    /// The outputs of a hart's monitor for an access. `request`, for a transaction: whether others hold the
    /// line, its metadata, and the number. The monitor changes only if `valid`.
    pub(super) fn ask(
        &mut self,
        hart: usize,
        access: &DataAccess,
        kind: AccessKind,
        request: Option<(bool, LineMeta, u64)>,
        valid: bool,
    ) -> MonitorOutputs {
        let from_bus = request.is_some();
        let (communicating, meta, time) = request.unwrap_or((false, LineMeta::NULL, self.time));
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

    /// Reports a monitored transaction to the monitors of all holders.
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
