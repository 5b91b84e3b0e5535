//! The context register: every event in its place.
//!
//! The proof follows one element of the context, whichever the solver likes: an event, or one of the
//! two-bit parts of what software or the reset wrote. Its age is the number of events after it.

use hdl::{
    Bundle, Module, Sig, assert, assume, cover, hardware, index_width, input, lit, ports, reg,
    select, when,
};

use super::any::chosen_once;
use crate::context_register::{ContextRegister, ContextRegisterIo, EVENT_BITS};

#[derive(Clone, Debug, PartialEq)]
pub(super) struct ContextProof {
    pub events: usize,
}

/// What the solver chooses besides the unit's inputs.
#[derive(Clone, Copy, Debug, Bundle)]
pub(super) struct Choice {
    /// The event of this cycle is followed from now on.
    follow: Sig,
    /// The number of the two-bit part of a written context that is followed.
    place: Sig,
}

/// Follows any one element of the context.
#[hardware]
impl Module for ContextProof {
    type Io = (ContextRegisterIo, Choice);

    fn name(&self) -> String {
        format!("prove_context_register_{}", self.events)
    }

    fn build(&self) -> (ContextRegisterIo, Choice) {
        let events = self.events;
        let age_bits = index_width(events + 1);
        let io = ContextRegister { events }.build();
        let choice = ports(Choice { follow: input(1), place: input(age_bits) });
        let place = chosen_once(choice.place);
        assume("place_exists", place.lt(events), "a context has so many places");

        /// The first cycle after reset.
        let fresh = reg(1).reset(1);
        fresh.set(0);
        /// An element is followed.
        let followed = reg(1).reset(0);
        /// The followed element.
        let element = reg(EVENT_BITS);
        /// How many events came after the followed element; stops once the element has left the
        /// context.
        let age = reg(age_bits).reset(0);

        let parts = |bits: Sig| -> Vec<Sig> {
            (0..events).map(|part| bits.bits(EVENT_BITS * part..EVENT_BITS * (part + 1))).collect()
        };
        let older = |age: Sig| age.eq(events).mux(age, age + 1);
        let with_event = |age: Sig| io.event_valid.mux(older(age), age);
        age.set(with_event(age));
        when(io.write_valid | fresh, || {
            followed.set(1);
            let written = select(place, &parts(io.write_data));
            element.set(io.write_valid.mux(written, lit(EVENT_BITS, 0)));
            age.set(with_event(place));
        });
        when(io.event_valid & choice.follow, || {
            followed.set(1);
            element.set(io.event_kind.sig());
            age.set(0);
        });

        assert("age_is_counted", age.le(events), "an age is the number of events, up to all");
        assert("zero_after_reset", !fresh | io.ctx.eq(0), "the context starts empty");
        let in_place = select(age, &parts(io.ctx)).eq(element);
        assert(
            "in_its_place",
            !followed | age.eq(events) | in_place,
            "an element is as far up as there were events after it",
        );
        cover("leaves", followed & age.eq(events), "an element is pushed out");
        cover(
            "oldest",
            followed & age.eq(events - 1) & element.eq(3),
            "an element is in the oldest place",
        );
        (io, choice)
    }
}
