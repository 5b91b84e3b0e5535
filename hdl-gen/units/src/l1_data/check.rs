//! Assertions and covers of the data cache.

use hdl::{Sig, assert, cover, hardware, when};

use super::arrays::Writes;
use super::order::Cycle;
use super::speculation::adjusted;
use super::{L1Data, Mesi};
use crate::data_port::AccessOp;
use crate::one_hot;

/// What the properties need beside the [`Cycle`].
pub(super) struct Facts {
    /// The arrays are being emptied after reset.
    pub sweeping: Sig,
    pub writes: Writes,
    /// A line is read for the bus.
    pub reads_line: Sig,
    /// Bytes of a line are written.
    pub writes_line: Sig,
    /// The older access is an SC that fails.
    pub conditional_fails: Sig,
}

#[hardware]
impl L1Data {
    /// Assertions and covers.
    pub(super) fn check(&self, cycle: &Cycle<'_>, facts: &Facts) {
        let Cycle { io, current, lookup, outcome } = *cycle;
        let (verdict, fill) = (io.bus.verdict, &io.bus.fill);
        let (newest, older, answered) = (current.newest, current.older, lookup.answered);
        let Writes { snooped, downgrades, .. } = facts.writes;
        let taken = io.data.request.fires();
        assert(
            "ready_only_when_swept",
            !(facts.sweeping & (newest.valid | older.waits | taken | io.bus.look.valid)),
            "nothing happens before every set is empty",
        );
        assert(
            "one_match",
            one_hot::at_most_one(&lookup.matches) | !newest.valid & !verdict.answering,
            "a line is in one way",
        );
        assert(
            "writers_apart",
            !(downgrades & (outcome.writes_word | fill.valid | older.used)),
            "arrays are written for one reason",
        );
        assert(
            "no_store_during_look",
            !((io.bus.look.valid | verdict.answering | facts.reads_line) & facts.writes_line),
            "no line changes while it is looked at",
        );
        assert(
            "no_lookup_during_verdict",
            !(newest.valid & (verdict.answering | snooped)),
            "what is looked up is not about to change",
        );
        let request = io.bus.request;
        let uses = older.used | outcome.array_done | outcome.fill_done;
        assert(
            "no_use_during_own_look",
            !(uses & verdict.mine & (io.bus.look.valid | verdict.answering)),
            "a victim is chosen when all uses before it are noted",
        );
        when(verdict.deciding & verdict.mine & verdict.granted, || {
            assert(
                "granted_sc_holds",
                !facts.conditional_fails,
                "a reservation seen in the cycle before the verdict holds in it",
            );
            assert("grants_what_stands", older.waits & older.asks, "only a request is granted");
            when(!older.kind.is_device, || {
                assert(
                    "granted_address",
                    current.shown_address.eq(older.access.address),
                    "the look is of the address of the access",
                );
                assert(
                    "asks_for_what_it_lacks",
                    older.kind.is_read.mux(
                        answered.state.is(Mesi::Invalid),
                        adjusted(
                            answered.state.is(Mesi::Invalid) | answered.state.is(Mesi::Shared),
                            io.speculation,
                            |lacks, _| lacks | answered.state.is(Mesi::Modified),
                        ),
                    ),
                    "a hit makes no transaction",
                );
            });
        });
        when(fill.valid, || {
            assert(
                "fill_is_awaited",
                older.waits & older.granted,
                "a line arrives for an ordered access",
            );
        });
        when(io.bus.device_valid, || {
            assert(
                "device_answer_is_awaited",
                older.waits & older.granted & older.kind.is_device,
                "a device answers an ordered access",
            );
        });
        assert(
            "ordered_stays",
            !(older.granted & !older.waits),
            "an ordered access is not given up",
        );
        assert("asks_while_it_waits", !request.valid | older.waits, "only what waits asks the bus");
        cover(
            "snooped_while_busy",
            snooped & older.waits,
            "a line is looked at while an access waits",
        );
        cover(
            "store_waits_for_look",
            io.bus.look.soon & io.data.request.valid & !io.data.request.ready,
            "an access waits while a line is looked at",
        );
        cover(
            "look_waits_for_store",
            io.bus.look.soon & io.bus.storing,
            "a look waits for a store",
        );
        assert(
            "learns_while_it_waits",
            !((outcome.array_done | outcome.fill_done) & taken),
            "no way is guessed while one is learned",
        );
        if lookup.way_predictor.is_some() {
            cover(
                "guessed_wrong",
                newest.live
                    & !newest.again
                    & !current.held_back
                    & newest.access.op.is(AccessOp::Load)
                    & lookup.held
                    & !lookup.as_guessed,
                "a load hits in another way",
            );
        }
        cover("withdrawn", io.data.withdraw & io.data.withdrawable, "the hart gives an access up");
    }
}
