//! What the bus exports of every grant, and the properties of a grant.

use hdl::{HwEnum, Sig, assume, cover, hardware, lit, when};

use super::clean::with;
use super::grant::{Decision, Grant, Victim};
use super::look::Asks;
use super::phases::{Phase, Registers};
use super::{Bus, BusIo, BusKind, EXPORTED_HART_BITS, NO_HART};
use crate::one_hot;

#[hardware]
impl Bus {
    /// Exports the grant; zeros in every other cycle.
    pub(super) fn export(
        &self,
        io: &BusIo,
        registers: &Registers,
        asks: &Asks,
        grant: &Grant,
        decision: &Decision,
        victim: Victim,
    ) {
        let Grant { asker_answer, .. } = grant;
        let Grant { is_coherent, is_upgrade, supplied, .. } = *grant;
        let granted = decision.granted;
        let Victim { victim_valid, victim_dirty } = victim;
        let export = &io.export;
        let shown = |value: Sig, when: Sig| value & (granted & when).repeat(value.width());
        let hart_number = registers.hart.zext(EXPORTED_HART_BITS);
        let no_hart = lit(EXPORTED_HART_BITS, NO_HART);
        let supplier = one_hot::index(&grant.found.supplier, EXPORTED_HART_BITS);
        export.valid.set(granted);
        export.kind.set(shown(grant.exported_kind(asks, export.kind.width()), lit(1, 1)));
        export.requester.set(shown(asks.is_host.mux(no_hart, hart_number), lit(1, 1)));
        export.address.set(shown(grant.exported_address(self, registers.address), lit(1, 1)));
        export.holders.set(shown(one_hot::together(&grant.holders), is_coherent));
        export.supplier.set(shown((supplied & is_coherent).mux(supplier, no_hart), lit(1, 1)));
        export.way.set(shown(
            asker_answer.way.zext(export.way.width()),
            with(is_coherent, grant.is_clean),
        ));
        export.victim.set(shown(victim_valid, lit(1, 1)));
        export.victim_dirty.set(shown(victim_dirty, lit(1, 1)));
        export.victim_address.set(shown(asker_answer.victim_address, victim_valid));
        if let (Some(time), Some(number)) = (export.time, decision.number) {
            time.set(shown(number.zext(time.width()), is_coherent));
        }
        self.export_observed(
            io,
            &decision.judgement,
            &grant.found.meta,
            granted & is_coherent,
            granted & is_coherent & (supplied | is_upgrade),
        );
    }

    /// Assumptions, assertions and covers.
    pub(super) fn check(
        &self,
        io: &BusIo,
        registers: &Registers,
        asks: &Asks,
        grant: &Grant,
        decision: &Decision,
        victim: Victim,
    ) {
        let granted = decision.granted;
        let Grant { granting, moves_line, dirty, stands_until_grant, .. } = *grant;
        when(registers.phase.is(Phase::AwaitLine).none() & io.memory_response.valid, || {
            assume("memory_answers_reads", lit(1, 0), "memory answers what it was asked");
        });
        when(granting & asks.is_fetch, || {
            assume("fetch_holds", asks.still_stands, "a fetch waits until it is taken");
        });
        when(granting & asks.is_host, || {
            assume("host_holds", asks.still_stands, "the host waits until it is answered");
        });
        for kind in [
            BusKind::Read,
            BusKind::ReadX,
            BusKind::Upgrade,
            BusKind::Fetch,
            BusKind::Device,
            BusKind::HostRead,
            BusKind::HostWrite,
        ] {
            cover(
                &format!("grant_{}", BusKind::DEF.variants[kind.code() as usize]),
                granted & grant.kind.is(kind),
                "a transaction of every kind",
            );
        }
        if let Some(is_clean) = grant.is_clean {
            cover("grant_Clean", granted & is_clean, "a line is written to memory");
        }
        cover("request_is_gone", granting & !stands_until_grant, "a request was given up");
        cover(
            "stalled",
            stands_until_grant & decision.judgement.stall,
            "an observer refuses a grant",
        );
        cover(
            "owner_and_victim",
            granted & moves_line & dirty & victim.victim_dirty,
            "two lines go to memory",
        );
    }
}
