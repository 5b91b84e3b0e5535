//! What never happens in a data cache, and what should be seen to happen.

use hdl::{Enum, Sig, assert, cover, hardware, when};

use super::{L1Data, L1DataIo, Mesi};
use crate::data_port::DataRequest;
use crate::one_hot;

/// What the properties speak of.
pub(super) struct Facts {
    pub busy: Sig,
    pub fresh: Sig,
    pub granted: Sig,
    pub matches: Vec<Sig>,
    pub state: Enum<Mesi>,
    pub is_read: Sig,
    pub is_device: Sig,
    pub asking: Sig,
    pub downgrades: Sig,
    pub write_done: Sig,
    pub writes_line: Sig,
    pub sweeping: Sig,
    pub takes: Sig,
    pub shown_address: Sig,
    pub access: DataRequest,
    pub done: Sig,
    pub amo_ready: Sig,
    pub snooped: Sig,
}

#[hardware]
impl L1Data {
    /// What never happens, and what should.
    pub(super) fn check(&self, io: &L1DataIo, facts: &Facts) {
        let (verdict, fill) = (io.bus.verdict, &io.bus.fill);
        let Facts { busy, fresh, granted, state, is_read, is_device, asking, .. } = *facts;
        assert(
            "ready_only_when_swept",
            !(facts.sweeping & (busy | facts.takes | io.bus.look.valid)),
            "nothing happens before every set is empty",
        );
        assert(
            "one_match",
            one_hot::at_most_one(&facts.matches) | facts.sweeping | !fresh & !verdict.answering,
            "a line is in one way",
        );
        assert(
            "writers_apart",
            !(facts.downgrades & (facts.write_done | fill.valid)),
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
                    facts.shown_address.eq(facts.access.address),
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
        cover("snooped_while_busy", facts.snooped & busy, "a look takes the port from an access");
        cover(
            "store_waits_for_look",
            io.bus.look.valid & fresh & !is_read & busy & !facts.done,
            "a store waits while the line is looked at",
        );
        cover("amo_interrupted", facts.amo_ready & !facts.done, "an atomic operation starts again");
        cover("withdrawn", io.data.withdraw & io.data.withdrawable, "the hart gives an access up");
    }
}
