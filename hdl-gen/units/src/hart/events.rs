//! The events of a hart that are counted to find out where its cycles go.

use border::event::Event;
use hdl::{Enum, Sig, hardware, output, reg};

use super::stages::{DecodeStage, ExecuteStage, Flow};
use super::write::WriteStage;
use super::{HartIo, WaitReason};
use crate::observer::{Each, Lane};

/// The ports on which a hart shows its events; none unless something counts them.
#[track_caller]
pub(crate) fn ports(counted: bool) -> Each<Sig> {
    let events = if counted { &Event::ALL[..] } else { &[] };
    let port =
        |event: &Event| Lane { name: event.name().to_owned(), doc: event.doc(), of: output(1) };
    events.iter().map(port).collect()
}

/// Shows the events of this cycle. `is_missing`: the next instruction is not there.
#[hardware]
pub(super) fn show(
    io: &HartIo,
    d: &DecodeStage,
    x: &ExecuteStage,
    w: &WriteStage,
    flow: &Flow,
    (is_missing, reason): (Sig, Enum<WaitReason>),
) {
    /// The word to be fetched was missing in the cycle before.
    let was_missing = reg(1).reset(0);
    was_missing.set(is_missing);
    for (event, lane) in Event::ALL.iter().zip(io.event.iter()) {
        lane.set(match event {
            Event::FetchMiss => is_missing & !was_missing,
            Event::DataMiss => flow.late & w.hoped,
            Event::Mispredict => flow.redirect,
            Event::FetchWait => reason.is(WaitReason::Fetch),
            Event::BusWait => reason.is(WaitReason::Bus),
            Event::DeviceWait => reason.is(WaitReason::Device),
            Event::TableWait => reason.is(WaitReason::TableFull),
            Event::InterruptWait => reason.is(WaitReason::Wfi),
            Event::HeldWait => reason.is(WaitReason::Held),
            Event::OperandWait => d.valid & flow.execute_free & !flow.decode_free,
            Event::ExecuteWait => x.valid & flow.memory_free & !flow.execute_free,
        });
    }
}
