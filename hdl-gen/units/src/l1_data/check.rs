//! What never happens in a data cache, and what should be seen to happen.

use hdl::{Sig, assert, cover, hardware, when};

use super::access::Current;
use super::arrays::Writes;
use super::lookup::Lookup;
use super::order::{Cycle, Outcome};
use super::{L1Data, Mesi};
use crate::one_hot;

/// What the properties need beside the [`Cycle`].
pub(super) struct Facts {
    /// The arrays are being emptied after reset.
    pub sweeping: Sig,
    /// The cache takes an access of the hart.
    pub takes: Sig,
    pub writes: Writes,
    /// Bytes of a line are written.
    pub writes_line: Sig,
}

#[hardware]
impl L1Data {
    /// Assertions and covers.
    pub(super) fn check(&self, cycle: &Cycle<'_>, facts: &Facts) {
        let Cycle { io, current, lookup, outcome } = *cycle;
        let (verdict, fill) = (io.bus.verdict, &io.bus.fill);
        let Current { busy, fresh, granted, is_read, is_device, .. } = *current;
        let Lookup { state, asking, .. } = *lookup;
        let Outcome { done, write_done, amo_ready, .. } = *outcome;
        let Writes { snooped, downgrades, .. } = facts.writes;
        assert(
            "ready_only_when_swept",
            !(facts.sweeping & (busy | facts.takes | io.bus.look.valid)),
            "nothing happens before every set is empty",
        );
        assert(
            "one_match",
            one_hot::at_most_one(&lookup.matches) | facts.sweeping | !fresh & !verdict.answering,
            "a line is in one way",
        );
        assert(
            "writers_apart",
            !(downgrades & (write_done | fill.valid)),
            "arrays are written for one reason",
        );
        assert(
            "metadata_apart",
            !(io.bus.look.valid & facts.writes_line),
            "no line's metadata changes in the cycle of a look",
        );
        assert(
            "answers_are_not_fresh",
            !(verdict.answering & fresh) | asking & is_device,
            "a look shows another line",
        );
        let request = io.bus.request;
        when(asking, || {
            assert("stands", request.stands.eq(request.valid), "no new request joins an answer");
        });
        when(asking & verdict.granted, || {
            assert("grants_what_stands", request.valid, "only a request is granted");
            when(!is_device, || {
                assert(
                    "granted_address",
                    current.shown_address.eq(current.access.address),
                    "the look is of the address of the access",
                );
                assert(
                    "asks_for_what_it_lacks",
                    is_read.mux(
                        state.is(Mesi::Invalid),
                        state.is(Mesi::Invalid) | state.is(Mesi::Shared),
                    ),
                    "a hit makes no transaction",
                );
            });
        });
        when(fill.valid, || {
            assert("fill_is_awaited", busy & granted, "a line arrives for an ordered access");
        });
        when(io.bus.device_valid, || {
            assert(
                "device_answer_is_awaited",
                busy & granted & is_device,
                "a device answers an ordered access",
            );
        });
        assert("ordered_stays", !(granted & !busy), "an ordered access is not given up");
        cover("snooped_while_busy", snooped & busy, "a look takes the port from an access");
        cover(
            "store_waits_for_look",
            io.bus.look.valid & fresh & !is_read & busy & !done,
            "a store waits while the line is looked at",
        );
        cover("amo_interrupted", amo_ready & !done, "an atomic operation starts again");
        cover("withdrawn", io.data.withdraw & io.data.withdrawable, "the hart gives an access up");
    }
}
