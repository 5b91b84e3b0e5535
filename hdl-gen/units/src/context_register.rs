//! The context register: the kinds of communication a hart saw last.
//!
//! Bugaboo §4.2.1 adds a short shift register to every core. Each time the core takes part in
//! communication, two bits that say how are shifted in; the value is stored with every line the core
//! writes and recorded at both ends of every edge. This file is also the language's tutorial:
//! `docs/language.md` walks through it.

use hdl::{
    Bundle, Enum, HwEnum, Module, Sig, cat, cover, hardware, input, output, ports, reg, when, wire,
};

/// How a hart took part in communication. The codes are part of the record format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HwEnum)]
pub enum Event {
    /// Local read: this hart read a line that another cache held.
    LcRd,
    /// Local write: this hart wrote a line that another cache held.
    LcWr,
    /// Remote read: another hart read a line that this hart's cache held.
    RmRd,
    /// Remote write: another hart wrote a line that this hart's cache held.
    RmWr,
}

/// Bits of one event.
pub const EVENT_BITS: usize = 2;

/// The context register of one hart.
#[derive(Clone, Debug, PartialEq)]
pub struct ContextRegister {
    /// How many events it remembers, 1 to 16.
    pub events: usize,
}

/// Ports of [`ContextRegister`].
#[derive(Clone, Copy, Debug, Bundle)]
pub struct ContextRegisterIo {
    /// An event happened in this cycle.
    pub event_valid: Sig,
    /// LcRd (0), LcWr (1), RmRd (2) or RmWr (3); valid with `event_valid`.
    pub event_kind: Enum<Event>,
    /// Software replaces the context in this cycle; an event in the same cycle is shifted into the
    /// new context.
    pub write_valid: Sig,
    /// The new context; valid with `write_valid`.
    pub write_data: Sig,
    /// The context before this cycle's event: two bits an event, the newest in the lowest.
    pub ctx: Sig,
}

/// Shifts in one two-bit event at a time. The context shown is the one before the event of the same
/// cycle: an access records the context it was made in, not the one it makes.
#[hardware]
impl Module for ContextRegister {
    type Io = ContextRegisterIo;

    fn name(&self) -> String {
        format!("context_register_{}", self.events)
    }

    fn build(&self) -> ContextRegisterIo {
        let width = EVENT_BITS * self.events;
        let io = ports(ContextRegisterIo {
            event_valid: input(1),
            event_kind: input(Event::shape()),
            write_valid: input(1),
            write_data: input(width),
            ctx: output(width),
        });

        /// The last events, the newest in the lowest bits.
        let history = reg(width).reset(0);
        io.ctx.set(history);

        /// The history that an event of this cycle is shifted into.
        let before_event = wire(width);
        before_event.set(io.write_valid.mux(io.write_data, history));
        history.set(before_event);
        when(io.event_valid, || {
            history.set(cat([before_event, io.event_kind.sig()]).trunc(width));
        });

        cover(
            "event_and_write_together",
            io.event_valid & io.write_valid,
            "an event and a write in one cycle",
        );
        io
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_are_those_of_the_record_format() {
        assert_eq!(
            [Event::LcRd, Event::LcWr, Event::RmRd, Event::RmWr].map(HwEnum::code),
            [0, 1, 2, 3]
        );
    }

    #[test]
    fn two_bits_an_event_are_stored_and_no_more() {
        for events in 1..=16 {
            let design = hdl::elaborate(ContextRegister { events }).expect("a legal circuit");
            assert_eq!(design.storage_bits(), 2 * events as u64);
        }
    }
}
