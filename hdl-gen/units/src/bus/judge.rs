//! What the monitors are told of a transaction, and what the requester's says to it.

use hdl::{Bundle, Enum, Sig, hardware, lit, select, when};

use super::{Bus, BusIo, BusKind};
use crate::comm_monitor::AccessKind;
use crate::l1_data::Mesi;
use crate::metadata::Metadata;

/// What the bus knows of a transaction as it is about to be granted.
pub(super) struct Transaction {
    pub kind: Enum<BusKind>,
    pub communicating: Sig,
    /// Zeros if no cache has the line.
    pub meta: Option<Metadata>,
    pub number: Option<Sig>,
    pub time: Option<Sig>,
}

/// What the requester's monitor says.
pub(super) struct Judgement {
    pub stall: Sig,
    pub monitored: Sig,
    pub fill_meta: Option<Metadata>,
}

#[hardware]
impl Bus {
    /// Tells the monitors and asks the requester's.
    pub(super) fn judge(
        &self,
        io: &BusIo,
        asker: &[Sig],
        hart: Sig,
        asks: Sig,
        transaction: Transaction,
    ) -> Judgement {
        let Some(monitors) = &io.monitors else {
            return Judgement { stall: lit(1, 0), monitored: lit(1, 0), fill_meta: None };
        };
        let Transaction { kind, communicating, meta, number, time } = transaction;
        let is_read = kind.is(BusKind::Read);
        let granting = monitors.granting;
        granting.kind.set(AccessKind::Read);
        when(kind.is(BusKind::ReadX), || granting.kind.set(AccessKind::ReadX));
        when(kind.is(BusKind::Upgrade), || granting.kind.set(AccessKind::Upgrade));
        granting.communicating.set(communicating);
        granting.from_memory.set(is_read & !communicating);
        if let Some(meta) = &meta {
            granting.meta.drive(meta);
        }
        for (to, from) in [(granting.number, number), (granting.time, time)] {
            if let (Some(to), Some(from)) = (to, from) {
                to.set(from);
            }
        }
        let monitored_by: Vec<Sig> = monitors.hart.iter().map(|port| port.monitored).collect();
        let monitored = select(hart, &monitored_by);
        let stalls: Vec<Sig> = monitors.hart.iter().filter_map(|port| port.stall).collect();
        let stall = if stalls.is_empty() { lit(1, 0) } else { asks & select(hart, &stalls) };
        let happens = asks & !stall & monitored & communicating;
        for ((port, &mine), cache) in monitors.hart.iter().zip(asker).zip(&io.cache) {
            port.access.set(asks & mine);
            port.snoop.set(happens & !mine & !cache.answer.state.is(Mesi::Invalid));
        }
        let store_metas: Vec<Metadata> = monitors.hart.iter().map(|port| port.store_meta).collect();
        let store_meta = select(hart, &store_metas);
        let fill_meta = meta.map(|meta| hdl::mux(is_read, &meta, &store_meta));
        Judgement { stall, monitored, fill_meta }
    }
}
