//! What the observers are shown of a transaction in its grant cycle, and how the requester's
//! observers answer.

use hdl::{Bundle, Enum, Sig, hardware, lit, select, when};

use super::{Bus, BusIo, BusKind};
use crate::l1_data::Mesi;
use crate::observer::{AccessKind, Audience, Each, GrantFacts, Lane, ObserverPort, Opaque};
use crate::one_hot;

/// The transaction in its grant cycle, as far as the bus knows it.
pub(super) struct Transaction<'a> {
    /// Whether each data cache made the request.
    pub asker: &'a [Sig],
    /// The hart that made it.
    pub hart: Sig,
    /// It is coherent, and the request still stands.
    pub asks: Sig,
    pub kind: Enum<BusKind>,
    pub communicating: Sig,
    /// What travels with the line; zeros if no cache has it.
    pub meta: &'a Each<Opaque>,
    pub number: Option<Sig>,
    pub time: Option<Sig>,
}

/// What the requester's observers say.
pub(super) struct Judgement {
    /// One of them refuses the grant.
    pub stall: Sig,
    /// Each of them: the audience is to hear of the transaction.
    pub monitored: Vec<Sig>,
    /// What arrives at the requester with the line.
    pub fill: Each<Opaque>,
}

#[hardware]
impl Bus {
    /// Shows the transaction to the observers and asks the requester's.
    pub(super) fn judge(&self, io: &BusIo, transaction: &Transaction<'_>) -> Judgement {
        let hart = transaction.hart;
        let is_read = transaction.kind.is(BusKind::Read);
        let mut monitored_each = Vec::new();
        let mut refusals = Vec::new();
        for (observer, port) in self.observers.on_bus().zip(io.observers.iter()) {
            show(port, transaction, is_read, observer.line_in(transaction.meta));
            let said: Vec<Sig> = port.hart.iter().map(|port| port.monitored).collect();
            let monitored = select(hart, &said);
            monitored_each.push(monitored);
            let stalls: Vec<Sig> = port.hart.iter().filter_map(|port| port.stall).collect();
            if !stalls.is_empty() {
                refusals.push(select(hart, &stalls));
            }
        }
        let stall = if refusals.is_empty() {
            lit(1, 0)
        } else {
            transaction.asks & one_hot::any(&refusals)
        };
        let mut fill = Vec::new();
        for ((observer, port), &monitored) in
            self.observers.on_bus().zip(io.observers.iter()).zip(&monitored_each)
        {
            let happens = match observer.audience() {
                Some(Audience::Others) => transaction.asks & !stall & monitored,
                _ => transaction.asks & !stall & monitored & transaction.communicating,
            };
            for ((port, &mine), cache) in port.hart.iter().zip(transaction.asker).zip(&io.cache) {
                port.access.set(transaction.asks & mine);
                port.snoop.set(match observer.audience() {
                    Some(Audience::Others) => happens & !mine,
                    _ => happens & !mine & !cache.answer.state.is(Mesi::Invalid),
                });
            }
            if let Some(lane) = observer.line() {
                let stores: Vec<Opaque> =
                    port.hart.iter().filter_map(|port| port.store_meta.clone()).collect();
                let store_meta = select(hart, &stores);
                let supplied = observer.line_in(transaction.meta).expect("every cache answers it");
                let fill_meta = hdl::mux(is_read, supplied, &store_meta);
                fill.push(Lane { of: fill_meta, ..lane });
            }
        }
        Judgement { stall, monitored: monitored_each, fill: Each(fill) }
    }

    /// Exports what the observers add to the grant.
    pub(super) fn export_observed(
        &self,
        io: &BusIo,
        judgement: &Judgement,
        meta: &Each<Opaque>,
        granted: Sig,
        supplied: Sig,
    ) {
        let on_bus = self.observers.on_bus().zip(&judgement.monitored);
        let facts: Vec<GrantFacts> = on_bus
            .map(|(observer, &monitored)| GrantFacts {
                granted,
                monitored,
                meta: observer.line_in(meta).cloned(),
                supplied,
            })
            .collect();
        io.export.observed.drive(&self.observers.export_grant(&facts));
    }
}

/// Shows a transaction to an observer.
#[hardware]
fn show(port: &ObserverPort, transaction: &Transaction<'_>, is_read: Sig, meta: Option<&Opaque>) {
    let Transaction { hart, kind, communicating, number, time, .. } = *transaction;
    let granting = &port.granting;
    granting.kind.set(AccessKind::Read);
    when(kind.is(BusKind::ReadX), || granting.kind.set(AccessKind::ReadX));
    when(kind.is(BusKind::Upgrade), || granting.kind.set(AccessKind::Upgrade));
    granting.communicating.set(communicating);
    granting.from_memory.set(is_read & !communicating);
    if let (Some(to), Some(from)) = (&granting.meta, meta) {
        to.drive(from);
    }
    for (to, from) in [(granting.number, number), (granting.time, time)] {
        if let (Some(to), Some(from)) = (to, from) {
            to.set(from.trunc(to.width()));
        }
    }
    if let Some(word) = &granting.word {
        let words: Vec<Opaque> = port.hart.iter().filter_map(|port| port.word.clone()).collect();
        word.drive(&select(hart, &words));
    }
}
